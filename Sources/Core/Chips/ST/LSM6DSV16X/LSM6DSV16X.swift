// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the LSM6DSV16X, LSM6DSV and LSM6DSV32X, three-axis accelerometers and gyroscopes
/// with the FIFO of the LSM6DSO. The driver determines the part from the chip, whatever part is
/// expected.
///
/// The requested bandwidth applies to the accelerometer; the gyroscope's filter follows the rate.
/// The gyroscope is off in low power, and when only detections are requested.
public typealias LSM6DSV16X<Bus: ChipBus> = RegisterDriver<LSM6DSV16XChip, Bus>

/// The chip-specific parts of the driver.
public struct LSM6DSV16XChip: LSM6TaggedChip {
  public typealias Decoder = LSM6DSV16XDecoder
  public typealias SelfTest = LSM6SelfTest<LSM6DSV16XChip>

  public var table = ConfigurationTable()
  public var temperature: InlineArray<2, UInt8> = [0, 0]
  public var sources = LSM6DS3Sources()

  public init() {}

  public enum Queue: LSM6TaggedQueue { public typealias Chip = LSM6DSV16XChip }

  /// The size of the FIFO in words. The words hold 1.5 KB of data and the tags. ST's Linux driver
  /// st_lsm6dsvx fills at most 208 words, the same share as of the 512 words in the LSM6DSO.
  public static var queueWords: Int { 256 }

  public static var queueStatus: RO<WholeByte> { LSM6DSV16XMap().fifoStatus1 }
  public static var countHighMask: UInt8 { LSM6DSV16XMap().fifoStatus2.layout.diffFifo.mask }
  public static var hasTagParity: Bool { false }
  public static var detectionSources: RO<WholeByte> {
    RO<WholeByte>(LSM6DSV16XMap().wakeUpSrc.address)
  }

  /// Returns the output rates in Hz. Both sensors also have 3840 and 7680 Hz, which are too fast
  /// for an I2C bus at 400 kHz.
  public static func rate(at index: Int, of codes: LSM6DSV16XConfiguration) -> Scalar? {
    guard (0...8).contains(index) else { return nil }
    return LSM6DSV16XMap.OutputRate(rawValue: UInt8(10 - index))?.hertz
  }

  /// Returns the values for the self-test. The waits, averages and limits are from ST's example for
  /// the part (lsm6dsv16x_self_test.c); DS12140 has the same limits for the LSM6DSO.
  public static func selfTestFacts(of part: LSM6DSV16XPart) -> LSM6SelfTestFacts {
    LSM6SelfTestFacts(
      wait: 100_000, gPerCount: LSM6DSV16XMap.AccelFullScale.g4.gPerCount * part.accelFactor,
      limits: 0.05...1.7)
  }

  public static func selfTestTable(
    at step: LSM6SelfTest<LSM6DSV16XChip>.Step, of part: LSM6DSV16XPart
  ) -> ConfigurationTable {
    let map = LSM6DSV16XMap()
    var table = ConfigurationTable()
    switch step {
    case .accelResting:
      table.add(map.ctrl3) { $0.bdu(true) | $0.ifInc(true) }
      table.add(map.ctrl10)
      table.add(map.ctrl2)
      table.add(map.ctrl8) { $0.isWide(part == .lsm6dsv32x) | $0.fsXl(.g4) }
      table.add(map.ctrl1) { $0.odrXl(.hz60) }
    case .accelStimulated: table.add(map.ctrl10) { $0.stXl(.positive) }
    case .gyroResting:
      table.add(map.ctrl10)
      table.add(map.ctrl1)
      table.add(map.ctrl6) { $0.fsG(.dps2000) }
      table.add(map.ctrl2) { $0.odrG(.hz240) }
    case .gyroStimulated: table.add(map.ctrl10) { $0.stG(.positive) }
    case .reset, .resetOver: break
    }
    return table
  }

  /// Determines the part from bit 2 of CTRL8, and then makes the part's configuration table. After
  /// a reset, this bit is set only on the LSM6DSV32X, and it must be kept (ArduPilot pull request
  /// 33293, Betaflight pull request 15659).
  public static func prepareTable(
    _ driver: inout RegisterDriver<Self, some ChipBus>
  ) throws(ChipError) {
    let isWide = try driver.bus.read(LSM6DSV16XMap().ctrl8)({ $0.isWide }) == true
    try driver.take(isWide ? .lsm6dsv32x : .lsm6dsv16x)
    driver.chip.table = driver.codes.rows
  }

  /// The events that the part can detect. The LSM6DSV32X offers none, because no public document
  /// says what its thresholds mean.
  public static func detections(of codes: LSM6DSV16XConfiguration) -> DetectionSet {
    codes.part == .lsm6dsv32x ? [] : LSM6Functions.basic
  }

  public static func range(of channel: Channel, at index: Int, of codes: LSM6DSV16XConfiguration)
    -> Scalar?
  {
    switch channel {
    case .acceleration: LSM6DSV16XMap.AccelFullScale.size(at: index) { codes.part.g($0) }
    case .rotationRate: LSM6DSV16XMap.GyroFullScale.size(at: index) { $0.radiansPerSecond }
    default: nil
    }
  }

  /// Returns the filter delays. The delays are estimated from the bandwidths, because ST publishes
  /// no delays. The gyroscope's delay is the delay of its last filter, which follows the rate.
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var granted = settings
    let codes = LSM6DSV16XConfiguration(nearest: &granted, of: .expected, isSPI: false)
    return StreamDelays(
      rotationRate: codes.isAccelAlone ? 0 : StreamDelays.lowPass(bandwidth: codes.rate.hertz / 3),
      acceleration: StreamDelays.lowPass(bandwidth: granted.bandwidth ?? 0))
  }
}

/// Decodes the chip's frames to physical values.
public struct LSM6DSV16XDecoder: FrameDecoder {
  public typealias Codes = LSM6DSV16XConfiguration

  private let frames: LSM6TaggedFrames

  public init(_ batch: borrowing RawBatch) {
    let units = InertialUnits<Codes>(batch)
    let part = LSM6DSV16XPart(rawValue: batch.part) ?? .expected
    frames = LSM6TaggedFrames(
      batch, gPerCount: units.gPerCount * part.accelFactor, radiansPerCount: units.radiansPerCount)
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    frames.reading(batch, frame)
  }

  public static func limits(
    of channel: Channel, of part: LSM6DSV16XPart
  ) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}
