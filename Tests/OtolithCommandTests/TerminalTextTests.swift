// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Texts from outside must not reach the terminal as control codes.
@Suite struct TerminalTextTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  static let board = """
    otolith-board: 1
    name: One chip
    buses: { wire: { simulated: i2c } }
    chips:
      imu: { chip: "invensense,mpu6050", on: wire, address: 0x68, rate-hz: 200, read-by: fifo }

    """
  /// A control code that sets the title of a terminal's window.
  static let title = "\u{1B}]0;x\u{7}"

  static func isPlain(_ ending: Tool.Ending) -> Bool {
    (ending.output + ending.errors).unicodeScalars.allSatisfy {
      $0 == "\n" || $0.properties.generalCategory != .control
    }
  }

  @Test func `a file's name is shown and not obeyed`() throws {
    let name = "a\(Self.title)\u{9B}.yaml"
    try scratch.write(Self.board, to: name)
    let shown = "a\\u001B]0;x\\u0007\\u009B.yaml"
    let check = try Tool.run("boards", "check", name, in: scratch)
    #expect(check.status == 0 && check.lines.first == "\(shown): good: One chip")
    // JSON contains the name unchanged.
    let json = try Tool.run("boards", "check", "--json", name, in: scratch)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let file = (object?["files"] as? [[String: Any]])?.first?["file"] as? String
    #expect(json.status == 0 && Self.isPlain(json) && file == name)
    let missing = try Tool.run("replay", "b\(Self.title).csv", in: scratch)
    #expect(missing.errors == "b\\u001B]0;x\\u0007.csv: no such file\n")
    let run = try Tool.run("run", "--board", name, "--duration", "0.1", in: scratch)
    #expect(run.errors.hasPrefix("board: One chip, \(shown), requested\n"))
  }

  @Test func `a board file that speaks to the terminal is refused`() throws {
    try scratch.write(
      Self.board.replacing("One chip", with: "\"S\\e[31mEVIL\\e]0;x\\a\""), to: "evil.yaml")
    for arguments in [
      ["boards", "check", "evil.yaml"], ["run", "--board", "evil.yaml"],
      ["bringup", "evil.yaml"],
    ] {
      let ending = try Tool.run(arguments, in: scratch)
      #expect(
        ending.status == 78
          && ending.errors
            == "evil.yaml:2:7: a text with the control character U+001B; delete it; "
            + "in \"\" it may be written with a backslash\n"
      )
    }
  }

  @Test func `a trace that speaks to the terminal is refused`() throws {
    let header =
      "otolith-trace: 2\nclock: 1.0\nboard: |\n"
      + Self.board.split(separator: "\n").map { "  \($0)\n" }.joined() + "events:\n"
    try scratch.write(header + "0.1 i\u{1B}[31mmu step\n", to: "evil.trace")
    let show = try Tool.run("trace", "show", "evil.trace", in: scratch)
    #expect(
      show.status == 65
        && show.errors == "evil.trace:10:6: the control character U+001B; expected text\n")
    try scratch.write(
      header.replacing("clock", with: "machine: \(Self.title)\nclock"), to: "evil.trace")
    let play = try Tool.run("trace", "play", "evil.trace", in: scratch)
    #expect(
      play.status == 65
        && play.errors == "evil.trace:2:10: the control character U+001B; expected text\n")
  }

  /// Neither command reads forever.
  @Test func `an endless file ends in a sentence`() throws {
    let replay = try Tool.run("replay", "/dev/zero", in: scratch)
    #expect(replay.status == 65)
    #expect(
      replay.errors == "/dev/zero: the file is binary, expected a recording's CSV text\n")
    let check = try Tool.run("boards", "check", "/dev/zero", in: scratch)
    #expect(check.status == 78)
    #expect(
      check.errors
        == "/dev/zero:1:1: the file has more than 65536 bytes; it is binary, and a board file is text (YAML)\n"
    )
    let pipe = try Tool.shell("yes | $OTOLITH replay /dev/stdin", in: scratch)
    #expect(pipe.status == 65 && pipe.errors.hasPrefix("/dev/stdin:1:1: no column 'timestamp'"))
  }
}
