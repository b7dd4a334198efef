// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Simulation
import Boards
import Foundation
import Fusion
import Runtime
import Otolith
import Recordings
import ChipCatalog
import Registers
import Service
import SimulatedBuses
import Testing

/// The text of an error in `localizedDescription`, as programs show errors of any framework.
@Suite struct LocalizedErrorTests {
  /// Returns an error of each type that has a description.
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
      ResourceError(.thread, "otolith bus", errno: 11),
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
      BenchError(.missing, "/dev/otolith-bench"),
      try #require(#expect(throws: WiringError.self) { try Wiring([], ["imu"]) }),
      try #require(
        #expect(throws: SourceInUse.self) { try hub.use(ScriptedSource(.pressure)) }),
    ]
  }

  @Test func `an error's localized description is its description`() throws {
    for error in try Self.described() {
      #expect(error.localizedDescription == "\(error)", "\(type(of: error))")
    }
  }

  /// Every error type that programs or other modules see is in one of the two lists; those of
  /// commands are private.
  @Test func `every error type has a localized description`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var declared: Set<String> = []
    for case let file as URL in files
    where file.pathExtension == "swift" && !file.path.contains("/Sources/Tool/BoardCommands/")
      && !file.path.contains("/CommandOutput/")
    {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(
        of: /(?:public|package) (?:enum|struct|final class) (\w+): (?:[^{]*, )?Error\b/)
      {
        declared.insert(String(match.1))
      }
    }
    let errors = try Self.described() + Self.portable.map(\.error)
    #expect(declared == Set(errors.map { "\(type(of: $0))" }))
    #expect(errors.allSatisfy { ($0 as? any LocalizedError)?.errorDescription != nil })
  }

  /// Types of modules without texts: they print only cases and numbers.
  private static let portable: [(error: any Error, text: String)] =
    [
      (BusError.noAcknowledge, "no answer: check address, power, SDA and SCL, pull-ups"),
      (BusError.tooLong(limit: 32), "the adapter moves at most 32 bytes at once"),
      (BusError.system(errno: 5), "the transfer failed with errno 5"),
      (ChipError.bus(.busy, register: 0x75), "register 0x75: a driver of the kernel owns the chip"),
      (
        ChipError.identity(found: 0x71, register: 0x75),
        "register 0x75 holds 0x71, which is another chip's: check the chip's name and address"
      ),
      (
        ChipError.resetTimedOut, "the chip does not complete its reset: check its supply"
      ),
      (
        ChipError.rejected(register: 0x1A, wrote: 3, readBack: 0),
        "register 0x1A was set to 0x03 and holds 0x00: the chip lost power for a moment, or "
          + "another program uses it"
      ),
      (
        ChipError.unexpected(register: 0x1E, wanted: 0x01, found: 0x80),
        "register 0x1E holds 0x80 and not 0x01: the chip lost power for a moment, or is damaged"
      ),
      (
        ChipError.rejectedWord(FlatAddress(bank: 2, 0x01), wrote: 300, readBack: 0),
        "register 2:0x01 was set to 300 and holds 0: the chip lost power for a moment, or another "
          + "program uses it"
      ),
      (ChipError.unsupportedSetting, "the chip does not support this rate, range or read mode"),
      (ChipError.firmware, "the chip has no firmware by its manufacturer that it accepts"),
      (GeodeticPositionError.latitude, "a latitude is -90 to 90 degrees"),
      (GeodeticPositionError.longitude, "a longitude is -180 to 360 degrees"),
      (GeodeticPositionError.height, "a height is -1000 to 850000 metres"),
      (
        GeomagneticError.outsideValidity(year: 2031, from: 2025, until: 2030),
        "the World Magnetic Model is made for the years 2025.0 to 2030.0, not for 2031.0"
      ),
      (
        IMUAlignmentError.tooShort,
        "both sensors gave too few samples at the same time: record for longer, without gaps"
      ),
      (
        IMUAlignmentError.notMoved(rate: .pi / 36),
        "turned at only 5 degrees/s: turn it faster, about every axis"
      ),
      (
        IMUAlignmentError.unrelated(correlation: 0.25),
        "the two sensors do not measure the same motion (correlation 0.25): is one loose or broken?"
      ),
      (
        IMUAlignmentError.unrelated(correlation: nil),
        "the two sensors do not measure the same motion: is one loose or broken?"
      ),
      (
        AccelerationFitError.missing([FaceSet(.zUp), FaceSet(.xDown)]),
        "not all faces were measured; missing, facing up: -x, +z (chip axes)"
      ),
      (
        AccelerationFitError.undetermined,
        "the positions do not determine the chip's errors: choose others"
      ),
      (
        AccelerationFitError.implausible,
        "the errors are too large for a working chip: is its range right, and was it still?"
      ),
      (
        AccelerationFitError.inconsistent(residual: 0.0123),
        "the positions contradict each other by 12 mg: lay it on something that does not move"
      ),
      (
        MagneticSphereError.tooFew(3),
        "the field hardly changed: turn the board about all axes, not only to and fro"
      ),
      (
        MagneticSphereError.uncovered(share: 0.42),
        "the field was measured in 42 % of all directions: turn the board over and on each edge "
          + "too, and take more time"
      ),
      (
        MagneticSphereError.disturbed(residual: 7.25),
        "the field's strength still varies by 7.2 uT after the correction: a magnetic object "
          + "nearby does not turn with the board; move away from it"
      ),
      (
        MagneticSphereError.disturbed(residual: nil),
        "the fields do not form an ellipsoid: a magnetic object nearby does not turn with the "
          + "board; move away from it"
      ),
      (
        MagneticSphereError.notEarth(strength: 120),
        "the field is 120 uT strong, but the earth's is 22 to 67: is a magnet near, or the chip's "
          + "range wrong?"
      ),
      (
        MagneticSphereError.unexpected(strength: 60, expected: 48),
        "the field is 60 uT strong, and that of the board file's location 48: is the location "
          + "right, or steel near?"
      ),
      (MountingError.moved(spread: 0.3), "it was not held still"),
      (
        MountingError.notGravity(norm: 1.25),
        "1.25 g at rest is not gravity: calibrate the accelerometer first"
      ),
      (
        MountingError.notTurned(.pi / 6),
        "it was turned by only 30 degrees; upright is 90"
      ),
      (MountingError.turnedOver(.pi), "it was turned over, by 180 degrees; upright is 90"),
      (
        MountingError.contradicted(.pi / 4),
        "right edge down would be 45 degrees from that: the edge or the order was wrong"
      ),
      (
        RegisterQueryError(.register, "whoAmL", known: ["config", "whoAmI"]),
        "there is no register 'whoAmL'; did you mean whoAmI?"
      ),
      (RegisterQueryError(.register, "x", known: ["whoAmI"]), "there is no register 'x'"),
      (
        RegisterQueryError(.field, "slep", of: "power1", known: ["reset", "sleep"]),
        "power1 has no field 'slep'; did you mean sleep?"
      ),
      (
        RegisterQueryError(.field, "q", of: "power1", known: ["reset", "sleep"]),
        "power1 has no field 'q'; it has reset, sleep"
      ),
      (
        RegisterQueryError(.value, "2", of: "power1.sleep", known: ["0 to 1"]),
        "'2' is not a value of power1.sleep: it takes 0 to 1"
      ),
    ]

  @Test(arguments: portable.indices)
  func `an error of a module without texts says what it means`(_ index: Int) {
    #expect(Self.portable[index].error.localizedDescription == Self.portable[index].text)
    // Log lines print these errors without the other modules.
    #expect("\(Self.portable[index].error)" == Self.portable[index].text)
  }
}
