// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The same option has the same words in every command, according to `--experimental-dump-help`.
@Suite struct OneMannerTests {
  private struct Dump: Decodable { var command: Command }

  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable { var kind, name: String }

      var kind: String
      var names: [Name]?
      var abstract: String?
      var valueName: String?

      func has(_ name: String) -> Bool { names?.contains { $0.name == name } ?? false }
    }

    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?

    /// Returns the commands without subcommands, by their full names.
    func leaves(_ above: String = "") -> [(name: String, arguments: [Argument])] {
      let below = (subcommands ?? []).filter { $0.commandName != "help" }
      guard below.isEmpty else {
        return below.flatMap {
          $0.leaves(above.isEmpty ? $0.commandName : "\(above) \($0.commandName)")
        }
      }
      return [(above, arguments ?? [])]
    }
  }

  /// The dump is read once, because the parser of a debug build takes seconds.
  private static let leaves = Result {
    let dump = try Tool.run("--experimental-dump-help", in: Scratch())
    return try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command.leaves()
  }

  @Test(arguments: [("board", "b"), ("duration", "d"), ("format", "f"), ("output", "o")])
  func `an option has its letter wherever it is`(_ long: String, _ short: String) throws {
    let having = try Self.leaves.get().filter { $0.arguments.contains { $0.has(long) } }
    #expect(having.count >= 3)
    for (name, arguments) in having {
      #expect(
        arguments.contains { $0.has(long) && $0.has(short) },
        "otolith \(name): --\(long) without -\(short)")
    }
    // The letter has no other meaning in any command.
    for (name, arguments) in try Self.leaves.get() {
      #expect(
        !arguments.contains { $0.has(short) && !$0.has(long) }, "otolith \(name): -\(short)")
    }
  }

  /// The board is a positional argument, except if that means something else.
  @Test func `a board is said by position and by --board`() throws {
    var byOptionAlone: [String] = []
    for (name, arguments) in try Self.leaves.get()
    where arguments.contains(where: { $0.has("board") }) {
      let first = arguments.first { $0.kind == "positional" }
      if !["board", "files"].contains(first?.valueName) { byOptionAlone.append(name) }
    }
    #expect(
      byOptionAlone == [
        "replay", "scan", "registers dump", "registers read", "registers write", "registers diff",
        "registers watch", "boards new", "publish",
      ])
  }

  /// A command that runs a board can simulate it; a replay takes the board that was recorded.
  @Test func `what takes a board to run it takes --simulate`() throws {
    let without = try Self.leaves.get().filter { leaf in
      leaf.arguments.contains { $0.has("board") } && !leaf.arguments.contains { $0.has("simulate") }
    }.map(\.name)
    #expect(without == ["replay", "boards check", "boards wiring"])
  }

  /// docs/reference/commands.md describes what each prints.
  @Test func `what prints a result prints it as JSON too, and a page says how`() throws {
    let page = try String(
      contentsOfFile: Tool.root + "docs/reference/commands.md", encoding: .utf8)
    let table = try #require(page.components(separatedBy: "<!-- help: begin -->").first)
    var without: [String] = []
    for (name, arguments) in try Self.leaves.get() {
      if arguments.contains(where: { $0.has("json") }) {
        #expect(table.contains("`otolith \(name)`"), "the page says nothing of otolith \(name)")
      } else {
        without.append(name)
      }
    }
    // These commands write files, serve, draw or change something.
    #expect(
      without == [
        "monitor", "serve", "history erase", "boards new", "trace record", "simulate",
        "service serve", "service reload", "service forget", "install", "publish", "sensor-proxy",
      ])
  }
}
