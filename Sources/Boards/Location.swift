// SPDX-License-Identifier: Apache-2.0

/// Where the board is used, as far as motion depends on it.
public struct Location: Sendable, Equatable {
  /// The angle from true to magnetic north in radians, positive where the needle points east of
  /// true north.
  public var declination: Double
  public var positions: Positions

  public init(declination: Double, positions: Positions) {
    self.declination = declination
    self.positions = positions
  }
}
