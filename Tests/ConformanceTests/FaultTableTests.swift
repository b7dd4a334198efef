// SPDX-License-Identifier: Apache-2.0
import Simulation
import Boards
import BringUp
import ChipCatalog
import Foundation
import Quantities
import Runtime
import Sensors
import Testing

/// The table of docs/reference/faults.md: each fault of a simulated board, on every chip in every
/// acquisition. `make test KIND=faults` compares it, and writes it with OTOLITH_RECORD=1.
@Suite(.enabled(if: FaultCase.isAskedFor, "make test KIND=faults")) struct FaultTableTests {
  static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/reference/faults.md").standardized

  /// The outcomes of each fault in each acquisition; `nil` if a chip could not be started.
  static let outcomes: [String: [FaultOutcome]] = {
    var all: [String: [FaultOutcome]] = [:]
    for fault in FaultCase.seen {
      all[fault.spelled] = fault.ways.compactMap { try? FaultOutcome(fault, $0) }
    }
    return all
  }()

  @Test func `every fault of a board is in the table`() {
    #expect(Set(FaultCase.all.map(\.fault.kind)) == Set(FaultKind.allCases))
  }

  /// The table must not contain a failure.
  @Test(arguments: FaultCase.seen)
  func `a fault is reported, its losses are accounted for, and it is got over`(_ fault: FaultCase)
    throws
  {
    let outcomes = Self.outcomes[fault.spelled] ?? []
    #expect(!outcomes.isEmpty && outcomes.count == fault.ways.count)
    for outcome in outcomes {
      let place: Comment =
        "\(outcome.way.testDescription): \(outcome.reports), lost \(outcome.lost)"
      // A doubled edge loses nothing, and a wrong bit in a measured value cannot be detected.
      if ![.doubledInterrupt, .bitFlip].contains(fault.fault.kind) {
        #expect(outcome.lost == 0 || !outcome.reports.isEmpty, place)
      }
      // A chip that was reset samples at another phase. I2C and SPI have no checksum, so a wrong
      // bit in a FIFO count may change the number of samples in a batch.
      #expect(outcome.unaccounted <= (fault.fault.kind == .bitFlip ? 5 : 1), place)
      let recovery = try #require(outcome.recovery, place)
      #expect(recovery <= fault.lasts + .milliseconds(1500), place)
    }
  }

  @Test func `the table is what the simulation says`() throws {
    let text = try Self.faults() + "\n" + Self.chips()
    let whole = try String(contentsOf: Self.page, encoding: .utf8)
    let (begin, end) = ("<!-- faults: begin -->\n", "<!-- faults: end -->")
    let from = try #require(whole.firstRange(of: begin)).upperBound
    let to = try #require(whole.firstRange(of: end)).lowerBound
    if FaultCase.isRecording {
      let new = String(whole[..<from]) + text + String(whole[to...])
      try new.write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      #expect(whole[from..<to] == text, "write it again: make tables KIND=faults")
    }
  }

  // MARK: - The text

  private static func milliseconds(_ span: TimeSpan?) -> String {
    guard let span else { return "never" }
    return "\((span.nanoseconds + 999_999) / 1_000_000)"
  }

  private static func faults() throws -> String {
    var text = """
      | fault | ways | the driver reports | lost, at most | accounted | recovered in ms, at most | bring-up says |
      |---|---|---|---|---|---|---|

      """
    for fault in FaultCase.all {
      let said = try causes(fault.often)
      guard FaultCase.seen.contains(where: { $0.spelled == fault.spelled }) else {
        text += "| `\(fault.spelled)` | | nothing: samples alone tell | 0 | yes | - | \(said) |\n"
        continue
      }
      let outcomes = Self.outcomes[fault.spelled] ?? []
      var reports: [String] = []
      for word in outcomes.flatMap(\.reports) where !reports.contains(word) { reports.append(word) }
      let lost = outcomes.map(\.lost).max() ?? 0
      let worst = outcomes.map(\.unaccounted).max() ?? 0
      let accounted = worst <= 1 ? "yes" : "but for \(Int(worst))"
      let slowest =
        outcomes.contains { $0.recovery == nil }
        ? nil : outcomes.compactMap(\.recovery).max()
      text += "| `\(fault.spelled)` | \(outcomes.count) | "
      text += "\(reports.isEmpty ? "nothing: nothing is lost" : reports.joined(separator: ", ")) | "
      text += "\(lost) | \(accounted) | \(milliseconds(slowest)) | \(said) |\n"
    }
    return text
  }

  /// Returns the findings of a bring-up of a board with one MPU-6050, which is turned if a check
  /// requires it.
  private static func causes(_ fault: String) throws -> String {
    let board = try BoardFile.parse(
      """
      otolith-board: 1
      name: Faulty
      buses: { bus: { simulated: i2c } }
      chips:
        sensor:
          chip: invensense,mpu6050
          on: bus
          rate-hz: 100
          address: 0x68
          interrupt: { line: simulated }
      simulation: { motion: still, faults: [{ fault: \(fault) }] }
      """, file: "faulty.yaml", catalogue: ChipCatalog.descriptions)
    let causes = BoardBringUp.run(board).checks.flatMap(\.findings).map(\.cause.rawValue)
    var once: [String] = []
    for cause in causes where !once.contains(cause) { once.append(cause) }
    return once.isEmpty ? "nothing" : once.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Returns the table by chip, for its best acquisition: the losses, and the time of recovery.
  private static func chips() -> String {
    let columns = FaultCase.seen
    var text = "Lost samples / ms to recovery, of each chip as it streams at its best:\n\n"
    text += "| chip |" + columns.map { " `\($0.spelled)` |" }.joined() + "\n"
    text += "|---|" + columns.map { _ in "---|" }.joined() + "\n"
    for row in Row.distinct {
      let best = [Acquisition.fifo, .dataReady, .polling].first {
        row.description.acquisitions.contains($0)
      }
      text += "| \(row.testDescription), \(best.map { "\($0)" } ?? "") |"
      for column in columns {
        let own = (outcomes[column.spelled] ?? []).filter {
          $0.way.row.testDescription == row.testDescription
        }
        guard let outcome = own.first(where: { $0.way.acquisition == best }) ?? own.first else {
          text += " - |"
          continue
        }
        text += " \(outcome.lost) / \(milliseconds(outcome.recovery)) |"
      }
      text += "\n"
    }
    return text
  }
}
