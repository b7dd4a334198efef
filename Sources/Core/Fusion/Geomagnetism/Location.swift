// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The place of the board, as far as motion and altitude depend on it: a declination, a position,
/// the air pressure, or some of them.
public struct Location: Sendable, Equatable {
  /// The angle from true to magnetic north in radians, positive where the needle points east of
  /// true north. If given, it replaces the declination that a model computes for `position`.
  public var declination: Scalar?
  /// The position, from which a model computes the declination, and the field's strength and dip.
  public var position: GeodeticPosition?
  /// Height above the sea in metres; `nil` if unknown. Absolute altitude starts at this height.
  public var height: Scalar?
  /// The air pressure in kPa as it would be at sea level; `nil` if unknown. If given, absolute
  /// altitude follows from this pressure and not from `height`.
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
