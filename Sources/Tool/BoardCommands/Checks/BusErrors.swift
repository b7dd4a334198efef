// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BringUp
import Foundation
import Otolith
import Synchronization
import ChipCatalog
import Registers

package struct BusErrors: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bus-errors",
    abstract: "Read what is known from each chip over and over, and count what is wrong.",
    discussion: """
      Starts each chip as the board file says, then reads its identity and configuration as fast as \
      the bus allows and compares. Counts transfers that failed, by kind, reads that came back wrong \
      and which bits those were, and how often the configuration was gone because the supply failed \
      for a moment. Shows the rate of errors with a bound that the true rate is below with a \
      confidence of 95 %: where none was seen in n transfers, 3/n. Ctrl-C ends it early with what \
      it has.

      Ends with 0 where there was no error, 65 where there was, 69 where a chip does not answer, \
      or nothing could be checked.
      """)

  @OptionGroup var options: CheckOptions

  @Option(
    name: .shortAndLong,
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long to read from each chip. (default: 10, with --count as long as that takes)",
      valueName: "seconds"), transform: NumberForm.seconds())
  var duration: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many transfers to make with each chip.", valueName: "transfers"),
    transform: NumberForm.whole("a whole number of transfers", 1...Int(1e12), example: 1_000_000))
  var count: Int?

  func run() throws {
    let ended = EndFlag()
    let signals = try EndSignals { ended.set() }
    defer { signals.cancel() }
    // With only a count, the count ends the check.
    let span = TimeSpan(seconds: duration ?? (count == nil ? 10 : 1e6))
    try options.check { chip in
      let result = ErrorSoak.run(chip, for: span, count: count) { result in
        Terminal.progress(
          "\(result.chip): \(result.transactions) transfers, \(result.errors) errors, "
            + "\(result.brownOuts) brown-outs, \(Int(result.seconds)) s")
        return !ended.isSet
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

/// A flag that a signal handler sets and the main thread polls.
final class EndFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}
