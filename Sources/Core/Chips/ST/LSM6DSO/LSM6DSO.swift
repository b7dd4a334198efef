// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the LSM6DSO, LSM6DSOX, LSM6DSO32 and ISM330DHCX, three-axis accelerometers and
/// gyroscopes with a FIFO. A tag in each FIFO word names the sensor.
///
/// The requested bandwidth applies to the accelerometer; the gyroscope's filter follows the rate.
/// The gyroscope is off in low power, and when only detections are requested.
public typealias LSM6DSO<Bus: ChipBus> = RegisterDriver<LSM6DSOChip, Bus>

/// The chip-specific parts of the driver.
public struct LSM6DSOChip: LSM6TaggedChip {
  public typealias Decoder = LSM6DSODecoder

  public var table = ConfigurationTable()
  public var temperature: InlineArray<2, UInt8> = [0, 0]
  public var sources = LSM6DS3Sources()

  public init() {}

  public enum Queue: LSM6TaggedQueue { public typealias Chip = LSM6DSOChip }

  public static var queueStatus: RO<WholeByte> { LSM6DS3Map().fifoStatus1 }
  public static var countHighMask: UInt8 { LSM6DSOMap().fifoStatus2.layout.diffFifo.mask }
  public static var hasTagParity: Bool { true }
  public static var detectionSources: RO<WholeByte> {
    RO<WholeByte>(LSM6DSOMap().wakeUpSrc.address)
  }
}

/// Decodes the family's frames to physical values.
public struct LSM6DSODecoder: FrameDecoder {
  public typealias Codes = LSM6DSOConfiguration

  private let frames: LSM6TaggedFrames

  public init(_ batch: borrowing RawBatch) {
    let units = InertialUnits<Codes>(batch)
    let part = LSM6DSOPart(rawValue: batch.part) ?? .expected
    frames = LSM6TaggedFrames(
      batch, gPerCount: units.gPerCount * part.accelFactor, radiansPerCount: units.radiansPerCount)
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    frames.reading(batch, frame)
  }

  public static func limits(of channel: Channel, of part: LSM6DSOPart) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}

extension LSM6DSOChip {
  public typealias SelfTest = LSM6SelfTest<LSM6DSOChip>

  /// Returns the values for the self-test. The waits are from ST's example for the family, the
  /// limits from DS12140 revision 2, table 2. The register code for 4 g means 8 g on the LSM6DSO32.
  public static func selfTestFacts(of part: LSM6DSOPart) -> LSM6SelfTestFacts {
    LSM6SelfTestFacts(
      wait: 100_000,
      gPerCount: LSM6DSOMap.AccelFullScale.g4.gPerCount * part.accelFactor, limits: 0.05...1.7)
  }
}
