// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the LSM9DS1's accelerometer and gyroscope, which share a FIFO. The LSM9DS1's
/// magnetometer has a separate driver, the driver of the LIS3MDL's family.
///
/// The requested bandwidth applies to the accelerometer; the gyroscope's filter follows the rate.
/// In low power the gyroscope is off.
public typealias LSM9DS1<Bus: ChipBus> = RegisterDriver<LSM9DS1Chip, Bus>

/// The chip-specific parts of the driver.
public struct LSM9DS1Chip: TabledChip {
  public typealias Decoder = LSM9DS1Decoder

  public var table = ConfigurationTable()
  public var temperature: InlineArray<2, UInt8> = [0, 0]

  public init() {}

  public static func channels(of codes: LSM9DS1Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.isAccelAlone ? .acceleration : channels }

  public enum StartStep: UInt8, ChipStep { case identity, reset, resetOver, configuration }

  public static func start(
    _ driver: inout LSM9DS1<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    switch step {
    case .identity: return .identify(by: LSM9DS1Map().whoAmI)
    case .reset: return reset
    case .resetOver: return hasReset
    case .configuration:
      driver.chip.table = driver.codes.rows
      return .configure(wait: driver.codes.settling)
    }
  }

  /// The step that resets the chip. The reset bit must not be set together with the bit BOOT.
  static var reset: StepAction {
    .write(LSM9DS1Map().ctrlReg8, wait: LSM6DS3Timing.reset) {
      $0.swReset(true) | $0.ifAddInc(true)
    }
  }

  static var hasReset: StepAction {
    .poll(
      LSM9DS1Map().ctrlReg8, each: LSM6DS3Timing.reset, times: LSM6DS3Timing.resetPolls
    ) { $0.swReset(false) }
  }

  public enum Queue: WatermarkQueue {
    /// Returns the address of the register from which the FIFO is read. If only the accelerometer
    /// runs, this is the accelerometer's output register.
    public static func port(of driver: borrowing LSM9DS1<some ChipBus>) -> UInt8 {
      driver.codes.isAccelAlone ? LSM9DS1Map().outXl.address : LSM9DS1Map().outG.address
    }

    public static func frameSize(of driver: borrowing LSM9DS1<some ChipBus>) -> Int {
      driver.codes.isAccelAlone ? accelFrameSize : queueFrameSize
    }

    /// After an interrupted read the FIFO must be emptied, because the position in a sample is
    /// unknown.
    public static var losesAlignment: Bool { true }

    /// Reads the FIFO's fill level. A margin of two samples covers samples that arrive between the
    /// read of the count and the read of the samples; otherwise the chip could drop the oldest
    /// sample undetected.
    public static func readFillLevel(
      _ driver: inout LSM9DS1<some ChipBus>
    ) throws(ChipError) -> FillLevel {
      let source = try driver.bus.read(LSM9DS1Map().fifoSrc)
      let waiting = Int(source { $0.fss } ?? 0)
      return FillLevel(
        waiting: waiting, isOverrun: source { $0.ovrn } == true || waiting > queueSamples - 2)
    }
  }

  public static var temperatureOutput: RO<WholeByte> { LSM9DS1Map().outTemp.first }

  public static func describe(_ batch: inout RawBatch, of driver: borrowing LSM9DS1<some ChipBus>) {
    driver.codes.describe(&batch)
    batch.setTemperature(high: driver.chip.temperature[1], low: driver.chip.temperature[0])
  }

  public static func hasSample(_ driver: inout LSM9DS1<some ChipBus>) throws(ChipError) -> Bool {
    let status = try driver.bus.read(LSM9DS1Map().statusReg)
    return (driver.codes.isAccelAlone ? status { $0.xlda } : status { $0.gda }) == true
  }

  /// Reads temperature, status, gyroscope and accelerometer in one transaction, or only the
  /// accelerometer and its status.
  public static func readOutputs(
    _ driver: inout LSM9DS1<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    let map = LSM9DS1Map()
    if driver.codes.isAccelAlone, !driver.isTesting {
      try driver.readFrame(of: accelBurstSize, from: map.statusRegXl, into: &batch)
    } else {
      try driver.readFrame(of: burstSize, from: map.outTemp.first, into: &batch)
    }
  }

  public static func sleep(_ driver: inout LSM9DS1<some ChipBus>) throws(ChipError) {
    try driver.bus.set(LSM9DS1Map().ctrlReg1G) { _ in .nothing }
    try driver.bus.set(LSM9DS1Map().ctrlReg6Xl) { _ in .nothing }
  }
}

/// Decodes the frames of the LSM9DS1's accelerometer and gyroscope to physical values. The size of
/// a frame determines its contents.
///
/// The axes of these two sensors are left-handed (data sheet, figure 1). Their x is opposite to the
/// magnetometer's x, their y and z point along the magnetometer's y and z, and rotations are
/// opposite to the arrows of the axes. The decoder returns values in the magnetometer's axes, which
/// are right-handed, so x changes its sign.
public struct LSM9DS1Decoder: FrameDecoder {
  public typealias Codes = LSM9DS1Configuration

  private let gPerCount: Scalar
  private let radiansPerCount: Scalar

  public init(_ batch: borrowing RawBatch) {
    gPerCount = LSM9DS1Chip.gPerCount(LSM6DS3Map.AccelFullScale(rawValue: batch.format[0]) ?? .g16)
    radiansPerCount = InertialUnits<Codes>(batch).radiansPerCount
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .acceleration)
    // The accelerometer is the last part of every kind of frame.
    reading.specificForce = vector(batch, frame, batch.frameSize - 6) * gPerCount
    guard batch.frameSize > LSM9DS1Chip.accelBurstSize else { return reading }
    reading.channels = LSM9DS1Chip.channels
    reading.rotationRate = vector(batch, frame, batch.frameSize - 12) * radiansPerCount
    let counts =
      batch.frameSize == LSM9DS1Chip.burstSize
      ? batch.littleEndian(frame, 0) : batch.separateTemperature
    reading.temperature = 25 + Scalar(Int(counts)) / LSM9DS1Chip.countsPerDegree
    if let fault = batch.uniformity(frame, batch.frameSize - 12, 12) {
      reading.reject(reading.channels, fault)
    }
    InertialThermometer.check(&reading)
    return reading
  }

  public static func limits(of channel: Channel, of part: LSM9DS1Part) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }

  private func vector(_ batch: borrowing RawBatch, _ frame: Int, _ offset: Int) -> Vector3 {
    var counts = batch.littleEndianVector(frame, offset)
    counts.x = -counts.x
    return counts
  }
}

extension LSM9DS1Chip {
  /// ST's self-test, which compares each sensor's output with and without a stimulus. Rates, ranges
  /// and limits are from ST's example for this part. Waits are in microseconds.
  public enum SelfTest: ChipSelfTest {
    /// The steps of the self-test. The last two reset the chip, which turns the stimulus and the
    /// sensors off.
    public enum Step: UInt8, ChipStep { case resting, stimulated, reset, resetOver }

    private static var averaged: UInt16 { 5 }

    public static func action(
      _ driver: inout LSM9DS1<some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      let map = LSM9DS1Map()
      var rows = ConfigurationTable()
      switch step {
      case .resting:
        rows.add(map.ctrlReg8) { $0.bdu(true) | $0.ifAddInc(true) }
        rows.add(map.ctrlReg6Xl) { $0.odrXl(.hz119) | $0.fsXl(.g2) }
        rows.add(map.ctrlReg1G) { $0.odrG(.hz119) | $0.fsG(.dps2000) }
      case .stimulated: rows.add(map.ctrlReg10) { $0.stXl(true) | $0.stG(true) }
      case .reset: return reset
      case .resetOver: return hasReset
      }
      try driver.bus.configure { rows[$0] }
      // A stage reads one sample more than is averaged, because its first sample is dropped. The
      // polling interval is a quarter of a period.
      return .collect(averaged + 1, wait: 200_000, each: 2100)
    }

    public static func read(
      _ driver: inout LSM9DS1<some ChipBus>, at step: Step, into batch: inout RawBatch
    ) throws(ChipError) {
      let status = try driver.bus.read(LSM9DS1Map().statusReg)
      guard status({ $0.gda }) == true, status({ $0.xlda }) == true else {
        // Six samples take 24 polls, so this limit is sufficient even if the chip is half as fast.
        guard driver.testProgress.isHopeless(after: 49) else { return }
        throw .unexpected(register: LSM9DS1Map().statusReg.address, wanted: 0x03, found: status.raw)
      }
      try readOutputs(&driver, into: &batch)
      guard driver.testProgress.take() else { return }
      let stage = step == .resting ? 0 : 1
      driver.testProgress.sums[stage] += batch.littleEndianVector(0, 9)
      driver.testProgress.sums[stage + 2] += batch.littleEndianVector(0, 3)
    }

    /// Returns the results of the self-test. The limits for the magnitudes are 70 to 1500 mg and
    /// 200 to 800 degrees per second.
    public static func report(of driver: borrowing LSM9DS1<some ChipBus>) -> SelfTestReport {
      let sums = driver.testProgress.sums
      var report = SelfTestReport()
      let unit = LSM9DS1Map.GyroFullScale.dps2000.radiansPerCount
      report.append(
        .acceleration, change: (sums[1] - sums[0]) * (gPerCount(.g2) / Scalar(averaged)),
        within: 0.07...1.5)
      report.append(
        .rotationRate, change: (sums[3] - sums[2]) * (unit / Scalar(averaged)),
        within: radians(fromDegrees: 200)...radians(fromDegrees: 800))
      return report
    }
  }
}
