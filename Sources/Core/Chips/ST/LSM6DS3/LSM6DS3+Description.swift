// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Registers
public import Sensors

/// The rows of the family. Two generations of parts share a name and their register maps conflict:
/// the identity read from the chip selects the row, never the name.
public enum LSM6DS3Family: UInt8, CaseIterable, ChipPart {
  /// LSM6DS3, LSM6DS3H, LSM6DS33.
  case lsm6ds3 = 0x69
  /// LSM6DS3TR-C, LSM6DSL, LSM6DSM, ISM330DLC.
  case lsm6ds3trc = 0x6A

  public static var expected: LSM6DS3Family { .lsm6ds3trc }

  /// The size of the FIFO in 16-bit words: 8 and 4 KB.
  public var queueWords: Int { self == .lsm6ds3 ? 4096 : 2048 }

  /// The bits of the word count in FIFO_STATUS2, which read 0 when the FIFO is exactly full.
  public var countHighMask: UInt8 { self == .lsm6ds3 ? 0x0F : 0x07 }

  /// Counts per degree Celsius; 0 is 25 degrees.
  public var countsPerDegree: Scalar { self == .lsm6ds3 ? 16 : 256 }
}

/// Facts about the family that are known without a chip: tables for driver, catalogue and tests.
extension LSM6DS3Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// Bytes of a register burst: temperature, gyroscope, accelerometer, low byte first.
  public static var burstSize: Int { 14 }

  /// Bytes of a FIFO set: gyroscope, accelerometer, low byte first.
  public static var setSize: Int { 12 }

  /// Bytes of a FIFO set, or register burst, with the accelerometer only.
  public static var accelSize: Int { 6 }

  /// The events that both parts can detect.
  public static var detections: DetectionSet { LSM6Functions.all }

  /// Returns the rates that both sensors have, since a frame holds both: 3330 and 6660 Hz, which
  /// only the accelerometer has, are left out.
  public static func rate(at index: Int) -> Scalar? {
    guard (0...7).contains(index) else { return nil }
    return LSM6DS3Map.OutputRate(rawValue: UInt8(8 - index))?.hertz
  }
}

/// Timing, from the data sheets and Linux's st_lsm6dsx; numbers are microseconds.
enum LSM6DS3Timing {
  /// SW_RESET takes about 50 us; Linux waits for 50 ms, which limits the polls.
  static var reset: UInt32 { 1000 }
  static var resetPolls: UInt16 { 50 }
  /// From power-down to the first sample (typical).
  static var turnOn: UInt32 { 35_000 }
  /// The polling interval of detection sources without an interrupt line.
  static var look: TimeSpan { .milliseconds(100) }
  /// A fall or motion that is reported again within this time continues: two and a half polls.
  static var pause: TimeSpan { .milliseconds(250) }
  /// The polling interval of detection sources with an interrupt line.
  static var silence: TimeSpan { .seconds(1) }
}

extension LSM6DS3Map.OutputRate {
  /// The number of samples that the gyroscope, the slower sensor, needs to settle: Linux's values
  /// up to 416 Hz, and for the two rates that Linux lacks the same time as at 416 Hz.
  var settlingSamples: UInt32 {
    switch self {
    case .off: 0
    case .hz12: 2
    case .hz26: 5
    case .hz52: 7
    case .hz104: 12
    case .hz208: 20
    case .hz416: 36
    case .hz833: 72
    case .hz1660, .hz3330, .hz6660: 144
    }
  }
}

extension LSM6DS3Chip {
  /// Returns the filter delays of `family` with `settings`: estimates from the filters' bandwidths,
  /// as ST publishes no delays for the accelerometer, nor for the gyroscope without its first
  /// low-pass.
  public static func delays(of settings: SensorSettings, family: LSM6DS3Family) -> StreamDelays {
    var granted = settings
    let configuration = LSM6DS3Configuration(nearest: &granted, of: family, isSPI: false)
    // Low power has no filters.
    let isLowPower = settings.power == .low
    let filters = configuration.filters
    let gyro = filters.gyroLowPass?.hertz(at: configuration.rate)
    return StreamDelays(
      rotationRate: configuration.isAccelAlone
        ? 0 : StreamDelays.lowPass(bandwidth: gyro ?? configuration.rate.hertz / 3),
      acceleration: isLowPower ? 0 : StreamDelays.lowPass(bandwidth: granted.bandwidth ?? 0))
  }
}
