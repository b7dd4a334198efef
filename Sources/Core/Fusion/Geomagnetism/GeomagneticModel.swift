// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A model of the field that arises in the earth's core: spherical harmonics to degree and order
/// 12, whose coefficients change by the same amount every year (Chulliat et al., The US/UK World
/// Magnetic Model for 2025-2030: Technical Report, NOAA NCEI 2025, doi:10.25923/prbc-s316).
/// docs/fusion.md has the equations.
public struct GeomagneticModel: Sendable {
  /// The name of the model, such as `WMM-2025`, as published.
  public let name: StaticString
  /// The epoch: the decimal year of the coefficients, from which on the model is valid.
  public let epoch: Scalar
  /// The decimal year at which the validity of the model ends.
  public let validUntil: Scalar
  /// The coefficients in the order of degree and then order, (1, 0), (1, 1), (2, 0) ... (12, 12).
  let coefficients: InlineArray<90, Coefficient>

  /// The highest degree and order of the model.
  static var degree: Int { 12 }

  /// Schmidt semi-normalised coefficients as they are published: tenths of a nanotesla, and of a
  /// nanotesla a year.
  struct Coefficient: Sendable, BitwiseCopyable {
    let g: Int32
    let h: Int32
    let gRate: Int16
    let hRate: Int16

    init(_ g: Int32, _ h: Int32, _ gRate: Int16, _ hRate: Int16) {
      self.g = g
      self.h = h
      self.gRate = gRate
      self.hRate = hRate
    }
  }

  /// Returns true if the model is valid in this decimal year.
  public func isValid(in year: Scalar) -> Bool { year >= epoch && year <= validUntil }

  /// Returns the year nearest to `year` in which the model is valid; for not-a-number the model's
  /// epoch.
  public func nearestValidYear(to year: Scalar) -> Scalar {
    year > epoch ? (year < validUntil ? year : validUntil) : epoch
  }

  /// Returns the one-sigma uncertainty of the declination in radians, where the horizontal field is
  /// `horizontal` microtesla: the error model of the WMM2025 technical report (section 3), which
  /// includes what the model leaves out, such as magnetic rock and currents in the air. At most
  /// half a turn.
  public func declinationUncertainty(horizontal: Scalar) -> Scalar {
    let squared = 0.26 * 0.26 + (5.417 / horizontal) * (5.417 / horizontal)
    return squared < 180 * 180 ? squared.squareRoot() * (Scalar.pi / 180) : Scalar.pi
  }
}

/// The reason why a model gives no field.
public enum GeomagneticError: Error, Equatable, Sendable, BitwiseCopyable {
  /// The model is valid for the decimal years `from` ... `until`, not for `year`.
  case outsideValidity(year: Scalar, from: Scalar, until: Scalar)
}
