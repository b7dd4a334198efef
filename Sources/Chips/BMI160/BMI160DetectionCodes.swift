// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

/// Thresholds and durations of what the chip detects, as it counts them. Units:
/// BST-BMI160-DS000-07, sections 2.6 and
/// 2.11, INT_LOWHIGH, INT_MOTION and INT_TAP.
struct BMI160DetectionCodes: Sendable {
  var kinds: DetectionSet = []
  var motionThreshold: UInt8 = 0
  var motionDuration: UInt8 = 0
  var stillDuration: UInt8 = 0
  var tapThreshold: UInt8 = 0
  var freeFallThreshold: UInt8 = 0
  var freeFallDuration: UInt8 = 0

  /// Nothing.
  init() {}

  /// Creates the codes nearest to `settings`, which become what the chip really has.
  init(
    nearest settings: inout DetectionSettings, rate: BMI160Map.Rate, range: BMI160Map.AccelRange
  ) {
    let wanted = settings
    settings.kinds = wanted.kinds.intersection(BMI160Chip.detections)
    // One circuit does either of them.
    if settings.kinds.contains(.significantMotion) { settings.kinds.remove(.motion) }
    kinds = settings.kinds
    // A slope's step is 3.91 mg at 2 g and grows with the range; 0 means half a step.
    let slope = range.g / 512
    motionThreshold = Self.code(wanted.motionThreshold / slope, 1, 255)
    settings.motionThreshold = Scalar(motionThreshold) * slope
    // So many samples and one more, in a row.
    motionDuration = Self.code(wanted.motionDuration.seconds * rate.hertz - 1, 0, 3)
    settings.motionDuration = TimeSpan(seconds: Scalar(motionDuration + 1) / rate.hertz)
    stillDuration = Self.stillCode(wanted.stillDuration.seconds)
    settings.stillDuration = TimeSpan(seconds: Self.still(stillDuration))
    // 62.5 mg at 2 g.
    let tap = range.g / 32
    tapThreshold = Self.code(wanted.tapThreshold / tap, 1, 31)
    settings.tapThreshold = Scalar(tapThreshold) * tap
    // 7.81 mg at any range; (n + 1) times 2.5 ms.
    freeFallThreshold = Self.code(wanted.freeFallThreshold * 128, 1, 255)
    settings.freeFallThreshold = Scalar(freeFallThreshold) / 128
    freeFallDuration = Self.code(wanted.freeFallDuration.seconds / 0.0025 - 1, 0, 255)
    settings.freeFallDuration = .microseconds(2500) * (Int64(freeFallDuration) + 1)
  }

  /// The nearest whole number within the limits.
  private static func code(_ value: Scalar, _ lowest: Scalar, _ highest: Scalar) -> UInt8 {
    value.isNaN ? UInt8(lowest) : UInt8(min(max(value.rounded(), lowest), highest))
  }

  /// Returns the duration of int_slo_nomo_dur, s: ticks of 1.28, 5.12 and 10.24 s, by its two
  /// highest bits.
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
