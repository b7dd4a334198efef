// SPDX-License-Identifier: Apache-2.0
public import Geomagnetism

/// The place of the board, as far as motion and altitude depend on it: a declination, a position,
/// the air pressure, or some of them.
public struct Location: Sendable, Equatable {
  /// The angle from true to magnetic north in radians, positive where the needle points east of
  /// true north. Where it is given, it holds whatever a model says of `position`.
  public var declination: Double?
  /// The position, from which a model knows the declination, and the field's strength and dip.
  public var position: GeodeticPosition?
  /// Metres above the sea; `nil` where the file does not say it. Absolute altitude begins there.
  public var height: Double?
  /// The air pressure in kPa as it would be at sea level; `nil` where the file does not say it.
  /// Where it is given, absolute altitude follows from it and not from `height`.
  public var seaLevelPressure: Double?
  /// The places of these values in the file.
  public var positions: Positions

  public init(
    declination: Double? = nil, position: GeodeticPosition? = nil, height: Double? = nil,
    seaLevelPressure: Double? = nil, positions: Positions = Positions(entry: .start)
  ) {
    self.declination = declination
    self.position = position
    self.height = height
    self.seaLevelPressure = seaLevelPressure
    self.positions = positions
  }
}
