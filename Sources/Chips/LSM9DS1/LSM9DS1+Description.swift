// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The one part of its family. The LSM6DS0 has the same registers.
public enum LSM9DS1Part: UInt8, ChipPart {
  case lsm9ds1 = 0x68

  public static var expected: LSM9DS1Part { .lsm9ds1 }
}

/// Facts of the LSM9DS1's accelerometer and gyroscope without one at hand.
extension LSM9DS1Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// IF_ADD_INC in CTRL_REG8 advances the address on both buses; no bit of the address does.
  public static var wireFormat: WireFormat { WireFormat() }

  /// Samples of both sensors that the queue holds.
  public static var queueSamples: Int { 32 }

  /// A sample of the queue: gyroscope, accelerometer, low bytes first. A burst goes on from the
  /// last byte of the one with the first of the other, and begins again (section 3.4).
  public static var queueFrameSize: Int { 12 }

  /// The same of the accelerometer alone, whose bursts stay in it.
  public static var accelFrameSize: Int { 6 }

  /// A burst of registers: temperature, status, gyroscope, accelerometer.
  public static var burstSize: Int { 15 }

  /// The same of the accelerometer alone: its status and itself.
  public static var accelBurstSize: Int { 7 }

  /// Counts per degree Celsius; 0 is 25 degrees.
  public static var countsPerDegree: Scalar { 16 }

  /// Returns typical g per count. At 16 g the converter reaches to 24.
  public static func gPerCount(_ code: LSM6DS3Map.AccelFullScale) -> Scalar {
    code == .g16 ? 0.000732 : code.gPerCount
  }

  public static func range(of channel: Channel, at index: Int) -> Scalar? {
    switch channel {
    case .acceleration: LSM6DS3Map.AccelFullScale.size(at: index) { $0.g }
    case .rotationRate: LSM9DS1Map.GyroFullScale.size(at: index) { $0.radiansPerSecond }
    default: nil
    }
  }

  public static func rate(at index: Int) -> Scalar? { rate(at: index, isAccelAlone: false) }

  public static func rate(at index: Int, of codes: LSM9DS1Configuration) -> Scalar? {
    rate(at: index, isAccelAlone: codes.isAccelAlone)
  }

  private static func rate(at index: Int, isAccelAlone: Bool) -> Scalar? {
    guard (0...5).contains(index) else { return nil }
    return LSM9DS1Map.OutputRate(rawValue: UInt8(6 - index))?.hertz(isAccelAlone: isAccelAlone)
  }

  /// Returns the delays of the filters: estimates from their widths. The gyroscope's first low-pass
  /// is a third of the rate wide, and 100 Hz at most (table 45).
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var granted = settings
    let codes = LSM9DS1Configuration(nearest: &granted, of: .expected, isSPI: false)
    return StreamDelays(
      rotationRate: codes.isAccelAlone
        ? 0 : StreamDelays.lowPass(bandwidth: min(codes.hertz * 0.32, 100)),
      acceleration: StreamDelays.lowPass(bandwidth: granted.bandwidth ?? 0))
  }
}
