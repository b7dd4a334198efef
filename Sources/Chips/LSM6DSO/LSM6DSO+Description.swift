// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The rows of the family. Which of those that say 0x6C a chip is nothing tells but the board.
public enum LSM6DSOPart: UInt8, CaseIterable, ChipPart {
  /// LSM6DSO, and the LSM6DSOX, which has a machine learning core besides.
  case lsm6dso
  case lsm6dso32
  case ism330dhcx

  public init?(identity: UInt8) {
    guard let part = Self.allCases.first(where: { $0.says(identity) }) else { return nil }
    self = part
  }

  public func says(_ identity: UInt8) -> Bool { identity == (self == .ism330dhcx ? 0x6B : 0x6C) }

  public static var expected: LSM6DSOPart { .lsm6dso }

  /// The factor between the accelerometer's full scale and its code's.
  @inline(__always)
  var accelFactor: Scalar { self == .lsm6dso32 ? 2 : 1 }

  /// Returns the full scale of the accelerometer that a code means, g. Four codes, of which the
  /// second is the widest.
  public func g(_ code: LSM6DSOMap.AccelFullScale) -> Scalar { code.g * accelFactor }

  /// The widest of the gyroscope's.
  var widestGyro: LSM6DSOMap.GyroFullScale { self == .ism330dhcx ? .dps4000 : .dps2000 }

  /// Counts per degree Celsius; 0 is 25 degrees.
  public static var countsPerDegree: Scalar { 256 }
}

/// Facts of the family without a part at hand: tables that driver, catalogue and tests read.
extension LSM6DSOChip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// IF_INC in CTRL3_C advances the address on both buses; no bit of the address does.
  public static var wireFormat: WireFormat { WireFormat() }

  /// Words that the queue holds: 3 KB and their tags.
  public static var queueWords: Int { 512 }

  /// A word of the queue: its tag, then three axes, low bytes first.
  public static var wordSize: Int { 7 }

  /// A burst of registers: temperature, gyroscope, accelerometer, low bytes first.
  public static var burstSize: Int { 14 }

  /// The same of the accelerometer alone.
  public static var accelSize: Int { 6 }

  /// The detections that this driver asks for: those that need none of its embedded functions.
  public static var detections: DetectionSet { LSM6DS3Functions.basic }

  public static func range(of channel: Channel, at index: Int) -> Scalar? {
    range(of: channel, at: index, part: .expected)
  }

  public static func range(of channel: Channel, at index: Int, of codes: LSM6DSOConfiguration)
    -> Scalar?
  { range(of: channel, at: index, part: codes.part) }

  public static func range(of channel: Channel, at index: Int, part: LSM6DSOPart) -> Scalar? {
    switch channel {
    case .acceleration: return LSM6DSOMap.AccelFullScale.size(at: index) { part.g($0) }
    case .rotationRate:
      let range = LSM6DSOMap.GyroFullScale.size(at: index) { $0.radiansPerSecond }
      return range.flatMap { $0 > part.widestGyro.radiansPerSecond ? nil : $0 }
    default: return nil
    }
  }

  /// Both sensors have 3333 and 6667 Hz too, which no I2C bus at 400 kHz carries.
  public static func rate(at index: Int) -> Scalar? { LSM6DS3Chip.rate(at: index) }

  /// Returns the delays of the filters: estimates from their widths, as ST publishes no delays. The
  /// gyroscope's is the last one, which follows the rate.
  public static func delays(of settings: SensorSettings, part: LSM6DSOPart) -> StreamDelays {
    var granted = settings
    let codes = LSM6DSOConfiguration(nearest: &granted, of: part, isSPI: false)
    return StreamDelays(
      rotationRate: codes.isAccelAlone
        ? 0 : StreamDelays.lowPass(bandwidth: codes.rate.hertz / 3),
      acceleration: StreamDelays.lowPass(bandwidth: granted.bandwidth ?? 0))
  }
}
