// SPDX-License-Identifier: Apache-2.0
import Text
import ArgumentParser
import BringUp
import Foundation
import Otolith

package struct SelfTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest", abstract: "Run the chips' self-tests, and show values and limits.",
    discussion: """
      Many chips have a built-in stimulus: it deflects the sensor's mass or energises a coil, and \
      the change of the samples must lie within limits. The board must lie still; a magnetometer \
      must be far from steel and magnets. Chips without a self-test are listed as such. It takes \
      up to two seconds per chip; the chips are put to sleep afterwards.

      Exit status: 0 if all self-tests passed, 65 if a value is outside its limits, 69 if a chip \
      does not answer or nothing could be tested.
      """)

  @OptionGroup var options: CheckOptions

  func run() throws {
    try options.check {
      SelfTestCheck.run($0)
    } lines: { result in
      guard !result.items.isEmpty else { return ["\(result.chip): self-test could not be made"] }
      let rows = result.items.map { item in
        [
          "  \(item.channel)", item.axis, Self.number(item.response), Self.number(item.lowest),
          Self.number(item.highest), item.unit, item.isPassed ? "passed" : "FAILED",
        ]
      }
      return [
        "\(result.chip): self-test \(result.isPassed ? "passed" : "failed")"
      ]
        + TextTable.lines(
          [["  of", "axis", "response", "lowest", "highest", "unit", ""]] + rows, right: [2, 3, 4])
    }
  }

  private static func number(_ value: Double) -> String { String(format: "%.4g", value) }
}
