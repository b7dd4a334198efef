// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A place on, under or above the earth, on the ellipsoid of WGS 84 as satellite receivers give
/// positions.
public struct GeodeticPosition: Equatable, Sendable, BitwiseCopyable {
  /// The latitude in degrees, -90 (south pole) ... 90 (north pole).
  public let latitude: Scalar
  /// The longitude in degrees, east positive, -180 ..< 180.
  public let longitude: Scalar
  /// The height in metres above the ellipsoid. Mean sea level lies within -107 ... 86 m of it, a
  /// difference that does not affect a compass, so a height above the sea may be used instead.
  public let height: Scalar

  /// The valid latitudes, in degrees.
  public static var latitudes: ClosedRange<Scalar> { -90...90 }
  /// The valid longitudes, in degrees: east positive, west negative, or 0 to 360 eastwards.
  public static var longitudes: ClosedRange<Scalar> { -180...360 }
  /// The heights in metres for which the World Magnetic Model is made (WMM2025 technical report,
  /// section 1).
  public static var heights: ClosedRange<Scalar> { -1_000...850_000 }

  /// Creates the place at `latitude` and `longitude` in degrees and `height` in metres above the
  /// ellipsoid. Throws if one of them is outside of `latitudes`, `longitudes` or `heights`, or is
  /// not a number.
  public init(latitude: Scalar, longitude: Scalar, height: Scalar = 0)
    throws(GeodeticPositionError)
  {
    guard Self.latitudes.contains(latitude) else { throw .latitude }
    guard Self.longitudes.contains(longitude) else { throw .longitude }
    guard Self.heights.contains(height) else { throw .height }
    self.latitude = latitude
    self.longitude = longitude < 180 ? longitude : longitude - 360
    self.height = height
  }
}

/// The invalid part of a position.
public enum GeodeticPositionError: Error, Equatable, Sendable, BitwiseCopyable {
  /// The latitude is outside of `GeodeticPosition.latitudes`.
  case latitude
  /// The longitude is outside of `GeodeticPosition.longitudes`.
  case longitude
  /// The height is outside of `GeodeticPosition.heights`.
  case height
}
