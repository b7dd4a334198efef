// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Faults in the samples of a sensor. A fault increases the covariance by the motion that was not
/// measured; learned errors of the sensors are kept.
public struct SensorFaults: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// The gyroscope sends nothing; attitudes follow the accelerometer meanwhile.
  public static var gyroscopeSilent: SensorFaults { SensorFaults(rawValue: 1) }
  /// The gyroscope repeats one value while the device moves; its samples are not used.
  public static var gyroscopeHung: SensorFaults { SensorFaults(rawValue: 2) }
  /// A rotation rate jumped by more than a device can, and back.
  public static var gyroscopeGlitch: SensorFaults { SensorFaults(rawValue: 4) }
  /// A rotation rate was at the end of its range.
  public static var gyroscopeAtRangeEnd: SensorFaults { SensorFaults(rawValue: 8) }
  /// Gravity has contradicted the rotation rates repeatedly: their scale differs from the data
  /// sheet, or the mounting is wrong. The rotation rates are not used for a while.
  public static var gyroscopeRefuted: SensorFaults { SensorFaults(rawValue: 32) }
  /// An acceleration was at the end of its range.
  public static var accelerometerAtRangeEnd: SensorFaults { SensorFaults(rawValue: 16) }
  /// The accelerometer sends nothing; attitudes follow the gyroscope meanwhile.
  public static var accelerometerSilent: SensorFaults { SensorFaults(rawValue: 64) }
  /// The accelerometer repeats one value while the device turns; its samples are not used.
  public static var accelerometerHung: SensorFaults { SensorFaults(rawValue: 128) }
  /// The magnetometer repeats one value while the device turns; its samples are not used.
  public static var magnetometerHung: SensorFaults { SensorFaults(rawValue: 256) }
}

/// Detects a sensor that repeats its last value while the device moves, for much longer than its
/// recent interval between values.
struct RepeatCheck: Equatable, Sendable {
  /// The last sample, whether the filter used it or not.
  private(set) var last: Vector3?
  private(set) var lastTime: Timestamp?
  /// The time for which all three axes have repeated their values, s, and the number of repeated
  /// samples.
  private(set) var same: Seconds = 0
  private var count = 0.0
  /// Mean time between changes of the value, s: the sampling interval of slow streams, more for
  /// coarse parts.
  private var change: Scalar
  /// Weight of the newest time in that mean.
  private let share: Scalar
  /// The reference vector at the start of the repetition: it would be constant in the strapdown
  /// frame if the sensor worked.
  private var witness: Vector3?
  /// The possible rotation of the reference vector by the gyroscope's bias since the start of the
  /// repetition, rad.
  private var drift = 0.0
  /// The number of axes that were at the end of their range at the start of the repetition.
  private var axesAtEnd = 0
  /// True if the sensor repeats a value while the device moves.
  private(set) var isHung = false
  /// The movement of the reference vector when the repetition was detected, relative to its norm.
  private(set) var moved = 0.0

  /// True if the newest sample repeats the previous one although this sensor rarely repeats a
  /// value; the sample is then skipped.
  func isDoubtful(interval: Scalar, _ params: FusionEngine.Params) -> Bool {
    count > 0 && change < 1.5 * interval && same < params.epoch / 2
  }

  /// Creates the check; before measurement, the assumed time between changes of the value follows
  /// from the longest gap.
  init(_ params: FusionEngine.Params) {
    change = Scalar(params.longestGap) / params.silentSamples
    share = params.intervalShare
  }

  /// Takes a sample as measured, and the reference vector: it is constant in the strapdown frame,
  /// apart from accelerations and disturbances, if the sensor works. `bias` is the variance of the
  /// gyroscope's bias, which rotates the vector in any case; `axesAtEnd` is the number of axes of
  /// the previous sample at the end of their range, which repeat their value, too.
  @inline(__always)
  mutating func add(
    _ value: Vector3, at time: Timestamp, after seconds: Seconds, axesAtEnd: Int,
    bias: Scalar, _ params: FusionEngine.Params, witness now: @autoclosure () -> Vector3?
  ) {
    defer { (last, lastTime) = (value, time) }
    guard value == last else {
      let lasted = Scalar(same + seconds)
      let most = Scalar(params.longestGap)
      change += share * ((lasted < most ? lasted : most) - change)
      if count > 0 { (same, count, witness, drift, isHung) = (0, 0, nil, 0, false) }
      return
    }
    if count == 0 { (witness, self.axesAtEnd) = (now(), axesAtEnd) }
    same += seconds
    count += 1
    drift += 3 * Scalar(seconds) * bias.squareRoot()
    let least = max(params.epoch, Seconds(params.silentSamples * change))
    guard !isHung, same >= least, count >= params.silentSamples, self.axesAtEnd < 2,
      let now = now(), let witness
    else { return }
    let off = now - witness
    // Noise and coarse quantisation move the reference vector by less than the limits of rest.
    let most = 2 * params.restAcceleration + drift
    let square = witness.dot(witness)
    isHung = off.dot(off) > most * most * square
    moved = (off.dot(off) / square).squareRoot()
  }
}

/// Holds back a rotation rate with too large a change until the next sample confirms or contradicts
/// it.
struct HeldRate: Equatable, Sendable {
  /// The rotation rate that is held back, and the interval since the previous one.
  var suspect: Vector3?
  var interval = 0.0

  /// Discards the rotation rate that is held back.
  mutating func drop() { suspect = nil }
}
