// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The earth's magnetic field at a place, by components along the ellipsoid's meridian, parallel
/// and normal at that place. At the poles, where every direction is south or north, the components
/// are along the requested meridian.
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

  /// The angle from true north to the direction of a compass needle, radians, positive eastwards,
  /// -pi ... pi.
  public var declination: Scalar { atan2(east, north) }

  /// The dip of a free needle below the horizon, radians, -pi/2 ... pi/2; positive in most of the
  /// northern hemisphere. Also called inclination.
  public var dip: Scalar { atan2(down, horizontal) }

  /// The strength in the horizontal plane, which turns a compass, microtesla.
  public var horizontal: Scalar { sqrt(north * north + east * east) }

  /// The strength, microtesla; 22 to 67 at the earth's surface.
  public var total: Scalar { sqrt(north * north + east * east + down * down) }

  /// The reliability of a compass at this place.
  public var compassZone: CompassZone { CompassZone(horizontal: horizontal) }
}

/// The reliability of a compass by the strength of the horizontal field: the zones about the
/// magnetic poles in the WMM2025 technical report (section 1.5 and the charts).
public enum CompassZone: Equatable, Sendable, BitwiseCopyable {
  /// 6 microtesla and more.
  case normal
  /// 2 to 6 microtesla: compass heading and declination may be off by degrees.
  case caution
  /// Below 2 microtesla: neither compass heading nor declination is reliable.
  case blackout

  /// Creates the zone for a horizontal field in microtesla. Not-a-number gives blackout.
  public init(horizontal: Scalar) {
    self = horizontal >= 6 ? .normal : horizontal >= 2 ? .caution : .blackout
  }
}
