// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the BMP581 and BMP580, barometers and thermometers with a FIFO of 16 samples and
/// an interrupt pin. The chip compensates its measurements itself.
public typealias BMP581<Bus: ChipBus> = RegisterDriver<BMP581Chip, Bus>

/// The chip-specific parts of the driver.
public struct BMP581Chip: ReadyFlagChip {
  public typealias Decoder = BMP581Decoder

  public init() {}

  public static var channels: ChannelSet { [.pressure, .temperature] }

  public enum StartStep: UInt8, ChipStep {
    case interface, identity, oldFlag, reset, interfaceAfterReset, resetOver, memory, standby
    case configuration, filter, running, rateValid
  }

  public static func start(
    _ driver: inout BMP581<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = BMP581Map()
    switch step {
    case .interface, .interfaceAfterReset:
      // On SPI the first read only selects the interface (Bosch's API; ArduPilot's driver).
      if driver.bus.isSPI { _ = try driver.bus.read(map.chipID) }
      return .next
    case .identity: return .identify(by: map.chipID)
    case .oldFlag:
      // This read clears the flag that the chip sets at power-up. Otherwise the driver could
      // mistake this flag for the flag of a reset that never reached the chip, because the chip
      // need not acknowledge the reset command.
      _ = try driver.bus.read(map.interruptStatus)
      return .next
    case .reset:
      try reset(&driver)
      return .wait(startUp)
    case .resetOver:
      return .poll(map.interruptStatus, each: startUp, times: 10) { $0.powerOnReset(true) }
    case .memory:
      return try driver.expect(
        map.status.change { $0.memoryReady(true) | $0.memoryError(false) },
        in: map.status.address, each: startUp, times: 10)
    case .standby:
      // The filter and the FIFO can be configured only outside deep standby.
      return .write(map.rate, wait: modeChange) { $0.deepStandbyDisable(true) }
    case .configuration: return .configure()
    case .filter where driver.codes.filter != .off:
      // The filter starts from 0 unless a forced measurement initializes it (ESPHome's component).
      try driver.bus.write(driver.codes.mode(.forced))
      let conversion = conversion(driver.codes.temperature, driver.codes.pressure)
      return .wait(modeChange + UInt32(truncatingIfNeeded: conversion + conversion / 10))
    case .filter: return .next
    case .running:
      try driver.bus.write(driver.codes.mode(.normal))
      return .wait(modeChange)
    case .rateValid:
      // If the period is too short for the oversampling, the chip averages fewer conversions than
      // requested (section 4.3.4; SparkFun's example 5 reads this bit too).
      guard try driver.bus.read(map.effective)({ $0.isRateValid }) == true else {
        throw .unsupportedSetting
      }
      return .next
    }
  }

  /// The time from a reset to standby, and the time of a change to standby, in microseconds
  /// (section 2, table 4; Linux's driver and Bosch's API wait for the same times).
  private static var startUp: UInt32 { 2000 }
  private static var modeChange: UInt32 { 2500 }

  /// Resets the chip. The chip may not acknowledge this command (section 7.36).
  private static func reset(_ driver: inout BMP581<some ChipBus>) throws(ChipError) {
    do throws(ChipError) {
      try driver.bus.set(BMP581Map().command) { $0.value(BMP581Map.softReset) }
    } catch {
      guard error.busError == .noAcknowledge else { throw error }
    }
  }

  public static func verifiedRow(
    _ index: Int, of driver: borrowing BMP581<some ChipBus>
  ) -> RegisterValue? { index == 7 ? driver.codes.mode(.normal) : driver.row(index) }

  /// The interval between the verifications of two configuration registers. Of every four
  /// consecutive registers at least one differs from its contents after a reset, so a reset is
  /// detected within 160 ms.
  public static var verification: Verification {
    Verification(every: .milliseconds(40), runningRow: 7, catchesUp: true)
  }

  /// Discards samples that were taken with earlier settings. The chip has no command that empties
  /// its FIFO, so all frames are read; an empty FIFO returns a code for "no data".
  public static func discardOldSamples(
    _ driver: inout BMP581<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    guard driver.acquires(.fifo) else {
      _ = try readSample(&driver, into: &batch)
      return
    }
    let most = max(1, driver.bus.longestRead / frameSize)
    var frames = queueSize
    while frames > 0 {
      let count = min(frames, most)
      try driver.read(first: count * frameSize, from: BMP581Map().queueData, into: &batch)
      frames -= count
    }
  }

  public enum Queue: WatermarkQueue {
    public static func port(of driver: borrowing BMP581<some ChipBus>) -> UInt8 {
      BMP581Map().queueData.address
    }

    public static func frameSize(of driver: borrowing BMP581<some ChipBus>) -> Int {
      BMP581Chip.frameSize
    }

    public static var losesAlignment: Bool { true }

    /// Reads the number of frames. A full FIFO drops its oldest frames without setting a flag, and
    /// the margin of two frames covers samples that arrive before the frames are read.
    public static func readFillLevel(
      _ driver: inout BMP581<some ChipBus>
    ) throws(ChipError) -> FillLevel {
      let waiting = Int(try driver.bus.read(BMP581Map().queueCount)({ $0 }) ?? 0)
      return FillLevel(waiting: waiting, isOverrun: waiting > queueSize - 2)
    }
  }

  /// Reads the interrupt status, which clears its flags.
  public static func hasSample(_ driver: inout BMP581<some ChipBus>) throws(ChipError) -> Bool {
    try driver.bus.read(BMP581Map().interruptStatus)({ $0.dataReady }) == true
  }

  /// Reads both quantities in one burst, so that both are from one measurement (section 4.5.1).
  public static func readOutputs(
    _ driver: inout BMP581<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    // The flag is cleared only by a read of the status.
    if driver.hasEdge { _ = try driver.bus.read(BMP581Map().interruptStatus) }
    try driver.readFrame(of: frameSize, from: BMP581Map().temperatureLowest, into: &batch)
  }

  public static func sleep(_ driver: inout BMP581<some ChipBus>) throws(ChipError) {
    try driver.bus.set(BMP581Map().rate) { $0.rate(.hz1) | $0.mode(.standby) }
  }
}

/// Decodes the frames to physical values.
public struct BMP581Decoder: FrameDecoder {
  public typealias Codes = BMP581Configuration

  public init(_ batch: borrowing RawBatch) {}

  /// The operating ranges from BST-BMP581-DS004, section 2 (distributors' tables have the same
  /// ranges).
  @inlinable
  public static func limits(of channel: Channel, of part: BMP581Part) -> ClosedRange<Scalar>? {
    switch channel {
    case .temperature: -40...85
    case .pressure: 30...125
    default: nil
    }
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading()
    if let fault = batch.uniformity(frame, 0, BMP581Chip.frameSize) {
      reading.reject(BMP581Chip.channels, fault)
      return reading
    }
    let start = frame * batch.frameSize
    let temperatureWord = Self.word(batch, start)
    let pressureWord = Self.word(batch, start + 3)
    if temperatureWord == Self.none || pressureWord == Self.none {
      reading.reject(BMP581Chip.channels, .noData)
      return reading
    }
    // The temperature is signed.
    let degrees = (temperatureWord ^ 0x80_0000) - 0x80_0000
    reading.add(
      .temperature, Scalar(degrees) / BMP581Chip.countsPerDegree,
      within: Self.limits(of: .temperature, of: .expected), code: degrees, ones: -1,
      with: .pressure)
    guard reading.invalid.isEmpty else { return reading }
    reading.add(
      .pressure, Scalar(pressureWord) / BMP581Chip.countsPerKilopascal,
      within: Self.limits(of: .pressure, of: .expected), code: pressureWord, ones: 0xFF_FFFF)
    return reading
  }

  /// The code of a quantity that was not measured, and of an empty FIFO: three bytes 0x7F (Bosch's
  /// API; Linux's and ArduPilot's drivers discard this code too).
  private static var none: Int { 0x7F_7F7F }

  /// Returns an unsigned 24-bit number.
  private static func word(_ batch: borrowing RawBatch, _ start: Int) -> Int {
    Int(batch.byte(start + 2)) << 16 | Int(batch.byte(start + 1)) << 8 | Int(batch.byte(start))
  }
}
