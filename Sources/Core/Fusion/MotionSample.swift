// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The reference frames of attitudes. All are right-handed, with z up.
public enum ReferenceFrame: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// The x axis has an arbitrary direction, given by the device's axes at the start. Uses
  /// accelerometer and gyroscope only.
  case xArbitraryZVertical
  /// The x axis has an arbitrary direction, given by the device's axes at the start. The
  /// magnetometer keeps the heading from drifting.
  case xArbitraryCorrectedZVertical
  /// The x axis points to magnetic north, the y axis west.
  case xMagneticNorthZVertical
  /// The x axis points to geographic north, the y axis west.
  case xTrueNorthZVertical
}

/// A device's motion at one moment, in device axes, computed from the samples up to that moment. A
/// value type of fixed size, for rings and shared memory.
public struct MotionSample: Equatable, Sendable, BitwiseCopyable {
  /// The parts of a motion sample that are valid.
  public struct Contents: OptionSet, Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Attitude, gravity and user acceleration.
    public static var attitude: Contents { Contents(rawValue: 1) }
    /// The attitudes whose frames need a magnetometer.
    public static var heading: Contents { Contents(rawValue: 2) }
    public static var rotationRate: Contents { Contents(rawValue: 4) }
    public static var magneticField: Contents { Contents(rawValue: 8) }
    public static var pressure: Contents { Contents(rawValue: 16) }
    public static var temperature: Contents { Contents(rawValue: 32) }
  }

  /// The time at which the rotation rate was sampled, or the acceleration if there is no gyroscope.
  public var timestamp: Timestamp
  public var contents: Contents = []
  /// The raw value of `magneticAccuracy`, stored as a number because shared memory may contain any
  /// value.
  package var magneticAccuracyCode = MagneticAccuracy.uncalibrated.rawValue
  public var isAtRest = false
  /// The number of samples known to be lost just before this one.
  public var missing: UInt32 = 0
  /// The rotation from the device to a frame with x arbitrary and z up, from accelerometer and
  /// gyroscope only.
  public var attitude6 = Quaternion.identity
  /// The rotation from the device to a frame with x arbitrary and z up, whose drift the
  /// magnetometer corrects.
  public var attitudeCorrected = Quaternion.identity
  /// The rotation from the device to a frame with x to magnetic north, y west and z up.
  public var attitude9 = Quaternion.identity
  /// Standard deviation of the tilt of all three attitudes in its worst direction, radians; pi
  /// before there is an attitude.
  public var inclinationSigma = Scalar.pi
  /// Standard deviation of the heading of `attitude9`, radians, if the local field points north; pi
  /// before there is an attitude.
  public var headingSigma = Scalar.pi
  /// The rotation rate in rad/s, without the bias.
  public var rotationRate = Vector3.zero
  /// The bias that was subtracted from the rotation rate, rad/s.
  public var gyroBias = Vector3.zero
  /// The direction of gravity as a unit vector, g.
  public var gravity = Vector3.zero
  /// The latest acceleration without gravity, g. The sum of this and `gravity` is the measured
  /// acceleration, apart from rounding.
  public var userAcceleration = Vector3.zero
  /// The local field, microtesla: the measured field corrected for the device's hard and soft iron,
  /// as far as these are known.
  public var magneticField = Vector3.zero
  /// The air pressure in kPa.
  public var pressure = 0.0
  /// The temperature of the chip in degrees Celsius.
  public var temperature = 0.0

  public init(timestamp: Timestamp) { self.timestamp = timestamp }

  /// The accuracy of the heading of `attitude9` (see `FusionEngine.magneticAccuracy`).
  public var magneticAccuracy: MagneticAccuracy {
    get { MagneticAccuracy(rawValue: magneticAccuracyCode) ?? .uncalibrated }
    set { magneticAccuracyCode = newValue.rawValue }
  }

  /// Returns the attitude as the rotation from the device to `frame`; `nil` if that attitude is not
  /// known. `declination` is the angle from true to magnetic north in radians, positive to the
  /// east.
  public func attitude(in frame: ReferenceFrame, declination: Scalar = 0) -> Quaternion? {
    guard contents.contains(.attitude) else { return nil }
    if frame == .xArbitraryZVertical { return attitude6 }
    guard contents.contains(.heading) else {
      // Without a magnetometer, neither the corrected attitude nor north is known.
      return frame == .xArbitraryCorrectedZVertical ? attitude6 : nil
    }
    switch frame {
    case .xArbitraryZVertical: return attitude6
    case .xArbitraryCorrectedZVertical: return attitudeCorrected
    case .xMagneticNorthZVertical: return attitude9
    // Positive declination means clockwise, so magnetic north is at the angle `-declination` about
    // Z.
    case .xTrueNorthZVertical:
      return Quaternion(angle: -declination, axis: Vector3(0, 0, 1)) * attitude9
    }
  }
}
