// SPDX-License-Identifier: Apache-2.0
public import Geomagnetism

/// Where the board is used, as far as motion depends on it: a declination, a position, or both.
public struct Location: Sendable, Equatable {
  /// The angle from true to magnetic north in radians, positive where the needle points east of
  /// true north. Where it is given, it holds whatever a model says of `position`.
  public var declination: Double?
  /// From which a model knows the declination, and the field's strength and dip.
  public var position: GeodeticPosition?
  /// Where the file says so.
  public var positions: Positions

  public init(
    declination: Double? = nil, position: GeodeticPosition? = nil,
    positions: Positions = Positions(entry: .start)
  ) {
    self.declination = declination
    self.position = position
    self.positions = positions
  }
}
