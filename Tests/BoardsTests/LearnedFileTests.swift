// SPDX-License-Identifier: Apache-2.0
import Boards
import Foundation
import Fusion
import Quantities
import Sensors
import Testing

@Suite struct LearnedFileTests {
  static let file = LearnedFile(
    board: "0123456789abcdef", written: 1_795_305_845,
    memory: FusionMemory(
      gyroscope: FusionMemory.Gyroscope(
        bias: Vector3(0.1 + 0.2, -1e-9, 0), sigma: 0.0007, temperature: 31.25),
      magnetometer: FusionMemory.Magnetometer(
        hardIron: Vector3(12.1, -5, 30),
        softIron: Matrix3(
          rows: Vector3(1, 0.02, 0), Vector3(0.02, 0.98, 1 / 3), Vector3(0, 1 / 3, 1.01)),
        sigma: 0.3, fieldNorm: 48.123456789012345, fieldDip: -1.1),
      gyroscopeMatrix: FusionMemory.GyroscopeMatrix(
        matrix: Matrix3(
          rows: Vector3(1.02, 0.001, 0), Vector3(0, 0.98, 0), Vector3(0, -0.002, 1)),
        sigma: Matrix3(
          rows: Vector3(0.001, 0.002, 0.003), Vector3(0.004, 0.005, 0.006),
          Vector3(0.007, 0.008, 0.009))),
      accelerometer: FusionMemory.Accelerometer(
        offset: Vector3(0.004, 0, -0.003), offsetSigma: Vector3(0.001, 0.002, 0.001),
        scale: Vector3(1.001, 0.999, 1), scaleSigma: Vector3(0.001, 0.001, 0.002)),
      magneticDelay: FusionMemory.MagneticDelay(delay: 0.0125, sigma: 0.0008)))

  @Test func `what was learned is written for people to read`() {
    #expect(
      Self.file.text == """
        # Values that otolith learned while running, for its next run. May be deleted at any time.
        # In device axes, on top of what a calibration file takes away.
        otolith-learned: 1
        board: "0123456789abcdef"
        written-unix-s: 1795305845
        gyroscope:
          bias-rad-s: [0.30000000000000004, -1e-09, 0]
          sigma-rad-s: 0.0007
          temperature-c: 31.25
        magnetometer:
          hard-iron-ut: [12.1, -5, 30]
          soft-iron-matrix: [[1, 0.02, 0], [0.02, 0.98, 0.3333333333333333], [0, 0.3333333333333333, 1.01]]
          sigma-ut: 0.3
          field-norm-ut: 48.123456789012344
          field-dip-rad: -1.1
        gyroscope-matrix:
          matrix: [[1.02, 0.001, 0], [0, 0.98, 0], [0, -0.002, 1]]
          x-sigma: [0.001, 0.002, 0.003]
          y-sigma: [0.004, 0.005, 0.006]
          z-sigma: [0.007, 0.008, 0.009]
        accelerometer:
          offset-g: [0.004, 0, -0.003]
          offset-sigma-g: [0.001, 0.002, 0.001]
          scale: [1.001, 0.999, 1]
          scale-sigma: [0.001, 0.001, 0.002]
        magnetometer-delay:
          delay-s: 0.0125
          sigma-s: 0.0008

        """)
  }

  @Test func `what is written is read back`() throws {
    #expect(try LearnedFile.parse(Self.file.text, file: "x") == Self.file)
    let empty = LearnedFile(board: "0", written: 0, memory: FusionMemory())
    // A fingerprint that consists of digits is still read as text.
    #expect(try LearnedFile.parse(empty.text, file: "x") == empty)
    #expect(try LearnedFile.load(path: "/nonexistent/learned.yaml") == nil)
  }

  @Test(arguments: [
    "", "hello", "otolith-learned: 2\nboard: \"a\"\nwritten-unix-s: 1\n",
    "otolith-learned: 1\nboard: \"a\"\n", "otolith-board: 1\n", "[1, 2", "\u{0}",
    "otolith-learned: 1\nboard: \"a\"\nwritten-unix-s: 1\ngyroscope: { bias-rad-s: [1, 2] }\n",
  ]) func `a broken file of what was learned is refused`(_ text: String) {
    #expect(throws: BoardErrors.self) { try LearnedFile.parse(text, file: "x") }
  }

  @Test func `impossible values are left out`() throws {
    let text = Self.file.text.replacing("-1e-09", with: "1e9")
    let read = try LearnedFile.parse(text, file: "x")
    #expect(read.memory.gyroscope == nil && read.memory.magnetometer != nil)
  }

  @Test func `a link or a pipe is no file of learned values`() throws {
    let folder = try Folder(["real.yaml": Self.file.text])
    let (link, pipe) = (folder.path + "link.yaml", folder.path + "pipe.yaml")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.yaml")
    // `mkfifo` reads the path only during the call.
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    for (path, words) in [(link, "is a link"), (pipe, "is not a regular file")] {
      let error = #expect(throws: BoardErrors.self) { try LearnedFile.load(path: path) }
      #expect(error?.description == "\(path): \(words)")
    }
  }

  /// Learned values are valid while the chips, their addresses, mounting and calibration stay the
  /// same.
  @Test func `the fingerprint changes with the chips and how they sit`() throws {
    let plain = try BoardFileTests.parse(BoardFileTests.imu())
    func fingerprint(_ chip: String = "", _ change: (inout Board) -> Void = { _ in }) throws
      -> String
    {
      var board = try BoardFileTests.parse(BoardFileTests.imu(chip))
      change(&board)
      return board.fingerprint
    }
    #expect(plain.fingerprint.count == 16)
    #expect(try fingerprint() == plain.fingerprint)
    #expect(try fingerprint("rate-hz: 200") == plain.fingerprint)
    #expect(try fingerprint { $0.name = "Other" } == plain.fingerprint)
    #expect(try fingerprint("mounting: [y, \"-x\", z]") != plain.fingerprint)
    #expect(try fingerprint { $0.chips[0].address = 0x69 } != plain.fingerprint)
    #expect(try fingerprint { $0.chips[0].chip = "bosch,bmi160" } != plain.fingerprint)
    #expect(
      try fingerprint {
        $0.calibration = Calibration(
          file: "",
          chips: [
            "imu": CalibratedChip(
              chip: "invensense,mpu6050", errors: ChipCalibration(gyroBias: Vector3(0, 0, 1)))
          ])
      } != plain.fingerprint)
    // A calibration with notes but without values counts as none.
    #expect(
      try fingerprint {
        $0.calibration = Calibration(
          file: "", chips: ["imu": CalibratedChip(chip: "invensense,mpu6050", notes: "x")])
      } == plain.fingerprint)
  }
}
