// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The effect of a device's own magnetism on the measured field: `raw = softIron^-1 (field) +
/// hardIron`.
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

  /// The constant part of the measured field that comes from the device itself, microtesla, device
  /// axes.
  public var hardIron: Vector3
  /// The matrix that corrects the device's distortion of the field: symmetric, close to the
  /// identity, with determinant 1.
  public var softIron: Matrix3
  /// Standard deviation of `hardIron` in its least known direction, microtesla.
  public var sigma: Scalar
  /// Strength of the corrected local field, microtesla; zero while unknown.
  public var fieldNorm: Scalar
  /// Angle of the corrected local field below the horizon, radians, -pi/2 ... pi/2; zero while
  /// unknown.
  public var dip: Scalar
  /// The share of all directions in which the field was measured recently, 0 ... 1.
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

  /// Returns the corrected local field, microtesla, device axes, for a measured field.
  public func corrected(_ raw: Vector3) -> Vector3 { softIron * (raw - hardIron) }

  /// The effect of one magnetometer sample on the calibration.
  public enum Change: Equatable, Sendable, BitwiseCopyable {
    /// The calibration is unchanged.
    case none
    /// The estimate was refined. The value is the change of the hard iron, microtesla.
    case refined(Vector3)
    /// The device's magnetism has changed, or its estimate was wrong. The value is the change of
    /// the hard iron, microtesla. Everything learned with the old value (norm, dip, north) is
    /// invalid.
    case replaced(Vector3)
  }
}
