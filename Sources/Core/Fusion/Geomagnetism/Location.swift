// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The properties of the board's location that affect motion and altitude: a declination, a
/// position or the air pressure. Each may be unknown.
public struct Location: Sendable, Equatable {
  /// The angle from true to magnetic north in radians, positive if the needle points east of true
  /// north. If given, it replaces the declination that a model computes for `position`.
  public var declination: Scalar?
  /// The position, from which a model computes the declination, strength and dip of the field.
  public var position: GeodeticPosition?
  /// The height above sea level in metres; `nil` if unknown. Absolute altitude starts at this
  /// height.
  public var height: Scalar?
  /// The air pressure in kPa, reduced to sea level; `nil` if unknown. If given, absolute altitude
  /// follows from this pressure and not from `height`.
  public var seaLevelPressure: Scalar?

  public init(
    declination: Scalar? = nil, position: GeodeticPosition? = nil, height: Scalar? = nil,
    seaLevelPressure: Scalar? = nil
  ) {
    self.declination = declination
    self.position = position
    self.height = height
    self.seaLevelPressure = seaLevelPressure
  }
}
