// SPDX-License-Identifier: Apache-2.0

// Plain structures like structures in C: initialised to zero or memberwise, mutable, and without
// conformances, because programs might declare those themselves.

/// An acceleration in g along the device's axes; flat and face up at rest is (0, 0, -1).
public struct CMAcceleration: Sendable, BitwiseCopyable {
  public var x: Double
  public var y: Double
  public var z: Double
  public init() { self.init(x: 0, y: 0, z: 0) }
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }
}

/// A rotation rate in rad/s about the device's axes, right-handed.
public struct CMRotationRate: Sendable, BitwiseCopyable {
  public var x: Double
  public var y: Double
  public var z: Double
  public init() { self.init(x: 0, y: 0, z: 0) }
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }
}

/// A magnetic field in microtesla along the device's axes.
public struct CMMagneticField: Sendable, BitwiseCopyable {
  public var x: Double
  public var y: Double
  public var z: Double
  public init() { self.init(x: 0, y: 0, z: 0) }
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }
}

/// A quaternion x i + y j + z k + w. An attitude is a unit quaternion that converts device to
/// reference coordinates.
public struct CMQuaternion: Sendable, BitwiseCopyable {
  public var x: Double
  public var y: Double
  public var z: Double
  public var w: Double
  /// Creates a quaternion of zeros, which is not a rotation.
  public init() { self.init(x: 0, y: 0, z: 0, w: 0) }
  public init(x: Double, y: Double, z: Double, w: Double) {
    self.x = x
    self.y = y
    self.z = z
    self.w = w
  }
}

/// A rotation matrix, by rows. The matrix of an attitude converts reference to device coordinates.
public struct CMRotationMatrix: Sendable, BitwiseCopyable {
  public var m11: Double
  public var m12: Double
  public var m13: Double
  public var m21: Double
  public var m22: Double
  public var m23: Double
  public var m31: Double
  public var m32: Double
  public var m33: Double
  public init() {
    self.init(m11: 0, m12: 0, m13: 0, m21: 0, m22: 0, m23: 0, m31: 0, m32: 0, m33: 0)
  }
  public init(
    m11: Double, m12: Double, m13: Double, m21: Double, m22: Double, m23: Double, m31: Double,
    m32: Double, m33: Double
  ) {
    self.m11 = m11
    self.m12 = m12
    self.m13 = m13
    self.m21 = m21
    self.m22 = m22
    self.m23 = m23
    self.m31 = m31
    self.m32 = m32
    self.m33 = m33
  }
}

/// The accuracy of a magnetic field as an estimate of the Earth's field: without the device's own
/// field, without the fields of nearby magnets, and steady. The limits are otolith's, because Apple
/// states none.
public enum CMMagneticFieldCalibrationAccuracy: Int32, Sendable, BitwiseCopyable {
  /// There is no magnetometer, or no sample from it yet.
  case uncalibrated = -1
  /// The heading may be completely wrong: near a magnet, or before the device has been turned about
  /// two axes.
  case low = 0
  /// The heading error is at most 25 degrees.
  case medium = 1
  /// The heading error is at most 10 degrees.
  case high = 2
}

/// A magnetic field without the device's own field.
public struct CMCalibratedMagneticField: Sendable, BitwiseCopyable {
  public var field: CMMagneticField
  public var accuracy: CMMagneticFieldCalibrationAccuracy
  public init() { self.init(field: CMMagneticField(), accuracy: .low) }
  public init(field: CMMagneticField, accuracy: CMMagneticFieldCalibrationAccuracy) {
    self.field = field
    self.accuracy = accuracy
  }
}

/// Frames of reference; all have z up.
public struct CMAttitudeReferenceFrame: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The x axis is arbitrary and fixed when updates start.
  public static let xArbitraryZVertical = CMAttitudeReferenceFrame(rawValue: 1)
  /// The x axis is arbitrary; the magnetometer keeps it from drifting.
  public static let xArbitraryCorrectedZVertical = CMAttitudeReferenceFrame(rawValue: 2)
  /// The x axis points to magnetic north.
  public static let xMagneticNorthZVertical = CMAttitudeReferenceFrame(rawValue: 4)
  /// The x axis points to geographic north.
  public static let xTrueNorthZVertical = CMAttitudeReferenceFrame(rawValue: 8)
}
