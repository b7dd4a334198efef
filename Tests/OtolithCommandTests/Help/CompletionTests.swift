// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Completion scripts, run by their shells; if a shell is not installed, its script is only
/// printed.
@Suite struct CompletionTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func `a shell takes its script`(_ shell: String) throws {
    let folder = try Scratch()
    let script = try Tool.run("--generate-completion-script", shell, in: folder)
    #expect(script.status == 0 && script.errors.isEmpty)
    #expect(script.output.contains("otolith") && script.output.contains("boards"))
    try folder.write(script.output, to: "otolith.\(shell)")
    let check = shell == "fish" ? "--no-execute" : "-n"
    let ending = try Tool.shell(
      "command -v \(shell) > /dev/null || exit 0; \(shell) \(check) otolith.\(shell)", in: folder)
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
  }

  @Test func `bash completes a command from its first letters`() throws {
    let folder = try Scratch()
    let ending = try Tool.shell(
      """
      "$OTOLITH" --generate-completion-script bash > otolith.bash
      bash -c '. ./otolith.bash
        COMP_WORDS=(otolith det) COMP_CWORD=1 COMP_LINE="otolith det" COMP_POINT=11 COMP_TYPE=9 COMP_KEY=9
        _otolith otolith det otolith; echo "${COMPREPLY[@]}"'
      """, in: folder)
    #expect(ending.output.contains("detect"), "\(ending.output) \(ending.errors)")
  }

  /// Returns the words that a shell offers for the last word of a line.
  private static func offered(_ words: [String], by shell: String, in folder: Scratch) throws
    -> String
  {
    let line = words.joined(separator: " ")
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let command =
      switch shell {
      case "bash":
        """
        export PATH="$(dirname "$OTOLITH"):$PATH"
        "$OTOLITH" --generate-completion-script bash > otolith.bash
        bash -c '. ./otolith.bash
          COMP_WORDS=(\(quoted.replacing("'", with: "\""))) COMP_CWORD=\(words.count - 1)
          COMP_LINE="\(line)" COMP_POINT=\(line.count) COMP_TYPE=9 COMP_KEY=9
          _otolith otolith "\(words.last ?? "")" "\(words.dropLast().last ?? "")"
          printf "%s\\n" "${COMPREPLY[@]}"'
        """
      default:
        """
        export PATH="$(dirname "$OTOLITH"):$PATH"
        "$OTOLITH" --generate-completion-script fish > otolith.fish
        fish --no-config -c 'source otolith.fish; complete -C "\(line)"'
        """
      }
    let ending = try Tool.shell(
      "command -v \(shell) > /dev/null || { echo NONE; exit 0; }\n" + command, in: folder)
    return ending.output
  }

  /// Words that the shell gets by calling otolith; fish calls it only on a terminal.
  private static let asked: [(words: [String], offered: String)] = [
    (["otolith", "run", "--board", "rasp"], "raspberry-pi-gy521"),
    (["otolith", "run", "-b", "ow"], "own.yaml"),
    (["otolith", "bringup", "ow"], "own.yaml"),
    (["otolith", "bringup", "--board", "folder/"], "folder/below.yaml"),
    (["otolith", "boards", "wiring", "raspberry-pi-sense"], "raspberry-pi-sense-hat-v2"),
    (["otolith", "selftest", "--board", "own.yaml", "--chip", "le"], "left"),
    (["otolith", "registers", "dump", "-b", "own.yaml", "--chip", ""], "right"),
  ]

  /// Words that are contained in the script.
  private static let written: [(words: [String], offered: String)] = [
    (["otolith", "boards", "new", "--chip", "mpu"], "mpu6050"),
    (["otolith", "boards", "new", "--like", "simulated-"], "simulated-all"),
    (["otolith", "replay", "re"], "rec.csv"),
    (["otolith", "run", "--format", "js"], "jsonl"),
  ]

  @Test(arguments: ["bash", "fish"])
  func `boards, chips and files are offered`(_ shell: String) throws {
    let folder = try Scratch()
    try folder.write(
      """
      otolith-board: 1
      name: Own
      buses: { i2c1: { i2c: /dev/i2c-1 } }
      chips:
        left: { chip: mpu6050, on: i2c1, address: 0x68 }
        right: { chip: mpu6050, on: i2c1, address: 0x69 }

      """, to: "own.yaml")
    try folder.write("", to: "rec.csv")
    try folder.write("", to: "rest.txt")
    _ = try Tool.shell("mkdir folder; cp own.yaml folder/below.yaml", in: folder)
    for (words, wanted) in Self.written + (shell == "fish" ? [] : Self.asked) {
      let output = try Self.offered(words, by: shell, in: folder)
      if output == "NONE\n" { return }
      let lines = output.split(whereSeparator: { $0.isNewline || $0 == "\t" })
        .map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(lines.contains(wanted), "\(shell): \(words.joined(separator: " ")): \(output)")
      #expect(!lines.contains("rest.txt"))
    }
  }
}
