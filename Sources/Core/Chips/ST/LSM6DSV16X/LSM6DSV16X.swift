// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the LSM6DSV16X and LSM6DSV: three-axis accelerometer and gyroscope with the FIFO
/// of the LSM6DSO.
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

  /// The size of the FIFO in words: 1.5 KB of data and the tags. ST's st_lsm6dsvx for Linux fills
  /// at most 208 of them, the same share as of the LSM6DSO's 512.
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

  /// Returns the values of the self-test. Waits, averages and limits are from ST's example for the
  /// part (lsm6dsv16x_self_test.c); DS12140 has the same limits for the LSM6DSO.
  public static func selfTestFacts(of part: SinglePart<0x70>) -> LSM6SelfTestFacts {
    LSM6SelfTestFacts(
      wait: 100_000, gPerCount: LSM6DSV16XMap.AccelFullScale.g4.gPerCount, limits: 0.05...1.7)
  }

  public static func selfTestTable(
    at step: LSM6SelfTest<LSM6DSV16XChip>.Step, of part: SinglePart<0x70>
  ) -> ConfigurationTable {
    let map = LSM6DSV16XMap()
    var table = ConfigurationTable()
    switch step {
    case .accelResting:
      table.add(map.ctrl3) { $0.bdu(true) | $0.ifInc(true) }
      table.add(map.ctrl10)
      table.add(map.ctrl2)
      table.add(map.ctrl8) { $0.fsXl(.g4) }
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

  /// Returns the filter delays, which are estimated from the bandwidths, because ST publishes no
  /// delays. The gyroscope's delay is that of its last filter, which follows the rate.
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
    frames = LSM6TaggedFrames(
      batch, gPerCount: units.gPerCount, radiansPerCount: units.radiansPerCount)
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    frames.reading(batch, frame)
  }

  public func invalidFrames(_ batch: borrowing RawBatch) -> Int { frames.invalidFrames(batch) }

  public static func limits(
    of channel: Channel, of part: SinglePart<0x70>
  ) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}
