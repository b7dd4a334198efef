// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The earth's magnetic field at a place, in that place's directions: along the ellipsoid's meridian, its parallel and
/// its normal. At the poles, where every direction is south or north, in those of the meridian that was asked for.
public struct GeomagneticField: Equatable, Sendable, BitwiseCopyable {
  /// Microtesla, positive towards true north.
  public let north: Scalar
  /// Microtesla, positive towards the east.
  public let east: Scalar
  /// Microtesla, positive downwards.
  public let down: Scalar

  /// All in microtesla.
  public init(north: Scalar, east: Scalar, down: Scalar) {
    self.north = north
    self.east = east
    self.down = down
  }

  /// From true north to where a compass needle points, radians, positive eastwards, -pi ... pi.
  public var declination: Scalar { atan2(east, north) }

  /// How far a free needle dips below the horizon, radians, -pi/2 ... pi/2; positive in most of the northern hemisphere.
  /// Also called inclination.
  public var dip: Scalar { atan2(down, horizontal) }

  /// The strength in the horizontal plane, microtesla: what a compass turns by.
  public var horizontal: Scalar { sqrt(north * north + east * east) }

  /// The strength, microtesla; 22 to 67 at the earth's surface.
  public var total: Scalar { sqrt(north * north + east * east + down * down) }

  /// How much a compass is worth at this place.
  public var compassZone: CompassZone { CompassZone(horizontal: horizontal) }
}

/// How much a compass is worth, by the strength of the horizontal field: the zones about the magnetic poles in the WMM2025
/// technical report (section 1.5 and the charts).
public enum CompassZone: Equatable, Sendable, BitwiseCopyable {
  /// 6 microtesla and more.
  case normal
  /// 2 to 6 microtesla: compass and declination may be off by degrees.
  case caution
  /// Below 2 microtesla: neither is to be relied upon.
  case blackout

  /// The zone of a horizontal field in microtesla. What is no number is blackout.
  public init(horizontal: Scalar) {
    self = horizontal >= 6 ? .normal : horizontal >= 2 ? .caution : .blackout
  }
}
