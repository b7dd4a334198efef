// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The alignment of the chips of a simulated board, with models, buses, drivers and the noise of
/// data sheets, on a virtual clock.
@Suite struct CalibrateAlignmentTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Chip b is turned by 3 degrees about z, 30 mm to the right, and 4 ms late.
  /// cos and sin of 3 degrees, from a table.
  static let rotation: [[Double]] = [
    [0.9986295, -0.0523360, 0], [0.0523360, 0.9986295, 0], [0, 0, 1],
  ]

  static func board(
    motion: String = "as-asked",
    b: String = "b: { chip: \"bosch,bmi160\", on: bus, address: 0x69 }",
    faults: String = ""
  ) -> String {
    """
    otolith-board: 1
    name: Two
    buses: { bus: { simulated: i2c } }
    chips:
      a: { chip: "invensense,mpu6050", on: bus, address: 0x68 }
      \(b)
    simulation:
      motion: \(motion)
      errors:
        b: { mounting: \(rotation), position-mm: [30, 0, 0], time-offset-s: 0.004 }
      \(faults)

    """
  }

  @Test func `three degrees, thirty millimetres and four milliseconds are found and applied`()
    throws
  {
    try scratch.write(Self.board(), to: "board.yaml")
    let ending = try Tool.run(
      "calibrate", "alignment", "--board", "board.yaml", "--json", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    let result = try CalibrateGuidedTests.object(ending)
    #expect(result["reference"] as? String == "a")
    let chip = try #require((result["chips"] as? [[String: Any]])?.first)
    #expect(chip["chip"] as? String == "b")
    // 0.3 degrees are 0.005.
    let rotation = try #require(chip["rotation"] as? [[Double]])
    for (found, planted) in zip(rotation.joined(), Self.rotation.joined()) {
      #expect(abs(found - planted) < 0.005)
    }
    let change = try #require(chip["changeDeg"] as? Double)
    #expect(abs(change - 3) < 0.3)
    // In the chip's own axes: the device's x axis turned by -3 degrees.
    let arm = try #require(chip["leverArmMm"] as? [Double])
    for (found, planted) in zip(arm, [29.96, -1.57, 0]) { #expect(abs(found - planted) < 5) }
    let late = try #require(chip["timeOffsetMs"] as? Double)
    #expect(abs(late - 4) < 1)
    // The board is read with it.
    let check = try Tool.run("boards", "check", "board.yaml", in: scratch)
    #expect(check.status == 0, "\(check.errors)")
    #expect(check.output.contains(" by calibration/board.yaml, not the board file's [x, y, z]\n"))
    #expect(check.output.contains("    aligned to a: "))
    // A second time nothing is left, although the models stay where they are.
    let again = try Tool.run("calibrate", "alignment", "--board", "board.yaml", in: scratch)
    #expect(again.status == 0, "\(again.errors)")
    #expect(
      again.lines.contains { $0.hasPrefix("  3.0") && $0.contains(" degrees from its mounting") })
    // An aligned chip follows the mounting of the other.
    let mounting = try Tool.run(
      "calibrate", "mounting", "--chip", "b", "--board", "board.yaml", in: scratch)
    #expect(mounting.status == 64)
    #expect(
      mounting.errorLines.last
        == "b is aligned to a, whose mounting it follows: calibrate that of a")
  }

  @Test func `what cannot be aligned is refused in one sentence`() throws {
    func last(_ board: String, _ arguments: String...) throws -> (Int32, String?) {
      try scratch.write(board, to: "board.yaml")
      let ending = try Tool.run(
        ["calibrate", "alignment", "--board", "board.yaml"] + arguments, in: scratch)
      return (ending.status, ending.errorLines.last)
    }
    let one = """
      otolith-board: 1
      name: One
      buses: { bus: { simulated: i2c } }
      chips: { a: { chip: "invensense,mpu6050", on: bus, address: 0x68 } }
      """
    #expect(
      try last(one) == (
        64, "board.yaml has one inertial chip, a: an alignment needs two of them"
      ))
    #expect(
      try last(Self.board(), "--chip", "a") == (
        64, "a is what the others are aligned to: name one of b"
      ))
    #expect(
      try last(Self.board(motion: "still"), "--timeout", "40") == (
        65,
        "the device was not turned: turn the device to and fro by hand about all its axes, a turn a "
          + "second, for half a minute; nothing was written"
      ))
    #expect(
      try last(
        Self.board(faults: "faults: [{ fault: swapped-axes, chip: b, at-s: 20, for-s: 500 }]"),
        "--timeout", "40") == (
          65,
          "b and a do not measure the same motion: one of them is broken, or not fixed to the "
            + "device; nothing was written"
        ))
    #expect(scratch.names == ["board.yaml"])
  }

  @Test func `all calibrations end with the alignment where there are two chips`() throws {
    try scratch.write(Self.board(), to: "board.yaml")
    let ending = try Tool.run("calibrate", "all", "--board", "board.yaml", "--json", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    let all = try CalibrateGuidedTests.object(ending)
    #expect(all["alignment"] != nil)
    #expect(ending.errorLines.contains("-- alignment, 4 of 4"))
    #expect(try scratch.text("calibration/board.yaml").contains("aligned-to: a\n"))
  }
}
