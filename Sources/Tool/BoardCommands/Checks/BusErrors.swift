// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import BringUp
import Foundation
import Otolith
import ChipCatalog
import Registers

package struct BusErrors: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bus-errors",
    abstract: "Read known registers of each chip repeatedly, and count errors.",
    discussion: """
      Starts each chip as configured in the board file, then reads and compares its identity and \
      configuration as fast as the bus allows. Counts failed transfers by kind, wrong reads and \
      their wrong bits, and resets of the configuration by brief supply failures. Shows the error \
      rate with its upper bound at 95 % confidence: 3/n after n transfers without an error. Ctrl-C \
      stops early and reports the counts so far.

      Exit status: 0 without errors, 65 with errors, 69 if a chip does not answer or nothing could \
      be checked.
      """)

  @OptionGroup var options: CheckOptions

  @Option(
    name: .shortAndLong,
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds per chip. (default: 10; with --count unlimited)",
      valueName: "seconds"), transform: NumberForm.seconds())
  var duration: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The number of transfers per chip.", valueName: "transfers"),
    transform: NumberForm.whole("a whole number of transfers", 1...Int(1e12), example: 1_000_000))
  var count: Int?

  func run() throws {
    let signals = try EndSignals()
    defer { signals.cancel() }
    // If the user gives a count, the check ends at that count, not after a duration.
    let span = TimeSpan(seconds: duration ?? (count == nil ? 10 : 1e6))
    try options.check { chip in
      let result = ErrorSoak.run(chip, for: span, count: count) { result in
        Terminal.progress(
          "\(result.chip): \(result.transactions) transfers, \(result.errors) errors, "
            + "\(result.brownOuts) brown-outs, \(Int(result.seconds)) s")
        return !signals.isEnding
      }
      Terminal.progress("")
      return result
    } lines: {
      Self.lines($0)
    }
  }

  static func lines(_ result: ErrorSoak.Result) -> [String] {
    func text(_ value: Double, _ digits: Int = 1) -> String {
      String(format: "%.\(digits)f", value)
    }
    var lines = [
      "\(result.chip): \(result.transactions) transfers in \(text(result.seconds)) s, "
        + "\(result.registers) registers compared",
      "  errors \(result.errors): \(text(result.errorsPerMillion)) of a million, below "
        + "\(text(result.upperBoundPerMillion)) with 95 % confidence",
    ]
    for (word, count) in result.failures.sorted(by: { $0.key < $1.key }) {
      lines.append("  failed, \(word): \(count)")
    }
    if result.corruptedReads > 0 {
      let bits = result.flippedBits.prefix(5).map {
        "bit \($0.bit) of 0x\(hexadecimal($0.register)) \($0.count) times"
      }
      lines.append("  read wrong: \(result.corruptedReads) (\(bits.joined(separator: ", ")))")
    }
    if result.brownOuts > 0 { lines.append("  configuration lost: \(result.brownOuts) times") }
    return lines
  }
}
