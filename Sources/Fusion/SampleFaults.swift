// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Faults in the samples of a sensor. What a fault hides widens the covariance; nothing
/// that was learned is thrown away for it.
public struct SensorFaults: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The gyroscope sends nothing; attitudes follow the accelerometer meanwhile.
  public static var gyroscopeSilent: SensorFaults { SensorFaults(rawValue: 1) }
  /// The gyroscope repeats one value while the device moves; its samples are not used.
  public static var gyroscopeHung: SensorFaults { SensorFaults(rawValue: 2) }
  /// A rotation rate was off by more than a device can turn from one sample to the next and back.
  public static var gyroscopeGlitch: SensorFaults { SensorFaults(rawValue: 4) }
  /// A rotation rate was at the end of its range.
  public static var gyroscopeAtRangeEnd: SensorFaults { SensorFaults(rawValue: 8) }
  /// Gravity has contradicted the rotation rates again and again: they are not those that the data
  /// sheet describes, or the sensor is mounted otherwise than was said. They are not used for a
  /// while.
  public static var gyroscopeRefuted: SensorFaults { SensorFaults(rawValue: 32) }
  /// An acceleration was at the end of its range.
  public static var accelerometerAtRangeEnd: SensorFaults { SensorFaults(rawValue: 16) }
}

/// Recognises the ends of a sensor's range: the greatest or least value of an axis so far, seen
/// again to the last digit.
struct RangeEnds: Equatable, Sendable {
  private var x = Ends()
  private var y = Ends()
  private var z = Ends()

  private struct Ends: Equatable, Sendable {
    private var high = 0.0
    private var low = 0.0

    @inline(__always)
    mutating func add(_ value: Scalar, least: Scalar) -> Bool {
      if value > high {
        high = value
        return false
      }
      if value < low {
        low = value
        return false
      }
      return (value == high && value > least) || (value == low && value < -least)
    }
  }

  /// Returns true where an axis of `v` is at an end. Values below `least` never are.
  @inline(__always)
  mutating func add(_ v: Vector3, least: Scalar) -> Bool {
    let (a, b, c) = (x.add(v.x, least: least), y.add(v.y, least: least), z.add(v.z, least: least))
    return a || b || c
  }
}

/// Holds rotation rates against one another before they are used.
struct RateCheck: Equatable, Sendable {
  /// A rate too far from the one before, and the interval since that one, until the next sample
  /// sides with it or not.
  var suspect: Vector3?
  var suspectInterval = 0.0
  /// The last sample as it came, whether it was used or not.
  private(set) var last: Vector3?
  private(set) var lastTime: Timestamp?
  /// Time for which all three axes have been exactly the same, s, and samples.
  private(set) var same: Seconds = 0
  private var count = 0.0
  /// The specific force in the strapdown frame when that began, g.
  private var force: Vector3?
  /// True where the sensor repeats a value while the device moves.
  private(set) var isHung = false
  var ends = RangeEnds()

  /// Takes a sample as it came and the specific force of that time, strapdown frame. Where the rate
  /// were the truth, that force would stay what it is but for accelerations.
  @inline(__always)
  mutating func add(
    _ rate: Vector3, at time: Timestamp, after seconds: Seconds,
    force now: @autoclosure () -> Vector3?, _ params: FusionEngine.Params
  ) {
    defer { (last, lastTime) = (rate, time) }
    guard rate == last else {
      if count > 0 { (same, count, force, isHung) = (0, 0, nil, false) }
      return
    }
    if count == 0 { force = now() }
    same += seconds
    count += 1
    guard !isHung, same >= params.silenceTime, count >= params.silentSamples, let now = now(),
      let force
    else { return }
    // Noise, and the steps of a coarse part, stay within what ends rest.
    let (moved, least) = (now - force, 2 * params.restAcceleration)
    isHung = moved.dot(moved) > least * least
  }

  /// Forgets what was held back.
  mutating func drop() { suspect = nil }
}
