// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

extension BMI160Map {
  /// The output data rates that both sensors support. The accelerometer also has slower rates and
  /// the gyroscope 3200 Hz; these rates are left out, because both sensors share every FIFO frame
  /// and timestamp.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz25 = 6, hz50, hz100, hz200, hz400, hz800, hz1600
  }

  /// The bandwidth of the output filter; code 3 is reserved. In the accelerometer's undersampling
  /// mode (`accUs`) the same codes average 1, 2 and 4 samples at 1600 Hz (data sheet
  /// BST-BMI160-DS000-07, section 2.4.1.2). Codes above 3 average more samples, which needs more
  /// current; the driver does not use them.
  public enum FilterMode: UInt8, FieldValue, CaseIterable {
    case oversampled4 = 0, oversampled2, normal
  }

  /// The full scales of the accelerometer.
  public enum AccelFullScale: UInt8, FieldValue, CaseIterable {
    case g2 = 3
    case g4 = 5
    case g8 = 8
    case g16 = 12
  }

  /// The full scales of the gyroscope.
  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps2000 = 0, dps1000, dps500, dps250, dps125
  }

  /// The power mode of a sensor in PMU_STATUS.
  public enum PowerMode: UInt8, FieldValue, CaseIterable {
    case suspend = 0, normal, lowPower, fastStart
  }

  /// The commands that the CMD register accepts.
  public enum Command: UInt8, FieldValue, CaseIterable {
    case fastOffsetCompensation = 0x03
    case accelSuspend = 0x10
    case accelNormal = 0x11
    case accelLowPower = 0x12
    case gyroSuspend = 0x14
    case gyroNormal = 0x15
    case gyroFastStart = 0x17
    case magSuspend = 0x18
    case magNormal = 0x19
    case magLowPower = 0x1A
    case programNVM = 0xA0
    case fifoFlush = 0xB0
    case interruptReset = 0xB1
    case softReset = 0xB6
  }
}

extension BMI160Map.Rate {
  /// The output data rate in hertz: 100 / 2^(8 - code).
  public var hertz: Scalar { Scalar(25 << (Int(rawValue) - 6)) }
}

extension BMI160Map.AccelFullScale: AccelerationScale {
  public var g: Scalar {
    switch self {
    case .g2: 2
    case .g4: 4
    case .g8: 8
    case .g16: 16
    }
  }

  /// The accelerometer's typical counts per g (data sheet, sensitivity).
  public var countsPerG: Scalar { 32768 / g }

  /// The accelerometer's typical g per count. The value is exact, because it is a power of two.
  public var gPerCount: Scalar { g / 32768 }
}

extension BMI160Map.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar { Scalar(2000 >> Int(rawValue)) }

  /// The gyroscope's typical counts per degree per second (data sheet, sensitivity). Public drivers
  /// differ from this figure by up to 0.9 percent: Linux rounds to whole micro-rad/s, Zephyr
  /// divides the range by 65535.
  public var countsPerDegreePerSecond: Scalar { 16.4 * Scalar(1 << Int(rawValue)) }

  public var radiansPerCount: Scalar { radians(fromDegrees: 1) / countsPerDegreePerSecond }
}

/// Register codes for the thresholds and durations of the chip's detections: BST-BMI160-DS000-07,
/// sections 2.6 and 2.11, INT_LOWHIGH, INT_MOTION and INT_TAP.
struct BMI160DetectionCodes: Sendable {
  var kinds: DetectionSet = []
  var motionThreshold: UInt8 = 0
  var motionDuration: UInt8 = 0
  var stillDuration: UInt8 = 0
  var tapThreshold: UInt8 = 0
  var freeFallThreshold: UInt8 = 0
  var freeFallDuration: UInt8 = 0

  /// Creates register codes with all detections off.
  init() {}

  /// Creates the register codes nearest to `settings`, and sets `settings` to the values that these
  /// codes represent.
  init(
    nearest settings: inout DetectionSettings, rate: BMI160Map.Rate, range: BMI160Map.AccelFullScale
  ) {
    let wanted = settings
    // Motion and significant motion share one circuit, so only one of them can be enabled.
    if settings.kinds.contains(.significantMotion) { settings.kinds.remove(.motion) }
    kinds = settings.kinds
    // The slope threshold has steps of 3.91 mg at 2 g, and proportionally larger steps at wider
    // ranges. Code 0 means half a step.
    let slope = range.g / 512
    motionThreshold = Self.code(wanted.motionThreshold / slope, 1, 255)
    settings.motionThreshold = Scalar(motionThreshold) * slope
    // The register for the motion's duration holds the number of consecutive samples minus one.
    motionDuration = Self.code(wanted.motionDuration.seconds * rate.hertz - 1, 0, 3)
    settings.motionDuration = TimeSpan(seconds: Scalar(motionDuration + 1) / rate.hertz)
    stillDuration = Self.stillCode(wanted.stillDuration.seconds)
    settings.stillDuration = TimeSpan(seconds: Self.still(stillDuration))
    // The tap threshold has steps of 62.5 mg at 2 g.
    let tap = range.g / 32
    tapThreshold = Self.code(wanted.tapThreshold / tap, 1, 31)
    settings.tapThreshold = Scalar(tapThreshold) * tap
    // The free-fall threshold has steps of 7.81 mg in every range; the duration is (code + 1) times
    // 2.5 ms.
    freeFallThreshold = Self.code(wanted.freeFallThreshold * 128, 1, 255)
    settings.freeFallThreshold = Scalar(freeFallThreshold) / 128
    freeFallDuration = Self.code(wanted.freeFallDuration.seconds / 0.0025 - 1, 0, 255)
    settings.freeFallDuration = .microseconds(2500) * (Int64(freeFallDuration) + 1)
  }

  /// Returns `value` rounded to a whole number and clamped to `lowest...highest`.
  private static func code(_ value: Scalar, _ lowest: Scalar, _ highest: Scalar) -> UInt8 {
    value.isNaN ? UInt8(lowest) : UInt8(min(max(value.rounded(), lowest), highest))
  }

  /// Returns the duration in seconds for a code of int_slo_nomo_dur. The two highest bits of the
  /// code select steps of 1.28, 5.12 or 10.24 s.
  static func still(_ code: UInt8) -> Scalar {
    if code >= 0x20 { return Scalar(code & 0x1F + 11) * 10.24 }
    return code >= 0x10 ? Scalar(code & 0x0F + 5) * 5.12 : Scalar(code + 1) * 1.28
  }

  private static func stillCode(_ seconds: Scalar) -> UInt8 {
    var best: UInt8 = 0
    for code in UInt8(0)..<64 where abs(still(code) - seconds) < abs(still(best) - seconds) {
      best = code
    }
    return best
  }
}
