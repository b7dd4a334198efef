// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
internal import Sensors

// Register codes of the filters, self-tests and embedded functions, named as in ST's lsm6ds3-pid
// and lsm6ds3tr-c-pid.
extension LSM6DS3Map {
  /// The bandwidth of the analogue filter before the accelerometer's converter, on 0x69 parts.
  public enum AntiAlias: UInt8, FieldValue, CaseIterable { case hz400 = 0, hz200, hz100, hz50 }

  /// The bandwidth of the accelerometer's second low-pass filter, as a fraction of the output rate.
  /// The codes are not in ascending order of bandwidth.
  public enum LowPass: UInt8, FieldValue, CaseIterable {
    case rateBy50 = 0, rateBy100, rateBy9, rateBy400
  }

  /// The force that the accelerometer's self-test adds.
  public enum AccelStimulus: UInt8, FieldValue, CaseIterable { case off = 0, positive, negative }

  /// The rotation that the gyroscope's self-test adds.
  public enum GyroStimulus: UInt8, FieldValue, CaseIterable {
    case off = 0, positive
    case negative = 3
  }

  /// The angle between two sides at which the orientation detection changes from one side to the
  /// other.
  public enum TurnAngle: UInt8, FieldValue, CaseIterable {
    case degrees80 = 0, degrees70, degrees60, degrees50
  }

  /// The free-fall threshold: the acceleration on every axis must be below this threshold.
  public enum FreeFallThreshold: UInt8, FieldValue, CaseIterable {
    case mg156 = 0, mg219, mg250, mg312, mg344, mg406, mg469, mg500
  }
}

extension LSM6DS3TRCMap {
  /// The bandwidth of the gyroscope's first low-pass filter, which is available at the gyroscope's
  /// two fastest rates.
  public enum GyroLowPass: UInt8, FieldValue, CaseIterable {
    case strong = 0, normal, light, aggressive
  }

  /// The effect of inactivity on the gyroscope. With every code the accelerometer changes to 12.5
  /// Hz.
  public enum Inactivity: UInt8, FieldValue, CaseIterable {
    case off = 0, gyroAsBefore, gyroSleeps, gyroPoweredDown
  }
}

extension LSM6DS3Map.AntiAlias { public var hertz: Scalar { Scalar(400 >> Int(rawValue)) } }

extension LSM6DS3Map.LowPass {
  /// The ratio of the output rate to the filter's bandwidth.
  public var divisor: Scalar {
    switch self {
    case .rateBy9: 9
    case .rateBy50: 50
    case .rateBy100: 100
    case .rateBy400: 400
    }
  }
}

extension LSM6DS3Map.TurnAngle { public var degrees: Scalar { 80 - 10 * Scalar(rawValue) } }

extension LSM6DS3Map.FreeFallThreshold {
  public var g: Scalar {
    let g: InlineArray<8, Scalar> = [0.156, 0.219, 0.250, 0.312, 0.344, 0.406, 0.469, 0.500]
    return g[Int(rawValue)]
  }
}

extension LSM6DS3TRCMap.GyroLowPass {
  /// Returns the bandwidth in Hz at an output rate of 833 or 1660 Hz. The only source is the
  /// LSM6DS3TR-C data sheet, revision 3, table 68. ST's names for the same filter at 6.66 kHz, 173
  /// to 937 Hz, are in the same order.
  public func hertz(at rate: LSM6DS3Map.OutputRate) -> Scalar? {
    switch (self, rate) {
    case (.aggressive, .hz833): 293
    case (.strong, .hz833): 245
    case (.normal, .hz833): 195
    case (.light, .hz833): 155
    case (.aggressive, .hz1660): 505
    case (.strong, .hz1660): 315
    case (.normal, .hz1660): 224
    case (.light, .hz1660): 168
    default: nil
    }
  }
}

/// The thresholds and durations of the embedded functions, in register units. These codes are the
/// same on 0x69 and 0x6A parts (ST's lsm6ds3-pid and lsm6ds3tr-c-pid; AN4650 and AN5130, section
/// 5).
struct LSM6Functions: Equatable, Sendable {
  /// The events that 0x69 and 0x6A parts can both detect. Neither kind of part can detect a flat
  /// position.
  static var all: DetectionSet {
    [
      .step, .singleTap, .doubleTap, .freeFall, .tilt, .motion, .noMotion, .significantMotion,
      .orientation,
    ]
  }

  /// The basic functions, which are reported in WAKE_UP_SRC, TAP_SRC and D6D_SRC.
  static var basic: DetectionSet {
    [.singleTap, .doubleTap, .freeFall, .motion, .noMotion, .orientation]
  }

  /// The embedded functions that are reported in FUNC_SRC.
  static var advanced: DetectionSet { [.step, .tilt, .significantMotion] }

  static var none: LSM6Functions { LSM6Functions() }

  private init() {}

  var kinds: DetectionSet = []
  /// The motion threshold in 64ths of full scale, compared with half of the change between two
  /// samples.
  var wakeThreshold: UInt8 = 0
  /// The duration of a motion before it is reported, in sample periods.
  var wakeDuration: UInt8 = 0
  /// The time without motion before the chip is inactive, in units of 512 sample periods; 0 means
  /// 16 periods.
  var sleepDuration: UInt8 = 0
  /// The tap threshold in 32nds of full scale, compared with half of the change between two
  /// samples.
  var tapThreshold: UInt8 = 0
  /// The longest time that a tap may stay above its threshold, in units of 8 sample periods; 0
  /// means 4 periods.
  var shock: UInt8 = 0
  /// The quiet time after a tap, in units of 4 sample periods; 0 means 2 periods.
  var quiet: UInt8 = 0
  /// The longest time between the two taps of a double tap, in units of 32 sample periods; 0 means
  /// 16 periods.
  var gap: UInt8 = 0
  var freeFallThreshold = LSM6DS3Map.FreeFallThreshold.mg156
  /// The duration of a free fall before it is reported, in sample periods.
  var freeFallDuration: UInt8 = 0

  /// Creates the functions nearest to `wanted` at a full scale of `range` g and `rate` samples per
  /// second, and sets `wanted` to the values that the register codes represent.
  ///
  /// - Parameter allowsInactivity: False if samples are streamed, because inactivity slows the
  ///   accelerometer down.
  /// - Parameter allowsSignificantMotion: False if a sample stream uses INT1, because significant
  ///   motion is latched only if it is routed to INT1.
  init(
    _ wanted: inout DetectionSettings, range: Scalar, rate: Scalar, allowsInactivity: Bool,
    allowsSignificantMotion: Bool
  ) {
    kinds = wanted.kinds.intersection(Self.all)
    if !allowsInactivity { kinds.remove(.noMotion) }
    if !allowsSignificantMotion { kinds.remove(.significantMotion) }
    wanted.kinds = kinds

    // The slope filter returns half of the change: (a(n) - a(n-1)) / 2 (AN5130, pages 15, 36 and
    // 41).
    wakeThreshold = Self.steps(wanted.motionThreshold / 2, range / 64, 1...63)
    wanted.motionThreshold = Scalar(wakeThreshold) * range / 32
    wakeDuration = Self.steps(wanted.motionDuration.seconds, 1 / rate, 0...3)
    wanted.motionDuration = TimeSpan(seconds: Scalar(wakeDuration) / rate)

    let still = wanted.stillDuration.seconds * rate
    sleepDuration = still < (16 + 512) / 2 ? 0 : Self.steps(still, 512, 1...15)
    wanted.stillDuration = TimeSpan(
      seconds: (sleepDuration == 0 ? 16 : Scalar(sleepDuration) * 512) / rate)

    tapThreshold = Self.steps(wanted.tapThreshold / 2, range / 32, 1...31)
    wanted.tapThreshold = Scalar(tapThreshold) * range / 16
    // The times for taps are from ST's example for a double tap, INT_DUR2 0x7F at 416 Hz (AN5130,
    // page 46).
    shock = Self.steps(0.0577 * rate, 8, 0...3)
    quiet = Self.steps(0.0288 * rate, 4, 0...3)
    gap = Self.steps(0.538 * rate, 32, 0...15)

    freeFallThreshold = .mg156
    for code in LSM6DS3Map.FreeFallThreshold.allCases
    where Self.distance(code.g, wanted.freeFallThreshold)
      < Self.distance(freeFallThreshold.g, wanted.freeFallThreshold)
    { freeFallThreshold = code }
    wanted.freeFallThreshold = freeFallThreshold.g
    freeFallDuration = Self.steps(wanted.freeFallDuration.seconds, 1 / rate, 0...63)
    wanted.freeFallDuration = TimeSpan(seconds: Scalar(freeFallDuration) / rate)
  }

  /// Returns `value / step`, rounded to a whole number and clamped to `range`.
  private static func steps(_ value: Scalar, _ step: Scalar, _ range: ClosedRange<Scalar>) -> UInt8
  {
    let nearest = (value / step).rounded()
    return UInt8(nearest > range.lowerBound ? min(nearest, range.upperBound) : range.lowerBound)
  }

  private static func distance(_ a: Scalar, _ b: Scalar) -> Scalar { (a - b).magnitude }
}
