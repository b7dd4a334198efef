// SPDX-License-Identifier: Apache-2.0
import Boards
import Foundation
import Fusion
import Quantities
import MotionSources
import Runtime
import Testing

/// Tests of what a session knows about north. Angles and fields are NOAA's test values of WMM2025,
/// and sentences are compared as a whole.
@Suite struct TrueNorthTests {
  private func date(_ year: Int, _ month: Int = 1, _ day: Int = 1) throws -> CivilDate {
    try #require(CivilDate(year: year, month: month, day: day))
  }

  private func place(_ latitude: Double, _ longitude: Double, declination: Double? = nil) throws
    -> Location
  {
    Location(
      declination: declination.map(radians(fromDegrees:)),
      position: try GeodeticPosition(latitude: latitude, longitude: longitude))
  }

  @Test func `a position has the model's declination and field`() throws {
    let north = try #require(TrueNorth(at: try place(0, 120), on: try date(2025)))
    #expect(north.source == .model && north.warnings.isEmpty)
    #expect(abs(degrees(fromRadians: north.declination) - -0.16) < 0.005)
    let field = try #require(north.expectedField)
    #expect(abs(field.north - 39.6778) < 0.0001 && abs(field.down - -10.5802) < 0.0001)
    #expect(
      north.sentence
        == "declination -0.16 deg +- 0.29 deg, by WMM2025; expected field at 0.0, 120.0 in 2025.0: "
        + "41.06 uT, dip -14.93 deg")
  }

  @Test func `a declination of the file is taken as given`() throws {
    let location = Location(declination: radians(fromDegrees: 3.25))
    let north = try #require(TrueNorth(at: location, on: try date(2031)))
    #expect(north.source == .given && north.expectedField == nil && north.warnings.isEmpty)
    #expect(abs(degrees(fromRadians: north.declination) - 3.25) < 1e-12)
    #expect(north.sentence == "declination 3.25 deg, as given")
    #expect(TrueNorth(at: nil, on: try date(2027)) == nil)
    #expect(TrueNorth(at: Location(), on: try date(2027)) == nil)
  }

  /// The declination is the one that the board file gives, and the expected field is that of the
  /// model.
  @Test func `the angle is the file's, the field the model's`() throws {
    let location = try place(0, 120, declination: 3.25)
    let north = try #require(TrueNorth(at: location, on: try date(2025)))
    #expect(north.source == .given && north.declination == location.declination)
    #expect(try #require(north.expectedField).north > 39)
    #expect(
      north.sentence
        == "declination 3.25 deg, as given; expected field at 0.0, 120.0 in 2025.0: 41.06 uT, dip -14.93 deg"
    )
    // The date matters only to a declination that the model gives.
    let late = try #require(TrueNorth(at: location, on: try date(2031)))
    #expect(late.warnings.isEmpty && late.expectedField != nil)
  }

  /// A clock without a battery begins in 1970.
  @Test func `a clock that was never set is warned of`() throws {
    let north = try #require(TrueNorth(at: try place(0, 120), on: CivilDate(secondsSince1970: 7)))
    let begin = try #require(TrueNorth(at: try place(0, 120), on: try date(2025)))
    #expect(north.declination == begin.declination && north.sentence == begin.sentence)
    #expect(
      north.warnings == [
        "the date is 1970-01-01 and WMM2025 is made for 2025.0 to 2030.0: is the clock set? "
          + "The declination is that of 2025.0; set the clock, or give 'declination-deg'"
      ])
  }

  @Test func `a model that ran out is warned of`() throws {
    let last = try #require(TrueNorth(at: try place(0, 120), on: try date(2029, 12, 31)))
    #expect(last.warnings.isEmpty)
    let north = try #require(TrueNorth(at: try place(0, 120), on: try date(2031, 4, 2)))
    // The declination is that of the model's last day, which differs from the day before by a day's
    // change only.
    #expect(abs(north.declination - last.declination) < 1e-4)
    #expect(
      north.warnings == [
        "the date is 2031-04-02 and WMM2025 is made for 2025.0 to 2030.0: the declination is 1.25 years old; "
          + "use a newer release, or give 'declination-deg'"
      ])
  }

  @Test func `a magnetic pole nearby is warned of`() throws {
    // The first place is Resolute Bay, the second is the magnetic pole.
    let caution = try #require(TrueNorth(at: try place(74.7, -94.9), on: try date(2027)))
    #expect(caution.warnings.count == 1)
    #expect(caution.warnings.first?.hasSuffix("north may be off by several degrees") == true)
    let blackout = try #require(TrueNorth(at: try place(85.762, 139.298), on: try date(2025)))
    #expect(
      blackout.warnings == [
        "the horizontal field is 0.0 uT here, near a magnetic pole: a compass is useless here"
      ])
  }

  @Test func `a session has the declination and the field of its place`() throws {
    let board = try Fixtures.board(
      """
      otolith-board: 1
      name: Somewhere
      buses: { bus: { simulated: i2c } }
      chips:
        imu: { chip: "invensense,mpu6050", on: bus, address: 0x68 }
      location: { latitude-deg: 80, longitude-deg: 0 }

      """)
    let session = BoardSession(board, date: try date(2025))
    let declination = try #require(session.declination)
    #expect(abs(degrees(fromRadians: declination) - 1.28) < 0.005)
    #expect(abs(try #require(session.expectedField).down - 54.7915) < 0.0001)
    #expect(BoardSession(try Fixtures.still()).declination == nil)
  }

  /// The date is the one that Foundation's calendar gives, even if midnight falls between the two
  /// calls.
  @Test func `today is what the calendar says`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    func day() -> DateComponents { calendar.dateComponents([.year, .month, .day], from: Date()) }
    let (before, today, after) = (day(), CivilDate.today, day())
    let found = DateComponents(year: today.year, month: today.month, day: today.day)
    #expect([before, after].contains(found), "\(today)")
  }
}
