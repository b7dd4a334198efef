// SPDX-License-Identifier: Apache-2.0
import Boards
import BringUp
import Registers
import ChipCatalog
import Foundation
import LinuxBus
import MotionSources
import Runtime
import Sensors
import Testing

/// Tests of the choice of a board, and of what is said about the choice.
@Suite struct SelectionTests {
  static let folder = FileManager.default.temporaryDirectory.path() + "/otolith-selection"

  /// Writes a board file of this name into a folder of this run. Returns its path.
  static func file(_ name: String) throws -> String {
    let folder = Self.folder + "-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = "\(folder)/\(name).yaml"
    try """
    otolith-board: 1
    name: \(name)
    buses: { bus: { simulated: i2c } }
    chips: { imu: { chip: "invensense,mpu6050", on: bus, address: 0x68 } }

    """.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  static func entry(_ name: String) throws -> ChipDescription {
    try #require(ChipCatalog.entry(named: name)).description
  }

  static func finding(
    _ chip: String, _ bus: String, _ address: UInt8?, identity: UInt8?
  ) throws -> ChipFinding {
    ChipFinding(
      bus: bus, address: address, candidate: try entry(chip), identity: identity, error: nil,
      owner: nil
    )
  }

  static func detection() throws -> DetectionResult {
    var detection = DetectionResult()
    detection.buses = ["/dev/i2c-1"]
    detection.findings = [
      try finding("invensense,mpu6050", "/dev/i2c-1", 0x69, identity: 0x68)
    ]
    return detection
  }

  /// Each of the five ways to choose a board is taken only if those before it give none.
  @Test func `each way to choose a board comes where those before it fail`() throws {
    let asked = try Self.file("asked")
    let named = try Self.file("named")
    let system = try Self.file("system")
    let environment = ["OTOLITH_BOARD": named, "HOME": "/"]
    let detection = try Self.detection()
    var searches = 0
    func choose(_ path: String?, _ environment: [String: String], _ system: String)
      throws -> BoardSelection
    {
      try BoardSelection.choose(path: path, environment: environment, systemPath: system) {
        searches += 1
        return detection
      }
    }
    let first = try choose(asked, environment, system)
    #expect(first.reason == .requested && first.sentence == "asked, \(asked), requested")
    let second = try choose(nil, environment, system)
    #expect(second.reason == .environment)
    #expect(second.sentence == "named, \(named), named by $OTOLITH_BOARD")
    let third = try choose(nil, ["OTOLITH_BOARD": ""], system)
    #expect(third.reason == .systemFile)
    #expect(third.sentence == "system, \(system), this machine's own")
    // No bus is searched if the board is already known.
    #expect(searches == 0)
    let fourth = try choose(nil, [:], "/nonexistent/board.yaml")
    #expect(fourth.reason == .detected && searches == 1)
    #expect(
      fourth.sentence == "Detected, (detected), detected: invensense,mpu6050 on i2c-1")
    let fifth = try BoardSelection.choose(
      path: nil, environment: [:], systemPath: "/nonexistent/board.yaml"
    ) { DetectionResult() }
    #expect(fifth.reason == .nothingElse && fifth.remarks.isEmpty)
    #expect(
      fifth.sentence
        == "Simulated board, simulated.yaml (built in), as there is no --board, $OTOLITH_BOARD, "
        + "/etc/otolith/board.yaml or detected chip")
  }

  /// Versions 1 and 2 of one HAT are distinguished by their barometers (at 0x5C: identity 0xBD or
  /// 0xB1).
  static let versions:
    [(product: String, barometer: (chip: String, identity: UInt8), board: String)] = [
      ("Sense HAT", ("st,lps25h", 0xBD), "raspberry-pi-sense-hat"),
      ("Sense HAT", ("st,lps22hb", 0xB1), "raspberry-pi-sense-hat-v2"),
      ("Sense HAT V2", ("st,lps22hb", 0xB1), "raspberry-pi-sense-hat-v2"),
    ]

  @Test(arguments: versions.indices) func `a HAT is known by its memory and its chips`(_ index: Int)
    throws
  {
    let version = Self.versions[index]
    var detection = try Self.detection()
    detection.hat = version.product
    let bus = "/dev/i2c-1"
    detection.findings += [
      // Two rows of the catalog accept 0x3D: the first, and the one that the board names.
      try Self.finding("st,lis3mdl", bus, 0x1C, identity: 0x3D),
      try Self.finding("st,lsm9ds1-magn", bus, 0x1C, identity: 0x3D),
      try Self.finding("st,lsm9ds1-imu", bus, 0x6A, identity: 0x68),
      try Self.finding("st,hts221", bus, 0x5F, identity: 0xBC),
      try Self.finding(version.barometer.chip, bus, 0x5C, identity: version.barometer.identity),
    ]
    let selection = try BoardSelection.choose(
      path: nil, environment: [:], systemPath: "/nonexistent/board.yaml"
    ) { detection }
    #expect(selection.reason == .hat(version.product))
    #expect(
      selection.sentence.hasSuffix(
        ", \(version.board).yaml (built in), as the HAT on the header identifies as "
          + "'\(version.product)'"))
    #expect(
      detection.explanation.first == "HAT: '\(version.product)', board \(version.board)")
  }

  @Test func `of a HAT whose chips do not answer the board of that name is taken`() throws {
    var detection = DetectionResult()
    detection.hat = "Sense HAT"
    #expect(detection.explanation.first == "HAT: 'Sense HAT', board raspberry-pi-sense-hat")
  }

  @Test func `of a HAT that is not known the chips count`() throws {
    var detection = try Self.detection()
    detection.hat = "Other HAT"
    let selection = try BoardSelection.choose(
      path: nil, environment: [:], systemPath: "/nonexistent/board.yaml"
    ) { detection }
    #expect(selection.reason == .detected)
    #expect(
      detection.explanation.first
        == "HAT: 'Other HAT', for which no board file comes with otolith")
  }

  /// A board that was named and is wrong is an error; the next way to choose one is not tried.
  @Test func `a wrong board file is not skipped`() throws {
    let good = try Self.file("good")
    #expect(throws: BoardErrors.self) {
      try BoardSelection.choose(path: "/nonexistent.yaml", environment: ["OTOLITH_BOARD": good])
    }
    let error = try #require(throws: BoardErrors.self) {
      try BoardSelection.choose(environment: ["OTOLITH_BOARD": "/nonexistent/board.yaml"])
    }
    #expect(
      error.description == "/nonexistent/board.yaml: no such file; named by $OTOLITH_BOARD")
  }

  @Test func `buses that cannot be opened are reported`() throws {
    var detection = DetectionResult()
    detection.buses = ["/dev/i2c-97"]
    detection.unopened = [
      try #require(throws: OpenError.self) { try LinuxI2CAdapter(path: "/dev/i2c-97") }
    ]
    let selection = try BoardSelection.choose(
      path: nil, environment: [:], systemPath: "/nonexistent/board.yaml"
    ) { detection }
    #expect(selection.reason == .nothingElse && selection.remarks.count == 1)
    #expect(selection.remarks.first?.hasPrefix("/dev/i2c-97 does not exist") ?? false)
  }

  @Test func `the simulated board is asked for by its name`() throws {
    let selection = try BoardSelection.choose(environment: ["OTOLITH_BOARD": "simulated"])
    #expect(selection.reason == .environment && selection.board.isMadeUp)
  }

  /// A bus that may not be opened may hold a board, so that it is named where no board was found.
  @Test func `without a board the buses that may not be looked at are named`() {
    #expect(!SessionError.noBoard([]).isDenied)
    let error = SessionError.noBoard([
      OpenError(.i2c, "/dev/i2c-1", errno: 13, cause: .noPermission(group: "i2c"))
    ])
    #expect(error.isDenied && !error.isTaken)
    #expect(error.description.hasPrefix("no board: $OTOLITH_BOARD names none, "))
    #expect(error.description.contains("; no permission to open /dev/i2c-1: "))
  }

  // MARK: - A board file of what was found

  @Test func `the file of a detected board can be read`() throws {
    var detection = DetectionResult()
    detection.findings = [
      try Self.finding("invensense,mpu6050", "/dev/i2c-1", 0x68, identity: 0x68),
      try Self.finding("invensense,mpu6050", "/dev/i2c-1", 0x69, identity: 0x68),
      try Self.finding("st,lis3mdl", "/dev/i2c-1", 0x1E, identity: 0x3D),
      try Self.finding("st,lis3mdl", "/dev/spidev0.1", nil, identity: 0x3D),
    ]
    let text = try #require(BoardSelection.boardText(of: detection))
    let board = try BoardFile.parse(
      text, file: "(detected)", catalogue: ChipCatalog.descriptions)
    #expect(
      board.chips.map(\.chip)
        == ["invensense,mpu6050", "invensense,mpu6050", "st,lis3mdl", "st,lis3mdl"])
    #expect(board.chips.map(\.address) == [0x68, 0x69, 0x1E, nil])
    #expect(board.buses.map(\.path) == ["/dev/i2c-1", "/dev/spidev0.1"])
    #expect(board.chips.map(\.settings.rate) == [200, 200, 80, 80])
    #expect(board.chips.allSatisfy { $0.interrupt == nil })
  }

  @Test func `a detected board may have two buses`() throws {
    var detection = DetectionResult()
    detection.findings = [
      try Self.finding("invensense,mpu6050", "/dev/i2c-20", 0x69, identity: 0x68),
      try Self.finding("st,lis3mdl", "/dev/spidev0.1", nil, identity: 0x3D),
    ]
    let text = try #require(BoardSelection.boardText(of: detection))
    #expect(
      text == """
        otolith-board: 1
        name: Detected
        buses:
          i2c-20: { i2c: /dev/i2c-20 }
          spidev0-1: { spi: /dev/spidev0.1 }
        chips:
          chip1:
            chip: invensense,mpu6050
            on: i2c-20
            address: 0x69
            rate-hz: 200
          chip2:
            chip: st,lis3mdl
            on: spidev0-1
            rate-hz: 80

        """)
    let board = try Fixtures.board(text)
    #expect(board.chips.map(\.address) == [0x69, nil])
    #expect(board.buses.map(\.path) == ["/dev/i2c-20", "/dev/spidev0.1"])
  }

  @Test func `where no chip can be driven no board is made`() throws {
    var detection = DetectionResult()
    #expect(BoardSelection.boardText(of: detection) == nil)
    detection.findings = [
      // The findings are an MPU-6500, a failed read, and a chip that the kernel has taken.
      try Self.finding("invensense,mpu6050", "/dev/i2c-1", 0x68, identity: 0x70),
      ChipFinding(
        bus: "/dev/i2c-1", address: 0x69, candidate: try Self.entry("invensense,mpu6050"),
        identity: nil, error: .timeout, owner: nil),
      ChipFinding(
        bus: "/dev/i2c-1", address: 0x1C, candidate: try Self.entry("st,lis3mdl"), identity: nil,
        error: nil, owner: "st-magn-i2c"),
    ]
    #expect(detection.chips.isEmpty && BoardSelection.boardText(of: detection) == nil)
  }
}
