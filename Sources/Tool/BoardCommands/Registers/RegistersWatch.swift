// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BringUp
import ArgumentParser
import Foundation
import Otolith
import ChipCatalog
import Registers
import Text

extension RegistersCommand {
  struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch",
      abstract: "Read registers periodically, and show changes.",
      discussion: """
        Prints a line for each register that changed since the previous read: seconds since the \
        first read, the old and new value, and the changed fields. Without arguments all registers \
        without read side effects are watched; the others need --force. With --start the chip's \
        driver first starts it as configured in the board file. Ctrl-C quits.
        """)

    @OptionGroup var options: RegisterChipOptions

    @Argument(help: ArgumentHelp("The registers to watch.", valueName: "register"))
    var registers: [String] = []

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("Seconds between two reads. (default: 0.5)", valueName: "seconds"),
      transform: NumberForm.seconds(NumberForm.above0...86_400, example: 0.5))
    var interval = 0.5

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Stop after this many reads. (default: until "
          + "Ctrl-C)", valueName: "reads"),
      transform: NumberForm.whole("a whole number of reads", 1...Int(1e9), example: 10))
    var count: Int?

    @Flag(help: "Start the chip as configured in the board file first.")
    var start = false

    @Flag(help: "Watch registers with read side effects too.")
    var force = false

    @Flag(help: "Print one JSON object per read that found a change.")
    var json = false

    func run() throws {
      let chip = try options.open(for: registers)
      let queries = try chip.queries(toRead: registers, isForced: force)
      let rows =
        queries.isEmpty
        ? chip.rows.filter { $0.isReadable && ($0.effect == .none || force) } : queries.map(\.row)
      if start { try chip.start() }
      let signals = try EndSignals()
      defer {
        signals.cancel()
        if start { try? chip.access.stopDriver() }
      }
      var known = try readAll(chip, rows)
      let width = rows.map(\.name.count).max() ?? 0
      Terminal.complain(
        "\(chip.name): watching \(rows.count) registers every \(interval) s; Ctrl-C ends it")
      var reads = 1
      let begin = Date.now
      while !signals.isEnding, reads < count ?? .max {
        // Wait at most 0.1 s at a time, so that Ctrl-C takes effect soon.
        var left = interval
        while left > 0, !signals.isEnding {
          chip.wait(TimeSpan(seconds: min(left, 0.1)))
          left -= 0.1
        }
        let now = try readAll(chip, rows)
        reads += 1
        let differences = RegisterDifference.between(known, now, rows)
        known = now
        let time = Date.now.timeIntervalSince(begin)
        let seconds = String(format: "%.3f", time)
        if json {
          guard !differences.isEmpty else { continue }
          Terminal.say(
            JSON.object([
              .init("seconds", .rounded(time, 3)),
              .init("registers", .object(differences.map(\.json))),
            ]).description)
        } else {
          for difference in differences {
            Terminal.say("\(seconds)  \(Terminal.emphasis(difference.text(width: width)))")
          }
        }
      }
    }

    private func readAll(_ chip: OpenedChip, _ rows: [RegisterRow]) throws(Failure)
      -> [FlatAddress: UInt16]
    {
      var values: [FlatAddress: UInt16] = [:]
      for row in rows { values[row.place] = try chip.read(row) }
      return values
    }
  }
}
