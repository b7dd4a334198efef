// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A model of the magnetic field that arises in the Earth's core. It consists of spherical
/// harmonics up to degree and order 12, whose coefficients change by the same amount every year
/// (Chulliat et al., The US/UK World Magnetic Model for 2025-2030: Technical Report, NOAA NCEI
/// 2025, doi:10.25923/prbc-s316). docs/fusion.md contains the equations.
public struct GeomagneticModel: Sendable {
  /// The published name of the model, such as `WMM-2025`.
  public let name: StaticString
  /// The epoch: the decimal year of the coefficients, in which the validity of the model begins.
  public let epoch: Scalar
  /// The decimal year at which the validity of the model ends.
  public let validUntil: Scalar
  /// The coefficients, ordered by degree and then by order: (1, 0), (1, 1), (2, 0) ... (12, 12).
  let coefficients: InlineArray<90, Coefficient>

  /// The highest degree and order of the model.
  static var degree: Int { 12 }

  /// Schmidt semi-normalised coefficients as published, in tenths of a nanotesla, and tenths of a
  /// nanotesla per year.
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

  /// Returns the year nearest to `year` in which the model is valid. Not-a-number gives the epoch
  /// of the model.
  public func nearestValidYear(to year: Scalar) -> Scalar {
    year > epoch ? (year < validUntil ? year : validUntil) : epoch
  }

  /// Returns the standard deviation of the declination, in radians and at most half a turn, at a
  /// place where the horizontal field is `horizontal` microtesla. It follows the error model of the
  /// WMM2025 technical report (section 3), which includes what the model omits, such as magnetic
  /// rock and currents in the atmosphere.
  public func declinationUncertainty(horizontal: Scalar) -> Scalar {
    let squared = 0.26 * 0.26 + (5.417 / horizontal) * (5.417 / horizontal)
    return squared < 180 * 180 ? squared.squareRoot() * (Scalar.pi / 180) : Scalar.pi
  }
}

/// The reason why a model returns no field.
public enum GeomagneticError: Error, Equatable, Sendable, BitwiseCopyable {
  /// The model is valid for the decimal years `from` ... `until`, not for `year`.
  case outsideValidity(year: Scalar, from: Scalar, until: Scalar)
}
