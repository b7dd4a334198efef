// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Boards
import BringUp
import ArgumentParser
import ChipCatalog
import Foundation
import Otolith
import Recordings
import Registers
import Runtime
import Text

extension RegistersCommand {
  struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Compare registers with a dump, two dumps, or the chip before and after a start.",
      discussion: """
        Dumps are files of 'otolith registers dump --json'. --from and --to compare two dumps; \
        --from alone compares a dump with the chip; --start compares the chip before and after its \
        driver starts it as configured in the board file. Registers with read side effects are not \
        compared. The exit status is 0 with or without differences.
        """)

    @OptionGroup var options: RegisterChipOptions

    @Option(
      help: ArgumentHelp("The first dump.", valueName: "file"), completion: .file())
    var from: String?

    @Option(
      help: ArgumentHelp("The second dump. (default: the chip)", valueName: "file"),
      completion: .file())
    var to: String?

    @Flag(help: "Compare the chip before and after its start.")
    var start = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
      switch (from, to, start) {
      case (nil, nil, false):
        throw ValidationError("nothing to compare with: give --from and a dump, or --start")
      case (nil, .some, _): throw ValidationError("--to needs --from")
      case (.some, .some, true):
        throw ValidationError("--start needs the chip; two dumps are compared without it")
      default: break
      }
    }

    func run() throws {
      let before: [FlatAddress: UInt16]
      let after: [FlatAddress: UInt16]
      let rows: [RegisterRow]
      if let from, let to {
        // Only the kind of the chip is needed, because it determines the field names.
        let placement = try options.board.select().board.chip(named: options.chip)
        rows = ChipCatalog.entry(named: placement.chip)?.registers() ?? []
        before = try Self.contents(of: from)
        after = try Self.contents(of: to)
      } else {
        let chip = try options.open()
        rows = chip.rows
        before = try from.map { try Self.contents(of: $0) } ?? chip.snapshot()
        if start { try chip.start() }
        after = try chip.snapshot()
        if start { try? chip.access.stopDriver() }
      }
      let differences = RegisterDifference.between(before, after, rows)
      if json {
        return Terminal.say(JSON.object(differences.map(\.json)).description)
      }
      let width = differences.map(\.row.name.count).max() ?? 0
      for difference in differences { Terminal.say(difference.text(width: width)) }
      if differences.isEmpty { Terminal.complain("no difference") }
    }

    /// Returns the register contents by address, from a file written by `registers dump --json`.
    private static func contents(of path: String) throws(Failure) -> [FlatAddress: UInt16] {
      let data: Data
      switch BoundedFile.read(path, most: { _ in 1 << 20 }) {
      case .bytes(let bytes): data = Data(bytes)
      // A file of this size is not a register dump, because no dump is that large.
      case .tooLarge: data = Data()
      case .failed: throw Failure("\(path): cannot be read", Failure.noInput)
      }
      struct Line: Decodable {
        var address: UInt8
        var bank: UInt8?
        var value: UInt16?
      }
      guard let lines = try? JSONDecoder().decode([String: Line].self, from: data), !lines.isEmpty
      else {
        throw Failure(
          "\(path): is not a dump; make one with: otolith registers dump --chip NAME --json > "
            + "\(path)",
          Failure.badData)
      }
      var values: [FlatAddress: UInt16] = [:]
      for line in lines.values {
        values[FlatAddress(bank: line.bank ?? 0, line.address)] = line.value
      }
      return values
    }
  }
}
