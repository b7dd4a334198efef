// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Registers
public import Sensors

/// The families of parts. Two generations of parts share names but have conflicting register maps,
/// so the family is always selected by the identity read from the chip, never by the name.
public enum LSM6DS3Family: UInt8, CaseIterable, ChipPart {
  /// The family of the LSM6DS3, LSM6DS3H and LSM6DS33.
  case lsm6ds3 = 0x69
  /// The family of the LSM6DS3TR-C, LSM6DSL, LSM6DSM and ISM330DLC.
  case lsm6ds3trc = 0x6A

  public static var expected: LSM6DS3Family { .lsm6ds3trc }

  /// The size of the FIFO in 16-bit words: 4096 words (8 KB) or 2048 words (4 KB).
  public var queueWords: Int { self == .lsm6ds3 ? 4096 : 2048 }

  /// The mask of the word count's high bits in FIFO_STATUS2. The count is 0 when the FIFO is
  /// exactly full.
  public var countHighMask: UInt8 { self == .lsm6ds3 ? 0x0F : 0x07 }

  /// The thermometer's counts per degree Celsius; 0 counts correspond to 25 degrees.
  public var countsPerDegree: Scalar { self == .lsm6ds3 ? 16 : 256 }
}

/// Constants for the family that do not depend on a driver's state. The driver, the catalogue and
/// the tests use these constants.
extension LSM6DS3Chip {
  /// The size of a register burst in bytes: temperature, gyroscope, accelerometer, low byte first.
  public static var burstSize: Int { 14 }

  /// The size of a FIFO set in bytes: gyroscope, accelerometer, low byte first.
  public static var setSize: Int { 12 }

  /// The size in bytes of a FIFO set, or register burst, without the gyroscope.
  public static var accelSize: Int { 6 }

  /// The events that 0x69 and 0x6A parts can both detect.
  public static func detections(of codes: LSM6DS3Configuration) -> DetectionSet {
    LSM6Functions.all
  }

  /// Returns the output rates in Hz that both sensors have, because a frame contains both. 3330 and
  /// 6660 Hz are left out, because only the accelerometer has these rates.
  public static func rate(at index: Int, of codes: LSM6DS3Configuration) -> Scalar? {
    guard (0...7).contains(index) else { return nil }
    return LSM6DS3Map.OutputRate(rawValue: UInt8(8 - index))?.hertz
  }
}

/// Waiting times from the data sheets and Linux's st_lsm6dsx; numbers without a unit are
/// microseconds.
enum LSM6DS3Timing {
  /// The interval and the number of polls for the end of SW_RESET. A reset takes about 50 us. The
  /// polls end after 50 ms, the time for which Linux waits.
  static var reset: UInt32 { 1000 }
  static var resetPolls: UInt16 { 50 }
  /// The typical time from power-down to the first sample of a sensor.
  static var turnOn: UInt32 { 35_000 }
  /// The interval between polls for detections without an interrupt line.
  static var pollInterval: TimeSpan { .milliseconds(100) }
  /// The time within which a repeated report of a fall or motion counts as the same event: two and
  /// a half polls.
  static var pause: TimeSpan { .milliseconds(250) }
  /// The interval between polls for detections with an interrupt line.
  static var silence: TimeSpan { .seconds(1) }
}

extension LSM6DS3Map.OutputRate {
  /// The number of samples until the gyroscope, which is the slower sensor, has settled. Up to 416
  /// Hz the numbers are from Linux. Linux lacks the two faster rates; at these rates the settling
  /// takes the same time as at 416 Hz.
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
  /// Returns the filter delays of `family` for `settings`. The delays are estimated from the
  /// filters' bandwidths, because ST publishes delays only for the gyroscope with its first
  /// low-pass filter.
  public static func delays(of settings: SensorSettings, family: LSM6DS3Family) -> StreamDelays {
    var granted = settings
    let configuration = LSM6DS3Configuration(nearest: &granted, of: family, isSPI: false)
    // In low power the filters are off.
    let isLowPower = settings.power == .low
    let filters = configuration.filters
    let gyro = filters.gyroLowPass?.hertz(at: configuration.rate)
    return StreamDelays(
      rotationRate: configuration.isAccelAlone
        ? 0 : StreamDelays.lowPass(bandwidth: gyro ?? configuration.rate.hertz / 3),
      acceleration: isLowPower ? 0 : StreamDelays.lowPass(bandwidth: granted.bandwidth ?? 0))
  }
}
