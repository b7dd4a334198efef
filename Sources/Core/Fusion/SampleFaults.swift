// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Faults in the samples of a sensor. A fault increases the covariance to account for motion that
/// was not measured. The learned errors of the sensors are kept.
public struct SensorFaults: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// The gyroscope sends nothing. Meanwhile the attitude follows the accelerometer.
  public static var gyroscopeSilent: SensorFaults { SensorFaults(rawValue: 1) }
  /// The gyroscope repeats a value while the device moves. Its samples are not used.
  public static var gyroscopeHung: SensorFaults { SensorFaults(rawValue: 2) }
  /// A rotation rate jumped by more than a device can, and then jumped back.
  public static var gyroscopeGlitch: SensorFaults { SensorFaults(rawValue: 4) }
  /// A rotation rate was at the end of its range.
  public static var gyroscopeAtRangeEnd: SensorFaults { SensorFaults(rawValue: 8) }
  /// Gravity has repeatedly contradicted the rotation rates: their scale differs from the data
  /// sheet, or the mounting is wrong. The rotation rates are ignored for a while.
  public static var gyroscopeRefuted: SensorFaults { SensorFaults(rawValue: 32) }
  /// An acceleration was at the end of its range.
  public static var accelerometerAtRangeEnd: SensorFaults { SensorFaults(rawValue: 16) }
  /// The accelerometer sends nothing. Meanwhile the attitude follows the gyroscope.
  public static var accelerometerSilent: SensorFaults { SensorFaults(rawValue: 64) }
  /// The accelerometer repeats a value while the device turns. Its samples are not used.
  public static var accelerometerHung: SensorFaults { SensorFaults(rawValue: 128) }
  /// The magnetometer repeats a value while the device turns. Its samples are not used.
  public static var magnetometerHung: SensorFaults { SensorFaults(rawValue: 256) }
}

/// Detects a sensor that repeats its last value while the device moves, for much longer than the
/// recent interval between different values.
struct RepeatCheck: Equatable, Sendable {
  /// The last sample, whether the filter used it or not.
  private(set) var last: Vector3?
  private(set) var lastTime: Timestamp?
  /// The time for which all three axes have repeated their values, s, and the number of repeated
  /// samples.
  private(set) var same: Seconds = 0
  private var count = 0.0
  /// Mean time between changes of the value, s. It equals the sampling interval for slow streams,
  /// and is longer for coarse parts.
  private var change: Scalar
  /// Weight of the newest time in this mean.
  private let share: Scalar
  /// The reference vector at the start of the repetition. If the sensor worked, this vector would
  /// be constant in the strapdown frame.
  private var reference: Vector3?
  /// The rotation of the reference vector that the gyroscope's bias may have caused since the start
  /// of the repetition, rad.
  private var drift = 0.0
  /// The number of axes that were at the end of their range when the repetition started.
  private var axesAtEnd = 0
  /// True if the sensor repeats a value while the device moves.
  private(set) var isHung = false
  /// The distance, as a fraction of its norm, by which the reference vector had moved when the
  /// repetition was detected.
  private(set) var moved = 0.0

  /// True if the newest sample repeats the previous one, although this sensor rarely repeats a
  /// value. The sample is then skipped.
  func isUnlikely(interval: Scalar, _ params: FusionEngine.Params) -> Bool {
    count > 0 && change < 1.5 * interval && same < params.epoch / 2
  }

  /// Creates the check. Until the time between changes of the value has been measured, it is
  /// derived from the longest gap.
  init(_ params: FusionEngine.Params) {
    change = Scalar(params.longestGap) / params.silentSamples
    share = params.intervalShare
  }

  /// Adds a measured sample and the reference vector. If the sensor works, the reference vector is
  /// constant in the strapdown frame, apart from accelerations and disturbances. `bias` is the
  /// variance of the gyroscope's bias, which rotates the vector in any case. `axesAtEnd` is the
  /// number of axes that were at the end of their range in the previous sample; such axes repeat
  /// their value too.
  @inline(__always)
  mutating func add(
    _ value: Vector3, at time: Timestamp, after seconds: Seconds, axesAtEnd: Int,
    bias: Scalar, _ params: FusionEngine.Params, reference now: @autoclosure () -> Vector3?
  ) {
    defer { (last, lastTime) = (value, time) }
    guard value == last else {
      let lasted = Scalar(same + seconds)
      let most = Scalar(params.longestGap)
      change += share * ((lasted < most ? lasted : most) - change)
      if count > 0 { (same, count, reference, drift, isHung) = (0, 0, nil, 0, false) }
      return
    }
    if count == 0 { (reference, self.axesAtEnd) = (now(), axesAtEnd) }
    same += seconds
    count += 1
    drift += 3 * Scalar(seconds) * bias.squareRoot()
    let least = max(params.epoch, Seconds(params.silentSamples * change))
    guard !isHung, same >= least, count >= params.silentSamples, self.axesAtEnd < 2,
      let now = now(), let reference
    else { return }
    let off = now - reference
    // Noise and coarse quantisation move the reference vector by less than the limits of rest.
    let most = 2 * params.restAcceleration + drift
    let square = reference.dot(reference)
    isHung = off.dot(off) > most * most * square
    moved = (off.dot(off) / square).squareRoot()
  }
}

/// Holds back a rotation rate that changed too much, until the next sample confirms or contradicts
/// it.
struct HeldRate: Equatable, Sendable {
  /// The rotation rate that is held back, and the interval since the previous one.
  var suspect: Vector3?
  var interval = 0.0

  /// Discards the rotation rate that is held back.
  mutating func drop() { suspect = nil }
}
