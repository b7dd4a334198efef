// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The frames that an attitude can be given in; all have z up and are right-handed.
public enum ReferenceFrame: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// x where the device's own axes were at the start; accelerometer and gyroscope only.
  case xArbitraryZVertical
  /// x where the device's own axes were at the start; the magnetometer keeps the heading from
  /// drifting.
  case xArbitraryCorrectedZVertical
  /// x to magnetic north, y west.
  case xMagneticNorthZVertical
  /// x to geographic north, y west.
  case xTrueNorthZVertical
}

/// A device's motion at one moment, in device axes, fused from the samples until then. A value type
/// of fixed size, for rings and shared memory.
public struct MotionSample: Equatable, Sendable, BitwiseCopyable {
  /// The valid parts.
  public struct Contents: OptionSet, Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Attitude, gravity and user acceleration.
    public static var attitude: Contents { Contents(rawValue: 1) }
    /// The attitudes of the frames that need a magnetometer.
    public static var heading: Contents { Contents(rawValue: 2) }
    public static var rotationRate: Contents { Contents(rawValue: 4) }
    public static var magneticField: Contents { Contents(rawValue: 8) }
    public static var pressure: Contents { Contents(rawValue: 16) }
    public static var temperature: Contents { Contents(rawValue: 32) }
  }

  /// The time when the rotation rate was sampled (the acceleration, where there is no gyroscope).
  public var timestamp: Timestamp
  public var contents: Contents = []
  /// The raw value of `magneticAccuracy`: shared memory may contain any number.
  package var magneticAccuracyCode = MagneticAccuracy.uncalibrated.rawValue
  public var isAtRest = false
  /// The number of known lost samples just before this one.
  public var missing: UInt32 = 0
  /// The rotation from the device to x arbitrary, z up, by accelerometer and gyroscope only.
  public var attitude6 = Quaternion.identity
  /// The rotation from the device to x arbitrary, z up, with drift corrected by the magnetometer.
  public var attitudeCorrected = Quaternion.identity
  /// The rotation from the device to x magnetic north, y west, z up.
  public var attitude9 = Quaternion.identity
  /// One standard deviation of the tilt of all three attitudes in its worse direction, radians; pi
  /// before there is an attitude.
  public var inclinationSigma = Scalar.pi
  /// One standard deviation of the heading of `attitude9`, radians, if the field of the place
  /// points north; pi before there is an attitude.
  public var headingSigma = Scalar.pi
  /// The rotation rate in rad/s, without the bias.
  public var rotationRate = Vector3.zero
  /// The bias that was subtracted, rad/s.
  public var gyroBias = Vector3.zero
  /// The unit vector down, g.
  public var gravity = Vector3.zero
  /// The newest acceleration without gravity, g: its sum with gravity is the measured acceleration,
  /// except for rounding.
  public var userAcceleration = Vector3.zero
  /// The field of the surroundings, microtesla: the measured field without the device's own, and
  /// unbent by its soft iron, as far as hard and soft iron are known.
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

  /// Returns the attitude in `frame`, device to reference; `nil` if that attitude is not known.
  /// `declination` is the angle from true to magnetic north in radians, east positive.
  public func attitude(in frame: ReferenceFrame, declination: Scalar = 0) -> Quaternion? {
    guard contents.contains(.attitude) else { return nil }
    if frame == .xArbitraryZVertical { return attitude6 }
    guard contents.contains(.heading) else {
      // Without a magnetometer there is neither the corrected attitude nor north.
      return frame == .xArbitraryCorrectedZVertical ? attitude6 : nil
    }
    switch frame {
    case .xArbitraryZVertical: return attitude6
    case .xArbitraryCorrectedZVertical: return attitudeCorrected
    case .xMagneticNorthZVertical: return attitude9
    // East of true north is clockwise: magnetic north lies at -declination.
    case .xTrueNorthZVertical:
      return Quaternion(angle: -declination, axis: Vector3(0, 0, 1)) * attitude9
    }
  }
}
