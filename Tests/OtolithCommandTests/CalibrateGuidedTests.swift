// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Calibrations of a simulated board that follows the instructions, with models, buses, drivers and
/// the noise of data sheets, on a virtual clock.
@Suite struct CalibrateGuidedTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  static func board(
    motion: String = "as-asked", imu: String = "{ mounting: [y, \"-x\", z] }",
    compass: String = "{ mounting: [\"-z\", y, x] }"
  ) -> String {
    """
    otolith-board: 1
    name: Test
    buses: { bus: { simulated: i2c } }
    chips:
      imu: { chip: "invensense,mpu6050", on: bus, address: 0x68, rate-hz: 50 }
      compass: { chip: "st,lis3mdl", on: bus, address: 0x1C, rate-hz: 20 }
    simulation: { motion: \(motion), errors: { imu: \(imu), compass: \(compass) } }

    """
  }

  static func object(_ ending: Tool.Ending) throws -> [String: Any] {
    let any = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
    return try #require(any as? [String: Any], "\(ending.errors)")
  }

  /// Returns true if three numbers differ from `truth` by less than 1 percent of its length.
  static func isNear(_ value: Any?, _ truth: [Double]) throws -> Bool {
    let value = try #require(value as? [Double])
    let off = zip(value, truth).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    return off.squareRoot() < 0.01 * truth.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  /// Returns true if each of nine numbers differs by less than 0.01.
  static func isNear(_ value: Any?, _ truth: [[Double]]) throws -> Bool {
    let value = try #require(value as? [[Double]])
    return zip(value.flatMap { $0 }, truth.flatMap { $0 }).allSatisfy { abs($0 - $1) < 0.01 }
  }

  @Test func `all errors are recovered within a hundredth`() throws {
    try scratch.write(
      Self.board(
        imu: """
          { gyro-bias-rad-s: [0.02, -0.03, 0.025], acceleration-offset-g: [0.05, -0.04, 0.06],
            acceleration-matrix: [[1.02, 0, 0], [0, 0.98, 0], [0, 0, 1.01]], mounting: [y, "-x", z] }
          """,
        // The matrix has determinant 1, because without a location the scale is unknown.
        compass: """
          { hard-iron-ut: [30, -20, 40], mounting: ["-z", y, x],
            soft-iron-matrix: [[1.05, 0, 0], [0, 0.952381, 0], [0, 0, 1]] }
          """), to: "board.yaml")
    let ending = try Tool.run(
      "calibrate", "all", "--board", "board.yaml", "--json", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    let all = try Self.object(ending)
    let gyroscope = try #require(all["gyroscope"] as? [String: Any])
    #expect(try Self.isNear(gyroscope["biasRadS"], [0.02, -0.03, 0.025]))
    let accelerometer = try #require(all["accelerometer"] as? [String: Any])
    #expect(try Self.isNear(accelerometer["offsetG"], [0.05, -0.04, 0.06]))
    #expect(
      try Self.isNear(accelerometer["matrix"], [[1.02, 0, 0], [0, 0.98, 0], [0, 0, 1.01]]))
    let magnetometer = try #require(all["magnetometer"] as? [String: Any])
    #expect(try Self.isNear(magnetometer["hardIronUt"], [30, -20, 40]))
    #expect(
      try Self.isNear(
        magnetometer["softIronMatrix"], [[1.05, 0, 0], [0, 0.952381, 0], [0, 0, 1]]))
    let after = try #require(magnetometer["strengthOffAfterUt"] as? Double)
    let before = try #require(magnetometer["strengthOffBeforeUt"] as? Double)
    #expect(after < 0.5 && before > 10)
    let mounting = try #require(all["mounting"] as? [String: Any])
    #expect(mounting["mounting"] as? [[Double]] == [[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    let compass = try #require((mounting["magnetometers"] as? [[String: Any]])?.first)
    #expect(compass["mounting"] as? [[Double]] == [[0, 0, -1], [0, 1, 0], [1, 0, 0]])
    // One file contains all results, and the board is read with it.
    let text = try scratch.text("calibration/board.yaml")
    #expect(text.contains("mounting: [\"-z\", y, x]") && text.contains("hard-iron-ut: ["))
    let check = try Tool.run("boards", "check", "board.yaml", in: scratch)
    #expect(
      check.output.contains(
        "    mounting: [y, \"-x\", z] by calibration/board.yaml, not the board file's [x, y, z]\n"))
  }

  /// A mounting rotated by 12 degrees about an arbitrary axis is also found within 0.01, if
  /// requested.
  @Test func `a mounting askew comes out as measured`() throws {
    let c = cos(0.21)
    let s = sin(0.21)
    // A rotation about (0.6, 0, 0.8), by Rodrigues' formula.
    let rows = [
      [c + 0.36 * (1 - c), -0.8 * s, 0.48 * (1 - c)], [0.8 * s, c, -0.6 * s],
      [0.48 * (1 - c), 0.6 * s, c + 0.64 * (1 - c)],
    ]
    try scratch.write(Self.board(imu: "{ mounting: \(rows) }"), to: "board.yaml")
    let ending = try Tool.run(
      "calibrate", "mounting", "--board", "board.yaml", "--json", "--as-measured", "--dry-run",
      in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    let result = try Self.object(ending)
    #expect(try Self.isNear(result["mounting"], rows))
    #expect(abs((result["offSquareDeg"] as? Double ?? 0) - 0.21 * 180 / .pi) < 0.5)
    #expect(scratch.names == ["board.yaml"])
  }

  @Test func `each step of a guided calibration is printed`() throws {
    try scratch.write(Self.board(), to: "board.yaml")
    let ending = try Tool.run("calibrate", "mounting", "--board", "board.yaml", in: scratch)
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains(
        """
        1 of 3: lay the device flat, face up, and leave it for two seconds
        flat at 
        """))
    #expect(ending.errors.contains("; 2 of 3: hold it upright, its top edge up, for two seconds\n"))
    #expect(ending.errorLines.last == "written: calibration/board.yaml")
    #expect(ending.lines.first?.hasPrefix("SIMULATED BOARD: ") == true)
    #expect(ending.lines.contains("mounting of imu, invensense,mpu6050: [y, \"-x\", z]"))
    #expect(ending.lines.contains("  before it was taken for [x, y, z], 90 degrees from that"))
    // The second time nothing changes, although the simulated chip keeps its mounting.
    let again = try Tool.run("calibrate", "mounting", "--board", "board.yaml", in: scratch)
    #expect(again.lines.count { $0 == "  as before" } == 2, "\(again.output)")
  }

  /// The terminal's view of the guide; the page of `otolith serve` is the other.
  @Test(arguments: [
    (
      "magnetometer",
      [
        "  the directions of the field in chip axes: # measured, . missing, @ now", "#",
        "  turn it slowly through all directions, away from steel and magnets", " %",
      ]
    ),
    (
      "accelerometer",
      [
        "      |o (face) |", "  next: on its left edge, right edge up (the chip's +x up)",
        "] 1 of 6, ",
      ]
    ),
    ("gyroscope", ["  do not touch the board", "] 0 of 30 s"]),
    (
      "mounting",
      [
        "      |   top   |", "  2 of 3: hold it upright, its top edge up, for two seconds",
        "[##########--------------------] 1 of 3",
      ]
    ),
  ])
  func `a terminal has a picture that is drawn over itself`(kind: String, wanted: [String]) throws {
    try scratch.write(Self.board(), to: "board.yaml")
    let ending = try Tool.shell(
      "TERM=xterm script -qefc '\"$OTOLITH\" calibrate \(kind) --board board.yaml --dry-run' "
        + "/dev/null", in: scratch)
    // A picture follows each permanent line, however fast simulated time passes. Each of its lines
    // clears the rest of the row, and its end clears everything below.
    #expect(ending.output.contains("\u{1B}[K\r\n\u{1B}[J"), "\(ending.output)")
    for text in wanted { #expect(ending.output.contains(text), "\(text): \(ending.output)") }
  }

  /// A board that is not turned gives neither the accelerometer's nor the magnetometer's
  /// calibration.
  @Test func `a board that lies there is refused`() throws {
    try scratch.write(Self.board(motion: "still"), to: "board.yaml")
    let compass = try Tool.run(
      "calibrate", "magnetometer", "--board", "board.yaml", "--timeout", "20", in: scratch)
    #expect(compass.status == 65)
    #expect(
      compass.errorLines.last
        == "the field hardly changed: turn the board about all axes, not only to and fro; nothing "
        + "was written")
    let mounting = try Tool.run(
      "calibrate", "mounting", "--board", "board.yaml", "--timeout", "20", in: scratch)
    #expect(mounting.status == 65)
    #expect(
      mounting.errorLines.last
        == "the gestures were not recognised; the next was: 2 of 3: hold it upright, its top edge "
        + "up, for two seconds; nothing was written")
    let all = try Tool.run(
      "calibrate", "all", "--board", "board.yaml", "--chip", "imu", in: scratch)
    #expect(all.status == 64)
    #expect(scratch.names == ["board.yaml"])
  }

  // MARK: Never half-written

  static let old = """
    otolith-calibration: 1
    chips:
      imu: { chip: "invensense,mpu6050", notes: "keep me" }

    """

  func writeOld() throws {
    try scratch.write(Self.board(), to: "board.yaml")
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/calibration", withIntermediateDirectories: true)
    try scratch.write(Self.old, to: "calibration/board.yaml")
  }

  func expectOld() throws {
    #expect(try scratch.text("calibration/board.yaml") == Self.old)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/calibration")
    #expect(names == ["board.yaml"])
  }

  @Test func `a calibration that is interrupted writes nothing`() throws {
    try writeOld()
    // A fixed time would end a tool that a busy machine has not started yet.
    let ending = try Tool.shell(
      """
      "$OTOLITH" calibrate gyroscope --board board.yaml --real-time 2> errors &
      until grep -q 'do not touch' errors || ! kill -0 $!; do sleep 0.05; done
      kill -INT $!
      wait $!
      status=$?
      cat errors >&2
      exit $status
      """, in: scratch)
    #expect(ending.status == 130, "\(ending.errors)")
    #expect(ending.errorLines.last?.hasSuffix("interrupted; nothing was written") ?? false)
    try expectOld()
  }

  /// With a file size limit of 0 every write fails, as on a full disk.
  @Test func `without room on the disk the old calibration stays`() throws {
    try writeOld()
    let ending = try Tool.shell(
      "(trap '' XFSZ; ulimit -f 0; \"$OTOLITH\" calibrate mounting --board board.yaml 2>&1; "
        + "echo \"status $?\" ) | cat", in: scratch)
    #expect(ending.output.contains("calibration/board.yaml"))
    #expect(ending.output.contains("status 74") && !ending.output.contains("\nwritten: "))
    try expectOld()
  }
}
