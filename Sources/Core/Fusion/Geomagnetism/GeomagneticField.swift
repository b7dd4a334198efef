// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The Earth's magnetic field at a place, with components along the meridian, the parallel and the
/// normal of the ellipsoid at that place. At a pole every direction is south or north, so the
/// components there refer to the requested meridian.
public struct GeomagneticField: Equatable, Sendable, BitwiseCopyable {
  /// The northern component, microtesla, positive towards true north.
  public let north: Scalar
  /// The eastern component, microtesla, positive towards the east.
  public let east: Scalar
  /// The vertical component, microtesla, positive downwards.
  public let down: Scalar

  /// Creates a field; all components are in microtesla.
  public init(north: Scalar, east: Scalar, down: Scalar) {
    self.north = north
    self.east = east
    self.down = down
  }

  /// The angle from true north to the direction of a compass needle, radians, positive to the east,
  /// -pi ... pi.
  public var declination: Scalar { atan2(east, north) }

  /// The angle by which a free needle dips below the horizon, radians, -pi/2 ... pi/2; positive in
  /// most of the northern hemisphere. Also called inclination.
  public var dip: Scalar { atan2(down, horizontal) }

  /// The strength of the horizontal component, which turns a compass needle, microtesla.
  public var horizontal: Scalar { sqrt(north * north + east * east) }

  /// The total strength, microtesla; 22 to 67 at the Earth's surface.
  public var total: Scalar { sqrt(north * north + east * east + down * down) }

  /// The reliability of a compass at this place.
  public var compassZone: CompassZone { CompassZone(horizontal: horizontal) }
}

/// The reliability of a compass, based on the strength of the horizontal field. These are the zones
/// around the magnetic poles in the WMM2025 technical report (section 1.5 and the charts).
public enum CompassZone: Equatable, Sendable, BitwiseCopyable {
  /// The horizontal field is 6 microtesla or more.
  case normal
  /// The horizontal field is 2 to 6 microtesla: compass heading and declination may be wrong by
  /// degrees.
  case caution
  /// The horizontal field is below 2 microtesla: neither compass heading nor declination is
  /// reliable.
  case blackout

  /// Creates the zone for a horizontal field in microtesla. Not-a-number gives `blackout`.
  public init(horizontal: Scalar) {
    self = horizontal >= 6 ? .normal : horizontal >= 2 ? .caution : .blackout
  }
}
