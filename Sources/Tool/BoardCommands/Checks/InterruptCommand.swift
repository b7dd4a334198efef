// SPDX-License-Identifier: Apache-2.0
import Text
import ArgumentParser
import BringUp
import Foundation
import Otolith

package struct InterruptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interrupt",
    abstract: "Watch chips' interrupt lines: edges, their rate, and how evenly they come.",
    discussion: """
      Runs each chip with its data-ready interrupt, whatever the board file configures, and shows \
      the edges that arrived, their rate compared with the configured one, and their jitter: \
      standard deviation, 99th percentile, maximum, and a histogram. If no edge arrives, it checks \
      whether the chip samples, and tries the chip's other pin and the other polarity. With \
      --search-lines it also watches the free lines of the same GPIO chip as inputs; on a \
      Raspberry Pi only those that no bus, serial port or sound device can use.

      Exit status: 0 if all lines are good, 65 if not, 69 if a chip does not answer or nothing \
      could be checked.
      """)

  @OptionGroup var options: CheckOptions

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Seconds per line. (default: 5.0)", valueName: "seconds"),
    transform: NumberForm.seconds())
  var duration = 5.0

  @Flag(help: "Watch other free lines for the edges too.")
  var searchLines = false

  func run() throws {
    try options.check {
      InterruptCheck.run($0, for: TimeSpan(seconds: duration), searchesLines: searchLines)
    } lines: {
      Self.lines($0)
    }
  }

  static func lines(_ result: InterruptCheck.Result) -> [String] {
    guard let edges = result.edges else { return [] }
    var lines = [
      "\(result.chip): \(edges.edges) \(result.edge ?? "") edges on \(result.line ?? "") and "
        + "\(result.samples) samples in \(text(result.seconds, 1)) s"
    ]
    guard let rate = edges.rateHz, let configured = result.configuredHz else { return lines }
    lines.append(
      "  rate \(text(rate, 2)) Hz, configured \(text(configured, 2)) Hz; "
        + "\(edges.lost) lost, \(edges.doubled) doubled")
    lines.append(
      "  jitter \(text(edges.jitterDeviationUs, 1)) us standard deviation, 99 % within "
        + "\(text(edges.jitterP99Us, 1)) us, worst \(text(edges.jitterWorstUs, 1)) us")
    let most = edges.histogram.map(\.count).max() ?? 0
    guard most > 0 else { return lines }
    let rows = edges.histogram.enumerated().map { index, bin in
      [
        "  "
          + (index == 0
            ? "less"
            : index == edges.histogram.count - 1
              ? "more" : text((bin.lowestUs + bin.highestUs) / 2, 1)),
        "\(bin.count)", String(repeating: "#", count: (bin.count * 50 + most - 1) / most),
      ]
    }
    return lines + TextTable.lines([["  off by us", "edges", ""]] + rows, right: [0, 1])
  }

  private static func text(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}
