// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import ChipCatalog
internal import LinuxBus
package import Quantities
internal import Registers
internal import Runtime
internal import Sensors

/// A check that runs a chip with its data-ready interrupt, and evaluates the edges on the interrupt
/// line.
package enum InterruptCheck {
  package struct Result: CheckResult {
    package var chip: String
    /// The name of the interrupt line for users, such as `GPIO4 (header pin 7)`.
    package var line: String?
    /// The configured edge, `rising` or `falling`.
    package var edge: String?
    package var skipped: String?
    package var configuredHz: Double?
    package var seconds = 0.0
    /// The number of samples read during the check.
    package var samples: UInt64 = 0
    package var edges: EdgeStatistics?
    /// The level of a line that has no edges: high in all reads, low in all reads, or changing;
    /// `nil` if unknown.
    package var level: String?
    package var findings: [Finding] = []
  }

  /// Runs `chip`, opened with its interrupt line, for `span`. If there are no edges, the check
  /// tries the chip's other interrupt pin and the other polarity for 0.5 s each. With
  /// `searchesLines` it also tries other free lines of the GPIO chip.
  package static func run(
    _ chip: ExaminedChip, for span: TimeSpan, searchesLines: Bool = false
  ) -> Result {
    let name = chip.placement.name
    var result = Result(chip: name)
    if chip.bus.isTrace {
      result.skipped = ExaminedChip.notOfTrace
      return result
    }
    guard let interrupt = chip.placement.interrupt, chip.hasInterrupt else {
      result.skipped = "the board file has no 'interrupt' for it"
      return result
    }
    guard chip.entry.description.acquisitions.contains(.dataReady) else {
      result.skipped = "\(chip.entry.description.title) cannot announce samples on a line"
      return result
    }
    result.line = interrupt.line.words
    result.edge = interrupt.edge.rawValue
    var settings = chip.placement.settings
    settings.acquisition = .dataReady
    guard let run = watch(chip, settings, span) else {
      result.skipped = "it does not support this rate with its interrupt"
      return result
    }
    result.configuredHz = run.settings.rate
    result.seconds = run.seconds
    result.samples = run.frames
    let statistics = EdgeStatistics(run.edges, nominalHz: run.settings.rate)
    result.edges = statistics
    let trouble = RunTrouble.findings(run, chip)
    // If many edges are expected and only a few arrive, they are noise on a line that is not
    // connected.
    let expected = run.seconds * run.settings.rate
    if Double(statistics.edges) > max(2, expected / 20) {
      result.findings = trouble
      // A restart of the chip or a failed read explains gaps between edges. In this case do not
      // report the line.
      if trouble.isEmpty, let finding = rate(statistics, run.settings.rate, name, interrupt) {
        result.findings.append(finding)
      }
      return result
    }
    if let dead = explainSilence(chip, interrupt, settings, run, searchesLines, &result) {
      result.findings.append(dead)
    } else {
      result.findings = trouble
    }
    return result
  }

  // MARK: Too many or too few edges

  private static func rate(
    _ edges: EdgeStatistics, _ configured: Double, _ name: String, _ interrupt: Interrupt
  ) -> Finding? {
    guard let period = edges.periodS, let rate = edges.rateHz else { return nil }
    let place = interrupt.line.words
    let evidence =
      "\(rate.text(1)) edges a second on \(place) for \(configured.text(1)) samples a second"
    // Chip oscillators deviate by up to 10 percent, and a busy machine may miss some edges.
    let limit = max(3, edges.edges / 50)
    if edges.doubled > limit {
      return Finding(
        .interruptRate, of: name, evidence + ": \(edges.doubled) came twice",
        explanation:
          "edges arrive that the chip did not make: the line floats, rings, or another chip shares it"
      )
    }
    if edges.lost > limit {
      return Finding(
        .interruptRate, of: name, evidence + ": \(edges.lost) did not arrive",
        explanation: "edges are lost between the chip and the kernel")
    }
    let ratio = 1 / period / configured
    guard abs(ratio - 1) > 0.2 else { return nil }
    return Finding(
      .interruptRate, of: name, evidence,
      explanation: ratio < 1
        ? "the line has fewer edges than the chip has samples: some edges are lost"
        : "the line has more edges than the chip has samples: it rings, or another chip shares it")
  }

  // MARK: No edge

  /// Explains why no edges arrived; returns `nil` if the chip does not sample, which is no fault of
  /// the line.
  private static func explainSilence(
    _ chip: ExaminedChip, _ interrupt: Interrupt, _ settings: SensorSettings, _ run: ExaminedRun,
    _ searchesLines: Bool, _ result: inout Result
  ) -> Finding? {
    let name = chip.placement.name
    let place = interrupt.line.words
    let second = TimeSpan.seconds(1)
    if run.frames == 0 {
      var polled = settings
      polled.acquisition = .polling
      guard let other = watch(chip, polled, second), other.frames > 0 else { return nil }
      result.samples = other.frames
    }
    let evidence =
      "\(count(result.samples, "sample")) and \(count(run.edges.count, "edge")) on \(place)"
    let half = TimeSpan(seconds: max(0.5, 20 / settings.rate))
    let enough = max(3, Int(saturating: (half.seconds * settings.rate / 4).rounded(.towardZero)))
    var inverted = settings
    inverted.interruptPin.isActiveLow.toggle()
    if let other = watch(chip, inverted, half), other.edges.count >= enough {
      let edge = interrupt.edge == .rising ? "falling" : "rising"
      return Finding(
        .interruptPolarity, of: name,
        evidence
          + "; with the chip's pin active \(inverted.interruptPin.isActiveLow ? "low" : "high") "
          + "there are \(other.edges.count) in \(half.seconds.text(1)) s",
        steps: ["try 'edge: \(edge)' in the board file's 'interrupt:' of '\(name)'"])
    }
    // The pin's polarity may be fixed and the signal may be inverted, so try the opposite edge.
    if let edges = chip.edges, edges.edge == interrupt.edge {
      let edge: Interrupt.Edge = interrupt.edge == .rising ? .falling : .rising
      edges.edge = edge
      defer { edges.edge = interrupt.edge }
      if let other = watch(chip, settings, half), other.edges.count >= enough {
        return Finding(
          .interruptPolarity, of: name,
          evidence
            + "; \(edge.rawValue) ones are \(other.edges.count) in \(half.seconds.text(1)) s",
          steps: ["try 'edge: \(edge.rawValue)' in the board file's 'interrupt:' of '\(name)'"])
      }
    }
    if chip.entry.description.interruptPins > 1 {
      var swapped = settings
      swapped.interruptPin.number = 3 - max(1, min(2, settings.interruptPin.number))
      if let other = watch(chip, swapped, half), other.edges.count >= enough {
        return Finding(
          .interruptPin, of: name,
          evidence + "; \(other.edges.count) in \(half.seconds.text(1)) s once the chip uses its "
            + "pin \(swapped.interruptPin.number)",
          explanation:
            "\(place) is wired to the chip's pin \(swapped.interruptPin.number) instead of "
            + "\(settings.interruptPin.number)",
          steps: ["write 'pin: \(swapped.interruptPin.number)' into the 'interrupt:' of '\(name)'"])
      }
    }
    result.level = level(chip, settings)
    if searchesLines, let line = chip.line {
      let found = LineSearch.run(besides: line, edge: interrupt.edge, atLeast: enough) {
        _ = watch(chip, settings, half)
      }
      if let found {
        return Finding(
          .interruptPin, of: name, evidence + "; \(found.edges) on \(found.words)",
          explanation: "the interrupt arrives at \(found.words) instead of \(place)",
          steps: [
            "write 'line: \(found.name)' into the 'interrupt:' of '\(name)', or move the wire"
          ])
      }
    }
    let stuck = result.level.map { "; the line is always \($0)" } ?? ""
    return Finding(
      .deadInterrupt, of: name, evidence + stuck,
      explanation: "the chip samples, and no edge arrives at \(place)"
        + (result.level.map { ", which stays \($0)" } ?? ""))
  }

  /// Returns the level of a line that has no edges: `high` or `low` if the level never changes.
  private static func level(_ chip: ExaminedChip, _ settings: SensorSettings) -> String? {
    guard let line = chip.line else { return nil }
    var highs = 0
    var polls = 0
    var polled = settings
    polled.acquisition = .polling
    _ = try? chip.run(.sampling(polled), for: .seconds(2)) { _, _ in
      if let isHigh = try? line.isHigh() {
        polls += 1
        if isHigh { highs += 1 }
      }
      return polls < 100
    }
    guard polls > 0 else { return nil }
    return highs == polls ? "high" : highs == 0 ? "low" : nil
  }

  /// Runs the chip for `span` and returns the part of the run after the first sample; `nil` if the
  /// chip cannot run.
  private static func watch(
    _ chip: ExaminedChip, _ settings: SensorSettings, _ span: TimeSpan
  ) -> ExaminedRun? {
    var first: Timestamp?
    let run = try? chip.run(.sampling(settings), for: span) { batch, _ in
      if first == nil { first = batch.newest }
      return true
    }
    guard var run else { return nil }
    if let first { run.edges.removeAll { $0 < first } }
    return run
  }
}
