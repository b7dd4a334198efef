// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The help of every command, pinned: docs/commands.md is what they print. Written anew with OTOLITH_RECORD=1.
@Suite struct CommandReferenceTests {
  private static let file = Tool.root + "docs/commands.md"

  @Test func `every command's help is what the reference says`() throws {
    let folder = try Scratch()
    let commands = try CommandTree.all(in: folder)
    // A tree that could not be read would pin nothing.
    #expect(commands.contains(["boards", "check"]) && commands.contains(["run"]))
    var text = """
      <!-- SPDX-License-Identifier: Apache-2.0 -->
      <!-- Printed by the commands themselves; written by OTOLITH_RECORD=1 swift test --filter CommandReferenceTests -->
      # Commands

      What `otolith help COMMAND` says of each. Exit statuses are those of sysexits(3): 0 good, 64 a mistake in the
      arguments, 65 bad data, 66 no such input, 69 something needed is not there, 73 and 74 cannot be written, 77 no
      permission, for a file that may not be read as for a device, 78 a mistake in a board file; 130 interrupted
      before the end. No command writes over a file that it reads; one that is there already it replaces with --force.
      What `--json` prints: [output for programs](json.md).


      """
    for command in commands {
      let help = try Tool.run(["help"] + command, in: folder)
      #expect(help.status == 0 && help.errors.isEmpty, "otolith help \(command): \(help.errors)")
      let title = (["otolith"] + command).joined(separator: " ")
      #expect(help.output.contains("USAGE: \(title)"), "\(title)")
      #expect(help.output.contains("OVERVIEW: "), "\(title) says nothing of itself")
      text += "## \(title)\n\n```text\n\(help.output.trimmingCharacters(in: .newlines))\n```\n\n"
    }
    text.removeLast()
    if ProcessInfo.processInfo.environment["OTOLITH_RECORD"] == "1" {
      try text.write(toFile: Self.file, atomically: true, encoding: .utf8)
    }
    let committed = try String(contentsOfFile: Self.file, encoding: .utf8)
    for (is_, was) in zip(text.split(separator: "## "), committed.split(separator: "## ")) {
      #expect(is_ == was)
    }
    #expect(text == committed, "docs/commands.md is not what the commands print")
  }

  /// `(default: size(64000000))` and `(default: with Ctrl-C)` stood there.
  @Test func `a default is what one types, or what happens without the option`() throws {
    let folder = try Scratch()
    for command in try CommandTree.all(in: folder) {
      let help = try Tool.run(["help"] + command, in: folder).output
      // Lines are broken within a default, too.
      let text = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for part in text.components(separatedBy: "(default: ").dropFirst() {
        let value = part.prefix { $0 != ")" }
        let isSwift = value.contains("(") || value.contains("nil") || value.contains("Optional")
        #expect(!isSwift && !value.hasPrefix("with "), "\(command): (default: \(value))")
      }
    }
  }

  @Test func `a command that does not exist is named with the nearest that does`() throws {
    let ending = try Tool.run("brinup", in: Scratch())
    #expect(ending.status == 64)
    #expect(
      ending.errors == "there is no command 'otolith brinup'; did you mean 'otolith bringup'?\n")
    let below = try Tool.run("boards", "chek", in: Scratch())
    #expect(below.errors.contains("did you mean 'otolith boards check'?"))
  }
}

/// The commands of the tool, as it dumps them for programs.
enum CommandTree {
  private struct Dump: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var commandName: String
    var shouldDisplay: Bool?
    var subcommands: [Command]?

    func paths(_ above: [String]) -> [[String]] {
      [above]
        + (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
        .flatMap { $0.paths(above + [$0.commandName]) }
    }
  }

  /// Their names after `otolith`, each before those below it; the first is `otolith` itself.
  static func all(in folder: Scratch) throws -> [[String]] {
    let dump = try Tool.run("--experimental-dump-help", in: folder)
    return try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command.paths([])
  }
}
