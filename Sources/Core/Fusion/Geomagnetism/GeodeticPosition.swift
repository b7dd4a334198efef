// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A place on, above or below the surface of the Earth, relative to the ellipsoid of WGS 84.
/// Satellite receivers give positions in this form.
public struct GeodeticPosition: Equatable, Sendable, BitwiseCopyable {
  /// The latitude in degrees, -90 (south pole) ... 90 (north pole).
  public let latitude: Scalar
  /// The longitude in degrees, positive to the east, -180 ..< 180.
  public let longitude: Scalar
  /// The height in metres above the ellipsoid. Mean sea level is -107 ... 86 m above the ellipsoid.
  /// This difference does not affect a compass, so a height above sea level may be used instead.
  public let height: Scalar

  /// The valid latitudes, in degrees.
  public static var latitudes: ClosedRange<Scalar> { -90...90 }
  /// The valid longitudes in degrees: positive to the east and negative to the west, or 0 to 360 to
  /// the east.
  public static var longitudes: ClosedRange<Scalar> { -180...360 }
  /// The heights in metres for which the World Magnetic Model is valid (WMM2025 technical report,
  /// section 1).
  public static var heights: ClosedRange<Scalar> { -1_000...850_000 }

  /// Creates the place at `latitude` and `longitude` in degrees and `height` in metres above the
  /// ellipsoid. Throws if a value is outside `latitudes`, `longitudes` or `heights`, or is not a
  /// number.
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
  /// The latitude is outside `GeodeticPosition.latitudes`.
  case latitude
  /// The longitude is outside `GeodeticPosition.longitudes`.
  case longitude
  /// The height is outside `GeodeticPosition.heights`.
  case height
}
