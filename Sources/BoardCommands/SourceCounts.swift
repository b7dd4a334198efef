// SPDX-License-Identifier: Apache-2.0
import Boards
import MotionSources
import Otolith
package import Runtime
import Sensors

/// The counters of a source's chips since a given time.
package struct SourceCounts: Sendable {
  private let source: any MotionSource
  /// The counters at the start: those of a service may have run for long.
  private let before: [ChipReport]

  package init(of source: any MotionSource) {
    self.source = source
    before = source.report
  }

  /// A line with the samples received, lost and late, and the errors.
  package var line: String {
    let report = source.report
    func sum(_ count: (ChipReport) -> UInt64) -> UInt64 {
      let now = report.reduce(0) { $0 + count($1) }
      let then = before.reduce(0) { $0 + count($1) }
      // A service that restarted its board counts from zero.
      return now >= then ? now - then : now
    }
    let received =
      source is ServiceSource ? source.pipeline.samples.count : sum(\.health.received)
    if report.isEmpty, !before.isEmpty {
      return "received \(received) samples; lost and late are not known, "
        + "since the service that counts them no longer answers"
    }
    var line =
      "received \(received) samples, lost \(sum(\.health.missing)), "
      + "late \(sum(\.late)), bus errors \(sum(\.health.busErrors))"
    line += losses(report)
    let missed = source.pipeline.overwritten
    if missed > 0 { line += "; \(missed) missed, this program was too slow for the service" }
    return line
  }

  /// Returns the description of samples without a value, or with a wrong one, chip by chip.
  private func losses(_ report: [ChipReport]) -> String {
    guard let board = (source as? BoardSession)?.board else { return "" }
    var parts: [String] = []
    for (chip, placement) in zip(report, board.chips) {
      let empty = chip.quality.empty
      if empty > 0 {
        parts.append("\(chip.name): \(empty) samples without a value, beyond its range")
      }
      parts += placement.pinnedWords(chip.quality).map { "\(chip.name): \($0)" }
    }
    return parts.map { "; \($0)" }.joined()
  }
}
