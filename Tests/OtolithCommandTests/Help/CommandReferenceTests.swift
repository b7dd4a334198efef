// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The help of every command is that in docs/reference/commands.md; `make tables KIND=commands`
/// writes it.
@Suite struct CommandReferenceTests {
  private static let file = Tool.root + "docs/reference/commands.md"

  @Test func `every command's help is what the reference says`() throws {
    let folder = try Scratch()
    let commands = try CommandTree.all(in: folder)
    // Without a readable command tree nothing would be compared.
    #expect(commands.contains(["boards", "check"]) && commands.contains(["run"]))
    var text = ""
    for command in commands {
      let help = try Tool.run(["help"] + command, in: folder)
      #expect(help.status == 0 && help.errors.isEmpty, "otolith help \(command): \(help.errors)")
      let title = (["otolith"] + command).joined(separator: " ")
      #expect(help.output.contains("USAGE: \(title)"), "\(title)")
      #expect(help.output.contains("OVERVIEW: "), "\(title) says nothing of itself")
      text += "## \(title)\n\n```text\n\(help.output.trimmingCharacters(in: .newlines))\n```\n\n"
    }
    text.removeLast()
    let page = try String(contentsOfFile: Self.file, encoding: .utf8)
    let from = try #require(page.firstRange(of: "<!-- help: begin -->\n")).upperBound
    let to = try #require(page.firstRange(of: "<!-- help: end -->")).lowerBound
    if ProcessInfo.processInfo.environment["OTOLITH_RECORD"] == "1" {
      try "\(page[..<from])\(text)\(page[to...])".write(
        toFile: Self.file, atomically: true, encoding: .utf8)
      return
    }
    let committed = page[from..<to]
    for (is_, was) in zip(text.split(separator: "## "), committed.split(separator: "## ")) {
      #expect(is_ == was)
    }
    #expect(text == committed, "docs/reference/commands.md is not what the commands print")
  }

  /// `(default: size(64000000))` and `(default: with Ctrl-C)` were printed once.
  @Test func `a default is what one types, or what happens without the option`() throws {
    let folder = try Scratch()
    for command in try CommandTree.all(in: folder) {
      let help = try Tool.run(["help"] + command, in: folder).output
      // Lines may be broken within a default.
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

/// The commands of the tool, from its own dump for programs.
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

  /// Returns their names after `otolith`, each before its subcommands; the first is `otolith`
  /// itself.
  static func all(in folder: Scratch) throws -> [[String]] {
    let dump = try Tool.run("--experimental-dump-help", in: folder)
    return try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command.paths([])
  }
}
