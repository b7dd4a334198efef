// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import ChipCatalog
internal import Quantities
internal import Registers
internal import Runtime
internal import Sensors

/// A check that runs the self-test that the manufacturer built into the chip.
package enum SelfTestCheck {
  /// The response of one axis, with its limits.
  package struct Item: Equatable, Codable, Sendable {
    /// The channel: `acceleration`, `rotationRate` or `magneticField`.
    package var channel: String
    /// The axis: x, y or z.
    package var axis: String
    /// The response in `unit`; if the chip reports only pass or fail, 1 for pass and 0 for fail.
    package var response: Double
    package var lowest: Double
    package var highest: Double
    /// The unit: g, deg/s, uT or yes/no.
    package var unit: String
    package var isPassed: Bool
  }

  package struct Result: CheckResult {
    package var chip: String
    /// The reason why the check was skipped; `nil` if it ran.
    package var skipped: String?
    package var items: [Item] = []
    package var seconds = 0.0
    package var findings: [Finding] = []

    package var isPassed: Bool { !items.isEmpty && items.allSatisfy(\.isPassed) }
  }

  /// Tests `chip`, which must be at rest. After the test the chip is stopped, and its configuration
  /// is lost.
  package static func run(_ chip: ExaminedChip) -> Result {
    let name = chip.placement.name
    var result = Result(chip: name)
    if chip.bus.isTrace {
      result.skipped = ExaminedChip.notOfTrace
      return result
    }
    guard chip.entry.description.hasSelfTest else {
      result.skipped = "\(chip.entry.description.title) has no self-test"
      return result
    }
    let run: ExaminedRun
    // Test up to three times, because a single failed transfer or a push against the table can look
    // like a broken sensor.
    var last: ExaminedRun?
    for _ in 0..<3 where last?.selfTest?.isPassed != true {
      do throws(ChipError) { last = try chip.run(.selfTest, for: .seconds(10)) } catch {
        result.skipped = "\(chip.entry.description.title) has no self-test"
        return result
      }
    }
    guard let last else { return result }
    run = last
    result.seconds = run.seconds
    guard let report = run.selfTest else {
      let trouble = RunTrouble.findings(run, chip)
      result.findings = trouble
      return result
    }
    result.items = (0..<report.count).map { item(report.items[$0]) }
    result.findings = RunTrouble.findings(run, chip)
    let failed = result.items.filter { !$0.isPassed }
    guard !failed.isEmpty, result.findings.isEmpty else { return result }
    // A drop of the supply voltage corrupts results on SPI, which has no acknowledgement, so test
    // the bus too.
    let soak = ErrorSoak.run(chip, for: .seconds(2), count: 100_000)
    guard soak.findings.isEmpty else {
      result.findings = soak.findings
      return result
    }
    guard !report.wasMoved else {
      result.findings.append(
        Finding(.moving, of: name, "the chip ended its self-test: it was moved"))
      return result
    }
    let words = failed.map {
      "\($0.channel) \($0.axis) \($0.response.text(3)) \($0.unit) "
        + "(\($0.lowest.text(3)) to \($0.highest.text(3)))"
    }
    result.findings.append(
      Finding(.selfTest, of: name, words.joined(separator: ", ") + " outside the limits"))
    return result
  }

  private static func item(_ item: SelfTestItem) -> Item {
    // Convert rotation rates to degrees per second, as in data sheets.
    let isVerdict = item.lowest == item.highest
    let isAngle = item.channel == .rotationRate && !isVerdict
    let factor = isAngle ? 180 / Double.pi : 1
    let unit = isVerdict ? "yes/no" : isAngle ? "deg/s" : "\(item.channel.unit)"
    return Item(
      channel: "\(item.channel)", axis: ["x", "y", "z"][min(Int(item.axis), 2)],
      response: item.response * factor, lowest: item.lowest * factor,
      highest: item.highest * factor, unit: unit, isPassed: item.isPassed)
  }
}
