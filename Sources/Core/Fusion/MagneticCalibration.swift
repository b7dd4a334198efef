// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The effect of a device's own magnetism on the field: `raw = softIron^-1 (field) + hardIron`.
public struct MagneticCalibration: Equatable, Sendable, BitwiseCopyable {
  /// The degree to which hard and soft iron are known.
  public enum Level: UInt8, Comparable, Sendable, BitwiseCopyable {
    /// The device has not turned enough yet; `hardIron` may be known in some directions.
    case unknown
    /// The hard iron is known in every direction.
    case hardIron
    /// The soft iron is known too.
    case full

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  /// The device's own constant field in the measured field: microtesla, device axes.
  public var hardIron: Vector3
  /// The device's distortion of the field: symmetric, near the identity, determinant 1.
  public var softIron: Matrix3
  /// One standard deviation of `hardIron` in its least known direction, microtesla.
  public var sigma: Scalar
  /// Strength of the corrected field of the place, microtesla; zero while unknown.
  public var fieldNorm: Scalar
  /// Angle of the corrected field of the place below the horizon, radians, -pi/2 ... pi/2; zero
  /// while unknown.
  public var dip: Scalar
  /// The share of directions in which the field was measured recently, 0 ... 1.
  public var coverage: Scalar
  public var level: Level

  public init(
    hardIron: Vector3 = .zero, softIron: Matrix3 = .identity, sigma: Scalar = .infinity,
    fieldNorm: Scalar = 0, dip: Scalar = 0, coverage: Scalar = 0, level: Level = .unknown
  ) {
    self.hardIron = hardIron
    self.softIron = softIron
    self.sigma = sigma
    self.fieldNorm = fieldNorm
    self.dip = dip
    self.coverage = coverage
    self.level = level
  }

  /// Returns the field of the place, microtesla, device axes, from a measured field.
  public func corrected(_ raw: Vector3) -> Vector3 { softIron * (raw - hardIron) }

  /// The effect of one measured field on the calibration.
  public enum Change: Equatable, Sendable, BitwiseCopyable {
    /// Nothing.
    case none
    /// The estimate was refined: the hard iron changed by this, microtesla.
    case refined(Vector3)
    /// The device's magnetism has changed, or its estimate was wrong: the hard iron changed by
    /// this, microtesla, and everything learned with the old value (norm, dip, north) is invalid.
    case replaced(Vector3)
  }
}
