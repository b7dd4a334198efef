// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension GeomagneticModel {
  /// Returns the field at `position` in the decimal `year`. The result is finite everywhere, also
  /// at the poles. Throws if the year is outside the validity of the model, because the field
  /// changes by a few tenths of a degree in two or three years.
  public func field(at position: GeodeticPosition, year: Scalar) throws(GeomagneticError)
    -> GeomagneticField
  {
    guard isValid(in: year) else {
      throw .outsideValidity(year: year, from: epoch, until: validUntil)
    }
    let place = Spherical(position)
    let sphere = field(at: place, years: year - epoch)
    // Rotate from the sphere's horizon to the ellipsoid's, and convert nanotesla to microtesla.
    return GeomagneticField(
      north: (sphere.x * place.tiltCosine - sphere.z * place.tiltSine) / 1000,
      east: sphere.y / 1000,
      down: (sphere.x * place.tiltSine + sphere.z * place.tiltCosine) / 1000)
  }

  /// A place in coordinates relative to the centre of the Earth.
  private struct Spherical {
    /// Sine and cosine of the geocentric latitude; the cosine is never negative.
    var sine: Scalar
    var cosine: Scalar
    /// The longitude in radians, positive to the east.
    var longitude: Scalar
    /// The distance from the centre, as a multiple of the radius of the model's reference sphere.
    var radius: Scalar
    /// Sine and cosine of the difference between geocentric and geodetic latitude.
    var tiltSine: Scalar
    var tiltCosine: Scalar

    init(_ position: GeodeticPosition) {
      let latitude = radians(fromDegrees: position.latitude)
      let (up, out) = (sin(latitude), cos(latitude))
      // Semi-major axis in metres and flattening of the WGS 84 ellipsoid (NGA.STND.0036).
      let axis = 6_378_137.0
      let flattening = 1 / 298.257223563
      let squaredEccentricity = flattening * (2 - flattening)
      let curvature = axis / sqrt(1 - squaredEccentricity * up * up)
      let fromAxis = (curvature + position.height) * out
      let fromEquator = (curvature * (1 - squaredEccentricity) + position.height) * up
      let distance = sqrt(fromAxis * fromAxis + fromEquator * fromEquator)
      sine = fromEquator / distance
      cosine = fromAxis / distance
      longitude = radians(fromDegrees: position.longitude)
      // The radius of the sphere to which the coefficients refer is 6371.2 km.
      radius = distance / 6_371_200
      tiltSine = sine * out - cosine * up
      tiltCosine = cosine * out + sine * up
    }
  }

  /// Returns the north, east and down components on the sphere in nanotesla, `years` after the
  /// epoch.
  ///
  /// Legendre functions of an order above 0 are stored without their factor cos(latitude). The east
  /// component needs them without this factor, and their derivative with respect to latitude then
  /// needs no division, so nothing is singular at a pole.
  private func field(at place: Spherical, years: Scalar) -> Vector3 {
    // Use a span, because otherwise each subscript copies the whole array to the stack.
    let rows = coefficients.span
    var field = Vector3.zero
    let (sinOne, cosOne) = (sin(place.longitude), cos(place.longitude))
    // Sine and cosine of the order times the longitude.
    var (sine, cosine) = (0.0, 1.0)
    // (a/r)^(m + 2), and the reduced function whose degree and order are both m.
    var power = 1 / (place.radius * place.radius)
    var sectoral = 1.0
    for m in 0...Self.degree {
      let order = Scalar(m)
      var scale = power
      // Legendre functions of this degree and of the two previous degrees. The derivative with
      // respect to sin(latitude) belongs to order 0.
      var (value, last, beforeLast) = (sectoral, 0.0, 0.0)
      var derivative = 0.0
      for n in m...Self.degree {
        let degree = Scalar(n)
        let root = sqrt(degree * degree - order * order)
        if n > m {
          let rootBefore = sqrt((degree - 1) * (degree - 1) - order * order)
          (last, beforeLast) = (value, last)
          value = ((2 * degree - 1) * place.sine * last - rootBefore * beforeLast) / root
          derivative = place.sine * derivative + degree * last
        }
        if n > 0 {
          let row = rows[n * (n + 1) / 2 + m - 1]
          let g = (Scalar(row.g) + Scalar(row.gRate) * years) / 10
          let h = (Scalar(row.h) + Scalar(row.hRate) * years) / 10
          let along = (g * cosine + h * sine) * scale
          let slopeToSouth =
            m == 0
            ? -derivative * place.cosine : degree * place.sine * value - root * last
          field.x += along * slopeToSouth
          field.y += (g * sine - h * cosine) * scale * order * value
          field.z -= (degree + 1) * along * (m == 0 ? value : value * place.cosine)
        }
        scale /= place.radius
      }
      (sine, cosine) = (sine * cosOne + cosine * sinOne, cosine * cosOne - sine * sinOne)
      power /= place.radius
      // The reduced function of degree and order 1 is 1. Each further function has one more factor
      // cos(latitude).
      sectoral = m == 0 ? 1 : sectoral * place.cosine * sqrt((2 * order + 1) / (2 * order + 2))
    }
    return field
  }
}
