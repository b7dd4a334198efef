// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Fusion
internal import Logging
internal import Quantities

/// The direction of true north relative to magnetic north, and the Earth's magnetic field, at a
/// location on one day.
public struct TrueNorth: Sendable, Equatable {
  /// The source of the declination.
  public enum Source: Sendable, Equatable {
    /// The board file contains the declination.
    case given
    /// The World Magnetic Model gives the declination for the position.
    case model
  }

  /// The angle from true to magnetic north in radians, positive if the needle points east of true
  /// north.
  public let declination: Double
  public let source: Source
  /// The undisturbed field according to the model; `nil` if the position is unknown.
  public let expectedField: GeomagneticField?
  /// Warnings about the reliability of the declination, as messages for users.
  public let warnings: [String]
  /// A message of one sentence with the declination and its source.
  public let sentence: String

  /// Computes north at `location` on `date`; `nil` if there is no location. If the date is outside
  /// the validity of the model, for instance because a clock was never set, the nearest valid date
  /// is used, with a warning.
  public init?(at location: Location?, on date: CivilDate) {
    guard let location else { return nil }
    let model = GeomagneticModel.wmm2025
    let year = model.nearestValidYear(to: date.decimalYear)
    // The computation of the field cannot fail here, because `year` is a valid year of the model.
    let field = location.position.flatMap { try? model.field(at: $0, year: year) }
    guard let declination = location.declination ?? field?.declination else { return nil }
    self.declination = declination
    source = location.declination == nil ? .model : .given
    expectedField = field
    sentence = Self.sentence(declination, field, location, model, year)
    warnings = [
      source == .model ? Self.warning(about: date, model) : nil,
      field.flatMap { Self.warning(about: $0) },
    ].compactMap { $0 }
  }

  private static func sentence(
    _ declination: Double, _ field: GeomagneticField?, _ location: Location,
    _ model: GeomagneticModel, _ year: Double
  ) -> String {
    var text = "declination \(angle(declination)), as given"
    guard let field, let position = location.position else { return text }
    if location.declination == nil {
      let sigma = model.declinationUncertainty(horizontal: field.horizontal)
      text = "declination \(angle(declination)) +- \(angle(sigma)), by \(model.name)"
    }
    let place = "\(position.latitude), \(position.longitude) in \(rounded(year))"
    return text
      + "; expected field at \(place): \(rounded(field.total)) uT, dip \(angle(field.dip))"
  }

  private static func warning(about date: CivilDate, _ model: GeomagneticModel) -> String? {
    let year = date.decimalYear
    guard !model.isValid(in: year) else { return nil }
    let day = String(format: "%04d-%02d-%02d", date.year, date.month, date.day)
    let years = "\(model.name) is made for \(rounded(model.epoch)) to \(rounded(model.validUntil))"
    if year < model.epoch {
      return "the date is \(day) and \(years): is the clock set? The declination is that of "
        + "\(rounded(model.epoch)); set the clock, or give 'declination-deg'"
    }
    return "the date is \(day) and \(years): the declination is "
      + "\(rounded(year - model.validUntil)) years old; use a newer release, or give 'declination-deg'"
  }

  private static func warning(about field: GeomagneticField) -> String? {
    let strength =
      "the horizontal field is \(rounded(field.horizontal)) uT here, near a magnetic pole"
    return switch field.compassZone {
    case .normal: nil
    case .caution: "\(strength): north may be off by several degrees"
    case .blackout: "\(strength): a compass is useless here"
    }
  }

  private static func angle(_ radians: Double) -> String {
    "\(rounded(degrees(fromRadians: radians))) deg"
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// Logs the declination and the warnings.
  public func log() {
    logger.info("\(sentence)")
    for warning in warnings { logger.warning("\(warning)") }
  }
}

private let logger = Logger(label: "otolith.runtime")
