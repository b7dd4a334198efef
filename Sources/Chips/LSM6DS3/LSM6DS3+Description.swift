// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Registers
public import Sensors

/// Two generations of parts are sold under one name and their register maps collide: the identity
/// that is read from the chip selects the row, never the name.
public enum LSM6DS3Family: UInt8, CaseIterable, ChipPart {
  /// LSM6DS3, LSM6DS3H, LSM6DS33.
  case lsm6ds3 = 0x69
  /// LSM6DS3TR-C, LSM6DSL, LSM6DSM, ISM330DLC.
  case lsm6ds3trc = 0x6A

  public static var expected: LSM6DS3Family { .lsm6ds3trc }

  /// 16-bit words that the queue holds: 8 and 4 KB.
  public var queueWords: Int { self == .lsm6ds3 ? 4096 : 2048 }

  /// Bits of the word count in FIFO_STATUS2; a queue that is exactly full counts 0 in them.
  public var countHighMask: UInt8 { self == .lsm6ds3 ? 0x0F : 0x07 }

  /// Counts per degree Celsius; 0 is 25 degrees.
  public var countsPerDegree: Scalar { self == .lsm6ds3 ? 16 : 256 }
}

/// The properties of the family that are known without a part: tables that driver, catalogue and
/// tests read.
extension LSM6DS3Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// A burst of registers: temperature, gyroscope, accelerometer, low bytes first.
  public static var burstSize: Int { 14 }

  /// A set of the queue: gyroscope, accelerometer, low bytes first.
  public static var setSize: Int { 12 }

  /// A set of the queue, or a burst of registers, of the accelerometer alone.
  public static var accelSize: Int { 6 }

  /// The events that both parts detect by themselves.
  public static var detections: DetectionSet { LSM6DS3Functions.all }

  /// Those that both sensors have. 3330 and 6660 Hz are the accelerometer's alone, and a frame
  /// holds both.
  public static func rate(at index: Int) -> Scalar? {
    guard (0...7).contains(index) else { return nil }
    return LSM6DS3Map.OutputRate(rawValue: UInt8(8 - index))?.hertz
  }
}

/// Waits, from the data sheets and Linux' st_lsm6dsx; numbers are microseconds.
enum LSM6DS3Timing {
  /// SW_RESET takes about 50 us; Linux waits 50 ms, which bounds the looks.
  static var reset: UInt32 { 1000 }
  static var resetPolls: UInt16 { 50 }
  /// From power-down to the first sample (typical).
  static var turnOn: UInt32 { 35_000 }
  /// The sources of detections are read this often where no line tells of them.
  static var look: TimeSpan { .milliseconds(100) }
  /// A fall or motion that is seen again within this time goes on: two looks and a half.
  static var pause: TimeSpan { .milliseconds(250) }
  /// The sources are read this often where a line tells of them.
  static var silence: TimeSpan { .seconds(1) }
}

extension LSM6DS3Map.OutputRate {
  /// Samples that the gyroscope, the slower of the two, spends settling: Linux' figures to 416 Hz,
  /// and for the two rates that it lacks as many as take as long as at 416 Hz.
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
  /// Returns the delays of the filters of `family` as it runs with `settings`: estimates from the
  /// widths of its filters, as ST publishes no delays for the accelerometer, and none of the
  /// gyroscope without its first low-pass.
  public static func delays(of settings: SensorSettings, family: LSM6DS3Family) -> StreamDelays {
    var granted = settings
    let configuration = LSM6DS3Configuration(nearest: &granted, of: family, isSPI: false)
    // Low power works without filters.
    let isLowPower = settings.power == .low
    let filters = configuration.filters
    let gyro = filters.gyroLowPass?.hertz(at: configuration.rate)
    return StreamDelays(
      rotationRate: configuration.isAccelAlone
        ? 0 : StreamDelays.lowPass(bandwidth: gyro ?? configuration.rate.hertz / 3),
      acceleration: isLowPower ? 0 : StreamDelays.lowPass(bandwidth: granted.bandwidth ?? 0))
  }
}
