// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// Properties of a field whatever its coefficients are: no place and no day is special.
@Suite struct FieldShapeTests {
  private func field(_ latitude: Double, _ longitude: Double, year: Double = 2027) throws
    -> GeomagneticField
  {
    try PublishedFieldTests.field(latitude, longitude, 0, year)
  }

  /// Returns the horizontal field in directions that do not turn with the meridian: towards
  /// Greenwich's side and 90 degrees east.
  private func inPlane(_ field: GeomagneticField, longitude: Double) -> (Double, Double) {
    let angle = radians(fromDegrees: longitude)
    return (
      field.north * cos(angle) + field.east * sin(angle),
      field.north * sin(angle) - field.east * cos(angle)
    )
  }

  /// The field at a pole is one vector seen from every meridian, and the limit of the field around
  /// it.
  @Test(arguments: [90.0, -90.0])
  func `the field at a pole is one vector, seen along every meridian`(_ latitude: Double) throws {
    // Northward is towards the pole in one hemisphere, and away from it in the other.
    let side = latitude > 0 ? 1.0 : -1.0
    func plane(_ latitude: Double, _ longitude: Double) throws -> (Double, Double) {
      inPlane(try field(latitude, longitude), longitude: side * longitude)
    }
    let first = try plane(latitude, 0)
    let down = try field(latitude, 0).down
    for longitude in stride(from: -180.0, through: 180, by: 15) {
      let here = try field(latitude, longitude)
      #expect(here.north.isFinite && here.east.isFinite && here.down.isFinite)
      #expect(abs(here.down - down) < 1e-9)
      let there = try plane(latitude, longitude)
      #expect(abs(there.0 - first.0) < 1e-9 && abs(there.1 - first.1) < 1e-9)
      // 11 m away the field differs by a few tenths of a nanotesla.
      let near = try plane(latitude - side * 0.0001, longitude)
      #expect(abs(near.0 - first.0) < 0.0005 && abs(near.1 - first.1) < 0.0005)
    }
    // 57 and 54 microtesla, from the WMM2025 charts of the total field.
    #expect(try abs(field(latitude, 0).total - 56) < 2)
  }

  @Test func `longitudes wrap, and the field meets itself at 180`() throws {
    for latitude in [-60.0, 0, 35] {
      #expect(try field(latitude, 240) == field(latitude, -120))
      #expect(try field(latitude, 360) == field(latitude, 0))
      #expect(try field(latitude, 180) == field(latitude, -180))
      let (west, east) = (try field(latitude, 179.99999), try field(latitude, -179.99999))
      #expect(abs(west.north - east.north) < 1e-5 && abs(west.east - east.east) < 1e-5)
    }
  }

  /// A hundredth of a degree is 1.1 km, over which the core's field changes by at most 20 nT.
  @Test func `the field is continuous, and as strong as the earth's is`() throws {
    var random = SplitMix(state: 11)
    for _ in 0..<2000 {
      let latitude = Double.random(in: -89.9...89.9, using: &random)
      let longitude = Double.random(in: -180...180, using: &random)
      let (a, b) = (try field(latitude, longitude), try field(latitude + 0.01, longitude))
      #expect(abs(a.down - b.down) < 0.02 && abs(a.total - b.total) < 0.02)
      // The range of the strength at the Earth's surface, from the WMM2025 chart of F.
      #expect(a.total > 21.5 && a.total < 68)
    }
  }

  /// There is no magnetic charge: the flux through the closed surface of the ellipsoid, whose
  /// normal is `down`, is zero.
  @Test func `no flux leaves the Earth`() throws {
    let squaredEccentricity = 0.00669437999014
    var (flux, all) = (0.0, 0.0)
    for latitude in stride(from: -89.5, through: 89.5, by: 1) {
      let angle = radians(fromDegrees: latitude)
      // The area of a piece of the ellipsoid, up to a constant factor.
      let area = cos(angle) / pow(1 - squaredEccentricity * sin(angle) * sin(angle), 2)
      for longitude in stride(from: -177.5, through: 177.5, by: 5) {
        let down = try field(latitude, longitude).down
        flux += down * area
        all += abs(down) * area
      }
    }
    #expect(abs(flux / all) < 1e-4)
  }

  /// At a hundred places a year changes the field by a fifth of what five years do.
  @Test func `the field changes linearly from year to year`() throws {
    for latitude in stride(from: -80.0, through: 80, by: 20) {
      for longitude in stride(from: -180.0, through: 150, by: 30) {
        let years = try [2025.0, 2026, 2030].map { try field(latitude, longitude, year: $0).down }
        #expect(abs((years[2] - years[0]) - 5 * (years[1] - years[0])) < 1e-9)
      }
    }
  }

  @Test func `years outside the model are refused, and the nearest is named`() throws {
    let model = GeomagneticModel.wmm2025
    #expect(model.epoch == 2025 && model.validUntil == 2030)
    for year in [2025.0, 2027.3, 2030] { _ = try field(50, 8, year: year) }
    for year in [1970.0, 2024.999, 2030.001, .infinity] {
      #expect(
        throws: GeomagneticError.outsideValidity(year: year, from: 2025, until: 2030)
      ) { try field(50, 8, year: year) }
    }
    #expect(throws: GeomagneticError.self) { try field(50, 8, year: .nan) }
    let years: [Double] = [1970, 2027.5, 2031, .nan]
    #expect(years.map { model.nearestValidYear(to: $0) } == [2025, 2027.5, 2030, 2025])
  }

  /// The magnetic poles of WMM2025 at 2025.0: 85.762 N 139.298 E and 63.851 S 135.078 E (NOAA NCEI, Wandering of the
  /// Geomagnetic Poles).
  @Test(arguments: [(85.762, 139.298, 1.0), (-63.851, 135.078, -1.0)])
  func `at a magnetic pole the field stands upright`(
    _ latitude: Double, _ longitude: Double, _ side: Double
  ) throws {
    let field = try field(latitude, longitude, year: 2025)
    #expect(field.horizontal < 0.02 && field.compassZone == .blackout, "\(field)")
    #expect(side * degrees(fromRadians: field.dip) > 89.97)
  }

  @Test func `zones go by the horizontal field`() throws {
    let zones: [(Double, CompassZone)] = [
      (0, .blackout), (1.999, .blackout), (2, .caution), (5.999, .caution), (6, .normal),
      (40, .normal), (.nan, .blackout),
    ]
    for (horizontal, zone) in zones { #expect(CompassZone(horizontal: horizontal) == zone) }
    // Resolute Bay is in the caution zone, Zurich is not (WMM2025 charts of H).
    #expect(try field(74.7, -94.9).compassZone == .caution)
    #expect(try field(47.4, 8.5).compassZone == .normal)
  }

  @Test func `ten fields allocate nothing`() throws {
    let position = try GeodeticPosition(latitude: 48, longitude: 16)
    var sum = 0.0
    // The first use creates the table.
    sum += try GeomagneticModel.wmm2025.field(at: position, year: 2026).total
    let before = otolith_allocations_of_thread()
    for step in 0..<10 {
      sum += try GeomagneticModel.wmm2025.field(at: position, year: 2026 + 0.1 * Double(step)).total
    }
    #expect(otolith_allocations_of_thread() == before)
    #expect(sum > 11 * 45)
  }

  /// The report's formula computed by hand: the square root of 0.26^2 + (5417 / H)^2, with H in nT.
  @Test func `the declination's uncertainty is the report's formula`() {
    let model = GeomagneticModel.wmm2025
    func uncertainty(_ horizontal: Double) -> Double {
      degrees(fromRadians: model.declinationUncertainty(horizontal: horizontal))
    }
    #expect(abs(uncertainty(20) - 0.37545) < 1e-4)
    #expect(abs(uncertainty(2) - 2.72095) < 1e-4)
    #expect(uncertainty(0) == 180)
  }
}
