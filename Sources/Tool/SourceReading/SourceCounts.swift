// SPDX-License-Identifier: Apache-2.0
import Boards
import MotionSources
import Otolith
import Recordings
package import Runtime
import Sensors

/// The counters of a source's chips, counted from the creation of this value.
package struct SourceCounts: Sendable {
  private let source: any MotionSource
  /// The chips' counters at the start, which must be subtracted because the chips of a service may
  /// have run for a long time.
  private let before: [ChipReport]
  private let faultsBefore: FaultTimes

  package init(of source: any MotionSource) {
    self.source = source
    before = source.report
    // A service sends the sensor faults and their times together with the reports of its chips.
    faultsBefore = source.pipeline.faults
  }

  /// A line with the counts of received, lost and late samples, and of errors.
  package var line: String {
    let report = source.report
    func sum(_ count: (ChipReport) -> UInt64) -> UInt64 {
      let now = report.reduce(0) { $0 + count($1) }
      let then = before.reduce(0) { $0 + count($1) }
      // A service that has restarted its board counts from zero again, so the new count is itself
      // the difference.
      return now >= then ? now - then : now
    }
    let received =
      source.kind.isService ? source.pipeline.samples.count : sum(\.health.received)
    if report.isEmpty, !before.isEmpty {
      return "received \(received) samples; lost and late are unknown, because the service no "
        + "longer answers"
    }
    var line =
      "received \(received) samples, lost \(sum(\.health.missing)), "
      + "late \(sum(\.late)), bus errors \(sum(\.health.busErrors))"
    line += losses(report) + faults
    let missed = source.pipeline.overwritten
    if missed > 0 { line += "; \(missed) missed, because this program was too slow" }
    return line
  }

  /// Returns, for each chip, the counts of samples without a value or with an invalid value.
  private func losses(_ report: [ChipReport]) -> String {
    var parts: [String] = []
    for (index, chip) in report.enumerated() {
      var losses = chip.losses
      if before.indices.contains(index) { losses = losses.since(before[index].losses) }
      if losses.empty > 0 {
        parts.append("\(chip.name): \(losses.empty) samples without a value, beyond its range")
      }
      if losses.invalid > 0 {
        parts.append("\(chip.name): \(losses.invalid) readings that cannot be measurements")
      }
      parts += losses.clipped.map {
        "\(chip.name): \(PinnedSamples.words($0.end, range: $0.range))"
      }
    }
    return parts.map { "; \($0)" }.joined()
  }

  /// The text about the sensor faults that fusion has detected since the counts began.
  private var faults: String {
    let (now, then) = (source.pipeline.faults, faultsBefore)
    let parts = SensorFaultRow.rows(of: now.occurred).compactMap { row -> String? in
      let seconds = now.record(of: row.fault).seconds - then.record(of: row.fault).seconds
      return seconds > 0
        ? "the \(row.sensor) was \(row.state) for \(FaultTimes.short(seconds)) s" : nil
    }
    return parts.map { "; \($0)" }.joined()
  }
}
