// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A place on, under or above the earth, on the ellipsoid of WGS 84 as satellite receivers give it.
public struct GeodeticPosition: Equatable, Sendable, BitwiseCopyable {
  /// Degrees, -90 (south pole) ... 90 (north pole).
  public let latitude: Scalar
  /// Degrees, east positive, -180 ..< 180.
  public let longitude: Scalar
  /// Metres above the ellipsoid. Mean sea level lies within -107 ... 86 m of it, which no compass feels: a height above
  /// the sea does as well.
  public let height: Scalar

  /// The latitudes that there are, in degrees.
  public static var latitudes: ClosedRange<Scalar> { -90...90 }
  /// The longitudes that are understood, in degrees: counted either way from Greenwich.
  public static var longitudes: ClosedRange<Scalar> { -180...360 }
  /// The heights in metres for which the World Magnetic Model is made (WMM2025 technical report, section 1).
  public static var heights: ClosedRange<Scalar> { -1_000...850_000 }

  /// The place at `latitude` and `longitude` in degrees and `height` in metres above the ellipsoid. Throws where one of
  /// them is outside of `latitudes`, `longitudes` or `heights`, or is no number.
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

/// What is wrong with a position.
public enum GeodeticPositionError: Error, Equatable, Sendable, BitwiseCopyable {
  /// Outside of `GeodeticPosition.latitudes`.
  case latitude
  /// Outside of `GeodeticPosition.longitudes`.
  case longitude
  /// Outside of `GeodeticPosition.heights`.
  case height
}
