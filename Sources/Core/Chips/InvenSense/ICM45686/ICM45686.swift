// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the ICM-45686, a three-axis accelerometer and gyroscope with a 2 kB FIFO, over an
/// `IndirectBus`.
///
/// In low power only the accelerometer runs. With the widest ranges the FIFO has 20 bits per axis.
/// Sample times are from the host's clock.
public typealias ICM45686<Bus: ChipBus> = RegisterDriver<ICM45686Chip, Bus>

/// The chip-specific parts of the driver.
public struct ICM45686Chip: ReadyFlagChip {
  public typealias Decoder = ICM45686Decoder
  public typealias Row = BankedValue

  public init() {}

  public static func channels(of codes: ICM45686Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.hasGyro ? channels : [.acceleration, .temperature] }

  public enum StartStep: UInt8, ChipStep {
    case interface, identity, reset, interfaceAfterReset, resetOver, silence, queued, configuration
    case emptying, emptied
  }

  public static func start(
    _ driver: inout ICM45686<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = ICM45686Map()
    switch step {
    case .interface, .interfaceAfterReset:
      // Select edges of 10 ns, as in TDK's examples and Zephyr's driver. The edges of 0.5 ns that
      // are selected after a reset can corrupt reads, so Linux and Zephyr change them before the
      // first read. The change takes effect after 1.5 us (section 16.48).
      guard driver.bus.isSPI else { return .next }
      return .write(map.driveConfig0, wait: 2) { $0.slewI2C(6) | $0.slewSPI(2) }
    case .identity: return .identify(by: map.whoAmI)
    case .reset:
      return .write(map.control, wait: ICM45686Timing.reset) { $0.softReset(true) }
    case .resetOver:
      return .poll(map.int1Status0, each: ICM45686Timing.reset, times: ICM45686Timing.resetPolls) {
        $0.resetDone(true)
      }
    case .silence:
      // A pin may be changed only while its interrupts are off (section 16.23).
      try driver.bus.set(map.int1Config0) { $0.resetDone(false) }
      return .write(map.int2Config0) { $0.resetDone(false) }
    case .queued where driver.acquires(.fifo):
      // Select only the contents of packets here. The configuration then enables the FIFO and,
      // after that, the flow of packets (section 16.32; TDK's driver and Linux use the same order).
      return .write(map.fifoConfig3) { driver.codes.contents($0) }
    case .configuration: return .configure(wait: ICM45686Timing.start)
    case .emptying where driver.acquires(.fifo):
      return .write(map.fifoConfig2, wait: ICM45686Timing.flush) {
        $0.flush(true) | driver.codes.watermarkMode($0)
      }
    case .emptied where driver.acquires(.fifo):
      // The chip clears this bit when the FIFO is empty (TDK's driver waits for the bit).
      return try driver.expect(
        map.fifoConfig2.change { $0.flush(false) }, in: map.fifoConfig2.address,
        each: ICM45686Timing.flushPoll, times: ICM45686Timing.flushPolls)
    case .queued, .emptying, .emptied: return .next
    }
  }

  public static func row(
    _ index: Int, of driver: borrowing ICM45686<some ChipBus>
  ) -> BankedValue? { driver.codes.row(index) }

  public static func verifiedRow(
    _ index: Int, of driver: borrowing ICM45686<some ChipBus>
  ) -> BankedValue? {
    guard let row = driver.row(index / 2) else { return nil }
    return index & 1 == 0 ? driver.codes.running : row
  }

  public static var verification: Verification {
    Verification(every: ICM45686Timing.verification)
  }

  /// The FIFO, which counts packets and stops when it is full. In stream mode, in which the FIFO
  /// drops its oldest packets, the FIFO must never be emptied (AN-000364, according to TDK's driver
  /// and Zephyr issue 97742). ArduPilot and PX4 stop the FIFO too.
  public enum Queue: WatermarkQueue {
    public static func port(of driver: borrowing ICM45686<some ChipBus>) -> UInt8 {
      ICM45686Map().fifoData.address
    }

    public static func frameSize(of driver: borrowing ICM45686<some ChipBus>) -> Int {
      driver.codes.frame.size
    }

    public static var checksFrames: Bool { true }

    public static var emptyingStep: StartStep? { .emptying }

    /// Reads the FIFO's count twice, because the first read can return an old count (AN-000364,
    /// section 2.2, according to TDK's and PX4's drivers). A margin of three packets covers samples
    /// that arrive before the packets are read; otherwise the chip could drop samples undetected.
    public static func readFillLevel(
      _ driver: inout ICM45686<some ChipBus>
    ) throws(ChipError) -> FillLevel {
      let map = ICM45686Map()
      let _: InlineArray<2, UInt8> = try driver.bus.bytes(from: map.fifoCount.first)
      let count: InlineArray<2, UInt8> = try driver.bus.bytes(from: map.fifoCount.first)
      let waiting = Int(count[0]) << 8 | Int(count[1])
      return FillLevel(
        waiting: waiting, isOverrun: waiting > fifoSize / driver.codes.frame.size - 3)
    }
  }

  /// Discards a sample taken while the sensors settled. The FIFO is emptied by steps of the start.
  public static func discardOldSamples(
    _ driver: inout ICM45686<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if !driver.acquires(.fifo) { _ = try readSample(&driver, into: &batch) }
  }

  public static func hasSample(_ driver: inout ICM45686<some ChipBus>) throws(ChipError) -> Bool {
    try status(&driver)({ $0.dataReady }) == true
  }

  /// Reads the status register of the pin in use, which clears the register.
  private static func status(
    _ driver: inout ICM45686<some ChipBus>
  ) throws(ChipError) -> Contents<ICM45686Map.IntSources> {
    let map = ICM45686Map()
    return try driver.bus.read(
      driver.codes.readout.interruptPin.number == 2 ? map.int2Status0 : map.int1Status0)
  }

  public static func readOutputs(
    _ driver: inout ICM45686<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    // Only a read of the status clears the flag. If the flag stayed set, the driver would mistake
    // it for the flag of the next sample.
    if driver.hasEdge { _ = try status(&driver) }
    try driver.readFrame(
      of: driver.codes.frame.size, from: ICM45686Map().accel.first, into: &batch)
  }

  /// Writes the format of a batch. If a packet has an unexpected header, all frames of the read are
  /// dropped.
  public static func describe(
    _ batch: inout RawBatch, of driver: borrowing ICM45686<some ChipBus>
  ) {
    let frame = driver.codes.frame
    driver.codes.describe(&batch, part: frame.rawValue)
    if driver.acquires(.fifo) { frame.check(&batch) }
  }

  public static func sleep(_ driver: inout ICM45686<some ChipBus>) throws(ChipError) {
    try driver.bus.set(ICM45686Map().power) { $0.gyro(.off) | $0.accel(.off) }
  }
}

/// Decodes the ICM-45686's frames to physical values.
public struct ICM45686Decoder: FrameDecoder {
  public typealias Codes = ICM45686Configuration

  private let packets: InvenSensePackets

  public init(_ batch: borrowing RawBatch) {
    let units = InertialUnits<Codes>(batch)
    // Packets with 20 bits always have the widest ranges, whatever range is selected (section 5;
    // Zephyr). The temperature has 128 counts per degree Celsius; the eight-bit temperature in a
    // packet has 2 (section 16.14; Zephyr).
    packets = InvenSensePackets(
      batch, gPerCount: units.gPerCount, radiansPerCount: units.radiansPerCount,
      fineRadiansPerCount: ICM45686Map.GyroFullScale.dps4000.radiansPerCount,
      countsPerKelvin: 128, packetCountsPerKelvin: 2)
  }

  /// Returns the physical values of a frame. A sensor for which the frame has no data is left out
  /// (INVALID_VALUE_FIFO in TDK's driver, FIFO_NO_DATA in Zephyr's). A temperature outside the
  /// sensor's range (table 4) is left out too.
  public func reading(_ batch: borrowing RawBatch, _ index: Int) -> ChipReading {
    var reading = packets.reading(batch, index)
    let counts = packets.temperatureCounts(batch, index)
    if reading.channels.contains(.temperature), !counted.contains(counts) {
      reading.reject(.temperature, counts == (packets.isShort ? -128 : -32768) ? .noData : .outside)
    }
    return reading
  }

  public static func limits(of channel: Channel, of part: ICM45686Part) -> ClosedRange<Scalar>? {
    channel == .temperature ? InvenSenseThermometer.limits : nil
  }

  /// The counts for -40 to 85 degrees Celsius. In the eight-bit temperature, -128, which would be
  /// -39 degrees, means "no data" (INVALID_VALUE_FIFO_1B in TDK's driver).
  private var counted: ClosedRange<Int> { packets.isShort ? -127...120 : -8320...7680 }
}
