// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Foundation
import Quantities
import SeededRandom
import Sensors
import Testing

@Suite struct CalibrationTests {
  /// Returns the calibration that a board reads from `text`.
  static func read(_ text: String, chips: String = "") throws -> Calibration? {
    let folder = try Folder([
      "board.yaml": BoardFileTests.imu() + chips, "calibration/board.yaml": text,
    ])
    return try BoardFile.load(path: folder.path + "board.yaml", catalogue: Fixtures.catalogue)
      .calibration
  }

  static let full = CalibratedChip(
    chip: "invensense,mpu6050", address: 0x68, serial: "A-17", made: "2026-11-22",
    notes: "on the \"workbench\", 100 % \\ #1: warm",
    errors: ChipCalibration(
      gyroBias: Vector3(0.01, -0.02, 0), gyroBiasSlope: Vector3(1e-5, 0, -0.0005),
      gyroBiasTemperature: 26.5,
      gyroMatrix: Matrix3(rows: Vector3(1.01, 0, 0), Vector3(0, 0.99, 0), Vector3(0, 0, 1)),
      accelerationOffset: Vector3(0.05, 0, 0.1),
      accelerationMatrix: Matrix3(
        rows: Vector3(1.02, 0.001, 0), Vector3(0.001, 0.98, 0), Vector3(0, 0, 1)),
      hardIron: Vector3(12.5, -3, 20),
      softIronMatrix: Matrix3(
        rows: Vector3(1, 0.02, 0), Vector3(0.02, 0.98, 0), Vector3(0, 0, 1.01))),
    mounting: Mounting(Matrix3(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))))

  @Test func `a calibration is written for people to read`() {
    let text = Calibration(file: "", chips: ["imu": Self.full]).text
    #expect(
      text == #"""
        # The measured errors of this board's chips; see docs/calibration.md.
        # In each chip's own axes, so that it holds for any 'mounting': truth = matrix * (measured - offset).
        otolith-calibration: 1
        chips:
          imu:
            chip: "invensense,mpu6050"
            address: 0x68
            serial: "A-17"
            made: "2026-11-22"
            notes: "on the \"workbench\", 100 % \\ #1: warm"
            # Gyroscope: bias at rest in rad/s, at a chip temperature in degrees Celsius, and its growth with each kelvin.
            gyro-bias-rad-s: [0.01, -0.02, 0]
            gyro-bias-temperature-c: 26.5
            gyro-bias-slope-rad-s-k: [1e-05, 0, -0.0005]
            gyro-matrix: [[1.01, 0, 0], [0, 0.99, 0], [0, 0, 1]]
            # Accelerometer: specific force in g, +1 on the axis that points up.
            acceleration-offset-g: [0.05, 0, 0.1]
            acceleration-matrix: [[1.02, 0.001, 0], [0.001, 0.98, 0], [0, 0, 1]]
            # Magnetometer: microtesla.
            hard-iron-ut: [12.5, -3, 20]
            soft-iron-matrix: [[1, 0.02, 0], [0.02, 0.98, 0], [0, 0, 1.01]]
            # The orientation of the chip, found by gestures; overrides 'mounting' in the board file.
            mounting: [y, "-x", z]

        """#)
  }

  /// A measured mounting takes precedence over the stated one, which is kept because a simulated
  /// chip is still mounted in that way.
  @Test func `the mounting that was found goes before the one that was written`() throws {
    let chip = CalibratedChip(chip: "invensense,mpu6050", mounting: Self.full.mounting)
    let folder = try Folder([
      "board.yaml": BoardFileTests.imu("mounting: [\"-x\", \"-y\", z]"),
      "calibration/board.yaml": Calibration(file: "", chips: ["imu": chip]).text,
    ])
    let board = try BoardFile.load(
      path: folder.path + "board.yaml", catalogue: Fixtures.catalogue)
    #expect(board.chips[0].mounting.boardText == "[y, \"-x\", z]")
    #expect(board.chips[0].statedMounting.boardText == "[\"-x\", \"-y\", z]")
  }

  /// The mounting is stored as three rows, and made orthogonal again when it is read.
  @Test func `a mounting askew reads back within rounding`() throws {
    let turn = Quaternion(angle: 0.3, axis: Vector3(0, 0.6, 0.8)).rotationMatrix
    let chip = CalibratedChip(chip: "invensense,mpu6050", mounting: Mounting(turn))
    let read = try Self.read(Calibration(file: "", chips: ["imu": chip]).text)
    let back = try #require(read?.chips["imu"]?.mounting?.matrix)
    for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
      #expect((back * axis - turn * axis).norm < 1e-14)
    }
  }

  static let aligned = MeasuredAlignment(
    to: "imu",
    ChipAlignment(
      rotation: Matrix3(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1)),
      rotationSigma: 0.001, leverArm: Vector3(0.03, 0, -0.002), leverArmSigma: 0.0007,
      timeOffset: 0.004, timeOffsetSigma: 0.0001))

  static let second = """
      second: { chip: "invensense,mpu6050", on: bus, address: 0x69, mounting: ["-x", "-y", z],
        gyro-delay-ms: 3, position-mm: [1, 2, 3] }

    """

  /// The other chip is mounted `[y, "-x", z]` and stands at (10, 0, 0) mm; this one's axes are turned
  /// by as much again, so that its x axis is the device's -x, and y is -y. The lever arm in device
  /// axes is by hand (-30, 0, -2) mm.
  @Test func `an aligned chip gets axes, place and delay from the other's`() throws {
    let other = CalibratedChip(chip: "invensense,mpu6050", mounting: Self.full.mounting)
    let chip = CalibratedChip(chip: "invensense,mpu6050", alignment: Self.aligned)
    let folder = try Folder([
      "board.yaml": BoardFileTests.imu("position-mm: [10, 0, 0]") + Self.second,
      "calibration/board.yaml": Calibration(file: "", chips: ["imu": other, "second": chip]).text,
    ])
    let board = try BoardFile.load(
      path: folder.path + "board.yaml", catalogue: Fixtures.catalogue)
    let aligned = board.chips[1]
    #expect(
      aligned.mounting.boardText == "[\"-x\", \"-y\", z]" && aligned.alignment == Self.aligned)
    #expect((aligned.position - Vector3(-0.02, 0, -0.002)).norm < 1e-15)
    #expect((aligned.statedPosition - Vector3(0.001, 0.002, 0.003)).norm < 1e-15)
    #expect(abs(aligned.delays.rotationRate - 0.007) < 1e-15)
    #expect(board.chips[0].alignment == nil && board.chips[0].position.x == 0.01)
  }

  @Test(arguments: [
    ("aligned-to: second", "'aligned-to' is 'second'; expected imu"),
    ("aligned-to: other", "'aligned-to' is 'other'; expected imu"),
    ("lever-arm-m: [30, 0, 0]", "'lever-arm-m' without 'aligned-to'"),
    (
      "aligned-to: imu, lever-arm-m: [30, 0, 0]",
      "'lever-arm-m' is 30 m long; expected at most 10 m"
    ),
    (
      "aligned-to: imu, time-offset-s: 4",
      "'time-offset-s' is '4'; expected seconds between -1 and 1"
    ),
    (
      "aligned-to: imu, alignment: [x, y]",
      "'alignment' is a list of 2; expected three chip axes such as [\"-y\", x, z], or three rows"
    ),
  ]) func `a wrong alignment is refused`(_ keys: String, _ expected: String) throws {
    let text = """
      otolith-calibration: 1
      chips: { second: { chip: "invensense,mpu6050", \(keys) } }

      """
    let error = try #require(throws: BoardErrors.self) { try Self.read(text, chips: Self.second) }
    #expect(
      error.errors.contains { $0.description.contains(expected) },
      "\(error.errors.map(\.description))")
  }

  @Test func `simulated errors are read, and misspelt ones refused`() throws {
    let board = try BoardFile.parse(
      BoardFileTests.imu(
        "",
        "simulation: { errors: { imu: { gyro-bias-rad-s: [0.01, 0, -0.02], mounting: [y, \"-x\", z], position-mm: [30, 0, 0], time-offset-s: 0.004 } } }",
        bus: "simulated: i2c"), file: "test.yaml", catalogue: Fixtures.catalogue)
    let errors = try #require(board.simulation?.errors["imu"])
    #expect(errors.chip == ChipCalibration(gyroBias: Vector3(0.01, 0, -0.02)))
    #expect(errors.mounting?.boardText == "[y, \"-x\", z]")
    #expect(errors.position == Vector3(0.03, 0, 0) && errors.timeOffset == 0.004)
    let error = try #require(throws: BoardErrors.self) {
      try BoardFile.parse(
        BoardFileTests.imu(
          "", "simulation: { errors: { imx: { hard-iron: [1, 2, 3] } } }", bus: "simulated: i2c"),
        file: "test.yaml", catalogue: Fixtures.catalogue)
    }
    #expect(error.errors.contains { $0.description.contains("did you mean 'imu'?") })
    #expect(error.errors.contains { $0.description.contains("did you mean 'hard-iron-ut'?") })
  }

  @Test func `what is written is read back`() throws {
    #expect(
      try Self.read(Calibration(file: "", chips: ["imu": Self.full]).text)?.chips
        == ["imu": Self.full])
    let chip = CalibratedChip(chip: "invensense,mpu6050", alignment: Self.aligned)
    let text = Calibration(file: "", chips: ["second": chip]).text
    #expect(
      text.hasSuffix(
        """
            # Against another chip: turned (rows: its axes as seen by this chip), metres from it along this chip's axes, seconds later.
            aligned-to: imu
            alignment: [y, "-x", z]
            alignment-sigma-rad: 0.001
            lever-arm-m: [0.03, 0, -0.002]
            lever-arm-sigma-m: 0.0007
            time-offset-s: 0.004
            time-offset-sigma-s: 0.0001

        """))
    #expect(try Self.read(text, chips: Self.second)?.chips == ["second": chip])
  }

  @Test func `numbers keep their last bit`() throws {
    var random = SplitMix(state: 4)
    func vector() -> Vector3 {
      func number() -> Double {
        let exponent = Double.random(in: -300...(-1), using: &random)
        let sign: Double = Bool.random(using: &random) ? 1 : -1
        return sign * pow(10, exponent) * Double.random(in: 1...10, using: &random)
      }
      return Vector3(number(), number(), number())
    }
    for _ in 0..<100 {
      var chip = CalibratedChip(chip: "invensense,mpu6050")
      chip.errors.gyroBias = vector()
      chip.errors.hardIron = vector()
      chip.errors.accelerationOffset = vector()
      let read = try Self.read(Calibration(file: "", chips: ["imu": chip]).text)
      #expect(read?.chips == ["imu": chip])
    }
  }

  /// Words that mean something else in YAML, line ends and letters of all kinds stay what they are.
  @Test(arguments: [
    "off", "1.5", "2026-11-22", "a\nb\tc", "\"", "\\", "# no comment", "{ a: b }", "é ß 日本 🙂", "*a",
  ]) func `a text that looks like a number stays a text`(_ text: String) throws {
    var chip = CalibratedChip(chip: "invensense,mpu6050")
    (chip.notes, chip.serial, chip.made) = (text, text, text)
    let read = try Self.read(Calibration(file: "", chips: ["imu": chip]).text)
    #expect(read?.chips == ["imu": chip])
  }

  /// A file that contains control characters could not be read again.
  @Test func `control characters of a text are written visibly`() throws {
    var chip = CalibratedChip(chip: "invensense,mpu6050")
    chip.notes = "a\u{7}\u{9B}\u{2028}b\r"
    let read = try Self.read(Calibration(file: "", chips: ["imu": chip]).text)
    #expect(read?.chips["imu"]?.notes == "a\\u0007\\u009B\\u2028b\\u000D")
  }

  /// The compass's entry is kept when the gyroscope's is replaced.
  @Test func `chips are written in order`() throws {
    let compass = CalibratedChip(
      chip: "st,lis3mdl", errors: ChipCalibration(hardIron: Vector3(1, 2, 3)))
    let text = Calibration(file: "", chips: ["mag": compass, "imu": Self.full]).text
    let chips = "  mag: { chip: \"st,lis3mdl\", on: bus, address: 0x1C }\n"
    #expect(try Self.read(text, chips: chips)?.chips == ["imu": Self.full, "mag": compass])
    let imu = try #require(text.firstRange(of: "  imu:"))
    let mag = try #require(text.firstRange(of: "  mag:"))
    #expect(imu.lowerBound < mag.lowerBound)
  }

  /// A value beyond all data sheets is probably a mistake in the unit or the decimal point.
  @Test(arguments: [
    ("gyro-bias-rad-s: [0, -3.5, 0]", "'gyro-bias-rad-s' is up to 3.5; expected numbers up to 2"),
    (
      "acceleration-offset-g: [0.02, 0, 9.8]",
      "'acceleration-offset-g' is up to 9.8; expected numbers up to 1"
    ),
    ("hard-iron-ut: [1e30, 0, 0]", "'hard-iron-ut' is up to 1e+30; expected numbers up to 5000"),
    (
      "gyro-bias-temperature-c: 25\n    gyro-bias-slope-rad-s-k: [0, 0.2, 0]",
      "'gyro-bias-slope-rad-s-k' is up to 0.2; expected numbers up to 0.1"
    ),
  ])
  func `an offset that no chip has is refused`(line: String, expected: String) throws {
    let text = "otolith-calibration: 1\nchips:\n  imu:\n    chip: mpu6050\n    \(line)\n"
    let errors = #expect(throws: BoardErrors.self) { try Self.read(text) }
    let said = errors?.description ?? ""
    #expect(
      said.contains(": \(expected), the size of real chips' errors; is that its unit?"), "\(said)")
  }

  @Test func `a calibration of another kind of chip is refused`() throws {
    let text = Calibration(
      file: "", chips: ["imu": CalibratedChip(chip: "bosch,bmi160", address: 0x68)]
    ).text
    let error = try #require(throws: BoardErrors.self) { try Self.read(text) }
    #expect(
      error.errors.first?.description.hasSuffix(
        "this was measured of bosch,bmi160, and 'imu' is invensense,mpu6050; "
          + "remove the entry 'imu' and calibrate again") ?? false)
    #expect(error.errors.count == 1)
  }

  // MARK: - Board files

  @Test func `what is learned is kept in its usual place, where said or not`() throws {
    #expect(try BoardFileTests.parse(BoardFileTests.imu()).learned == .usual)
    #expect(try BoardFileTests.parse(BoardFileTests.imu("", "learned: off")).learned == .off)
    let text = BoardFileTests.imu("", "learned: state/me.yaml")
    let folder = try Folder(["board.yaml": text])
    let board = try BoardFile.load(path: folder.path + "board.yaml", catalogue: Fixtures.catalogue)
    #expect(board.learned == .file(path: folder.path + "state/me.yaml"))
  }

  /// The file of learned values is written, so a board file from elsewhere must not name the user's
  /// files.
  @Test(arguments: [
    "../../victim", "state/../../victim", "/etc/victim", "link/victim", "link/new/victim",
  ]) func `what is learned stays in the board file's folder`(_ path: String) throws {
    let text = BoardFileTests.imu("", "learned: \(path)")
    let folder = try Folder(["mine/board.yaml": text, "other.yaml": ""])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "mine/link", withDestinationPath: "..")
    let file = folder.path + "mine/board.yaml"
    let error = #expect(throws: BoardErrors.self) {
      try BoardFile.load(path: file, catalogue: Fixtures.catalogue)
    }
    #expect(
      error?.description
        == "\(file):11:10: 'learned' is '\(path)', which leads out of the board file's folder; "
        + "expected a path within it, or within 'otolith' in your folder for state; "
        + "such as 'learned: learned.yaml'")
  }

  @Test func `what is learned may be kept in a folder for state`() throws {
    let state = ["XDG_STATE_HOME": "/state", "HOME": "/home/me"]
    func may(_ path: String, _ folder: String, _ environment: [String: String]) -> Bool {
      LearnedPlace.mayName(path, in: folder, environment: environment)
    }
    func may(_ path: String, _ environment: [String: String]) -> Bool {
      may(path, "boards/", environment)
    }
    #expect(may("/state/otolith/x.yaml", state))
    #expect(may("/var/lib/otolith/x.yaml", state))
    #expect(may("boards/x.yaml", state) && may("boards/calibration/x.yaml", state))
    #expect(may("x.yaml", "", state) && may("/etc/otolith/x.yaml", "/etc/otolith/", state))
    #expect(may("/home/me/.local/state/otolith/x.yaml", ["HOME": "/home/me"]))
    // If the state folder is elsewhere, the home folder is not allowed.
    #expect(!may("/home/me/.local/state/otolith/x.yaml", state))
    #expect(!may("/state/otolith", state) && !may("/state/other/x.yaml", state))
    #expect(!may("/state/otolith-other/x.yaml", state) && !may("x.yaml", state))
  }

  @Test func `the file's delays go before the driver's`() throws {
    var description = Fixtures.mpu6050
    description.delays = { settings in
      StreamDelays(rotationRate: settings.rate / 1e5, acceleration: 0.003)
    }
    func delays(_ line: String) throws -> StreamDelays? {
      try BoardFile.parse(
        BoardFileTests.imu("rate-hz: 200\n    \(line)"), file: "", catalogue: [description]
      ).chips.first?.delays
    }
    #expect(try delays("") == StreamDelays(rotationRate: 0.002, acceleration: 0.003))
    #expect(
      try delays("gyro-delay-ms: 4.5") == StreamDelays(rotationRate: 0.0045, acceleration: 0.003))
    #expect(
      try delays("acceleration-delay-ms: -1")
        == StreamDelays(rotationRate: 0.002, acceleration: -0.001))
  }
}
