// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BringUp
import Foundation
import Otolith

package struct SelfTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest", abstract: "Let chips test themselves, and show figures and limits.",
    discussion: """
      Makers build a stimulus into their chips: it pushes the sensor's mass or feeds a coil, and the \
      change of the samples must lie within limits. The board must lie still, as \
      a simulated one does; a magnetometer far from steel and magnets. A chip without such a test says so. It takes up to two seconds a chip, \
      which sleeps afterwards.

      Ends with 0 where all that can be tested passed, 65 where a figure is outside its limits, 69 \
      where a chip does not answer, \
      or nothing could be checked.
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
