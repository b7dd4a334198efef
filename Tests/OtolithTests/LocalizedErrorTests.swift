// SPDX-License-Identifier: Apache-2.0
import Boards
import Buses
import Foundation
import Geomagnetism
import InterProcess
import Otolith
import Recordings
import Registers
import Runtime
import Service
import Testing

/// The text of an error by `localizedDescription`, as programs show every framework's.
@Suite struct LocalizedErrorTests {
  /// An error of each type that has a description.
  private static func described() throws -> [any Error] {
    let board = BoardError(file: "x.yaml", line: 2, column: 3, found: "unknown key 'buss'")
    let denied = SessionError.denied()
    guard case .open(let open) = denied else { throw denied }
    let history = HistoryError(.noSpace, path: "/data", reason: "No space left on device")
    let hub = MotionHub()
    try hub.use(ScriptedSource(.pressure, name: "barometer"))
    #expect(hub.source != nil)
    return [
      board, BoardErrors([board]), denied, open,
      SessionError.missing(.pressure, source: "still"),
      RecordingError(.noInput, file: "walk.csv", found: "no such file"),
      FileWriterError(.readerGone, file: "walk.csv", reason: "nothing reads it"),
      ServiceFailure(.absent, "no service at /run/otolith.sock"),
      ServiceRefusal(.full, "64 programs are connected"),
      SystemError(errno: 13), history, RecorderError.history(history),
      MovementError.silent("the accelerometer does not answer"),
      SensorFailure(channels: .pressure, description: "the barometer does not answer"),
      try #require(
        #expect(throws: HeldError.self) { try SimulationDescription.Motion.held("weight=1") }),
      try #require(#expect(throws: MalformedPacket.self) { try ServiceRequest([]) }),
      try #require(
        #expect(throws: SocketError.self) {
          _ = try ListeningSocket(path: "/nowhere/at/all", kind: .packets)
        }),
      try #require(
        #expect(throws: SourceInUse.self) { try hub.use(ScriptedSource(.pressure)) }),
    ]
  }

  @Test func `an error's localized description is its description`() throws {
    for error in try Self.described() {
      #expect(error.localizedDescription == "\(error)", "\(type(of: error))")
    }
  }

  /// Types of the portable core, which has no texts: cases and numbers are all that they print.
  @Test(
    arguments: [
      (BusError.noAcknowledge, "no answer: check address, power, SDA and SCL, pull-ups"),
      (BusError.tooLong(limit: 32), "the adapter moves at most 32 bytes at once"),
      (BusError.system(errno: 5), "the transfer failed with errno 5"),
      (ChipError.bus(.busy, register: 0x75), "register 0x75: a driver of the kernel owns the chip"),
      (
        ChipError.identity(found: 0x71, register: 0x75),
        "register 0x75 holds 0x71, which is another chip's: check the chip's name and address"
      ),
      (
        ChipError.resetTimedOut, "the chip does not come out of its reset: check its supply"
      ),
      (
        ChipError.rejected(register: 0x1A, wrote: 3, readBack: 0),
        "register 0x1A was set to 0x03 and holds 0x00: the chip lost power for a moment, or "
          + "another program uses it"
      ),
      (
        ChipError.rejectedWord(FlatAddress(bank: 2, 0x01), wrote: 300, readBack: 0),
        "register 2:0x01 was set to 300 and holds 0: the chip lost power for a moment, or another "
          + "program uses it"
      ),
      (ChipError.unsupportedSetting, "the chip cannot sample that fast, that wide or that way"),
      (GeodeticPositionError.latitude, "a latitude is -90 to 90 degrees"),
      (GeodeticPositionError.longitude, "a longitude is -180 to 360 degrees"),
      (GeodeticPositionError.height, "a height is -1000 to 850000 metres"),
      (
        GeomagneticError.outsideValidity(year: 2031, from: 2025, until: 2030),
        "the World Magnetic Model is made for the years 2025.0 to 2030.0, not for 2031.0"
      ),
    ] as [(any Error, String)])
  func `an error of the portable core says what it means`(_ error: any Error, _ text: String) {
    #expect(error.localizedDescription == text)
  }
}
