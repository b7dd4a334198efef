// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import ChipCatalog
internal import Foundation
internal import MotionSources
package import Quantities
internal import Registers
internal import Runtime
internal import Sensors

/// A check that compares the noise of a chip at rest with its data sheet, and that finds axes which
/// do not change.
package enum NoiseCheck {
  package struct Result: Sendable {
    package var chip: String
    /// The reason why the check was skipped; `nil` if it ran.
    package var skipped: String?
    package var noise: ChipNoise?
    package var findings: [Finding] = []
  }

  /// The limit for the ratio of the noise to the data sheet's figure: 5. Parts differ by a factor
  /// of up to 1.5; vibrations of a desk, and a filter wider than the data sheet's, add about as
  /// much again.
  static let largestRatio = 5.0

  /// The number of readings at the end of a range that are reported. A smaller number is ignored,
  /// because one knock on the table makes one or two.
  private static let fewestAtEnd = 3

  /// The limit for the ratio of the noise density in the lowest tenth of the spectrum to that in
  /// the upper half. Motion by hand is in the lowest tenth; a noisy supply affects all frequencies.
  private static let whiteness = 4.0

  /// Measures for `span`. If the board is moved, the measurement is repeated up to three times,
  /// each time half as long.
  package static func run(
    _ chip: ExaminedChip, for span: TimeSpan, isWanted: () -> Bool = { true }
  ) -> Result {
    var result = Result(chip: chip.placement.name)
    var span = span
    for _ in 0..<4 {
      do throws(ChipError) {
        let noise = try ChipNoise.measure(chip, for: span) { _ in isWanted() }
        result.noise = noise
        result.findings = judge(noise, invalid(noise, chip))
      } catch {
        if chip.bus.isTrace {
          result.skipped = ExaminedChip.notOfTrace
          return result
        }
        result.findings = [RunTrouble.finding(error, chip)]
        return result
      }
      guard result.findings.contains(where: { $0.cause == .moving }), isWanted(),
        // A trace can be played only once.
        !chip.bus.isTrace
      else { break }
      span = max(.milliseconds(1500), TimeSpan(seconds: span.seconds / 2))
    }
    if result.findings.isEmpty, result.noise?.channels.isEmpty == true {
      result.skipped = "too few samples to speak of noise"
    }
    return result
  }

  /// Finds readings that are not valid measurements or are at the end of a range, and values that
  /// are stuck.
  private static func invalid(_ noise: ChipNoise, _ chip: ExaminedChip) -> [Finding] {
    let placement = chip.placement
    if let remark = placement.invalidRemark(noise.quality) {
      return [Finding(.invalidReadings, of: noise.name, remark)]
    }
    let ends = noise.quality.pinned.ends(of: placement).filter { $0.count >= fewestAtEnd }
    if !ends.isEmpty {
      let wider = Set(ends.map(\.channel)).compactMap(placement.widerRange).sorted()
      return [
        Finding(
          .outOfRange, of: noise.name, noise.beyond.joined(separator: "; "),
          steps: wider.isEmpty
            ? []
            : ["set " + wider.map { "'\($0)'" }.joined(separator: " and ") + " in the board file"])
      ]
    }
    let stuck = chip.isNoisy ? placement.stuckChannels(noise.quality) : []
    return placement.stuckRemark(stuck).map { [Finding(.stuckReadings, of: noise.name, $0)] } ?? []
  }

  static func judge(_ noise: ChipNoise, _ invalid: [Finding] = []) -> [Finding] {
    guard invalid.isEmpty else { return invalid }
    if noise.quality.isWithoutValue {
      return [
        Finding(
          .outOfRange, of: noise.name,
          "\(noise.quality.empty) of \(noise.quality.count) samples have no value: the chip "
            + "reports that an axis ran over")
      ]
    }
    var findings: [Finding] = []
    var loud: [String] = []
    var isWhite = true
    for channel in noise.channels {
      findings += deadAxes(channel, of: noise.name)
      guard let ratio = channel.ratio, ratio > largestRatio else { continue }
      let deviation = channel.axes.map(\.standardDeviation).max() ?? 0
      loud.append(
        "\(channel.units.sensor) \(ratio.text(0)) times its data sheet's "
          + "(\((deviation * channel.units.deviation.factor).text(2)) \(channel.units.deviation.unit))"
      )
      isWhite = isWhite && channel.axes.allSatisfy { $0.isWhite(within: whiteness) }
    }
    guard !loud.isEmpty else { return findings }
    let evidence = "noise of the " + loud.joined(separator: ", of the ")
    findings.append(
      isWhite
        ? Finding(
          .noisySupply, of: noise.name, evidence + ", alike at all frequencies",
          steps: [
            "measure the supply at the module with an oscilloscope; put 100 nanofarad and 10 "
              + "microfarad next to the chip",
            "feed motors, radios and switching regulators from another supply, and keep their wires away",
          ])
        : Finding(.moving, of: noise.name, evidence + ", most of it slow"))
    return findings
  }

  /// Finds axes whose value is constant while other axes change.
  private static func deadAxes(_ channel: ChipNoise.ChannelResult, of name: String) -> [Finding] {
    guard channel.axes.count == 3, channel.axes.contains(where: { $0.standardDeviation > 0 })
    else { return [] }
    return zip(channel.axisNames, channel.axes).filter { $0.1.standardDeviation == 0 }.map { axis in
      Finding(
        .deadAxis, of: name,
        "\(axis.0) of the \(channel.units.sensor) is the same in all of \(axis.1.count) samples")
    }
  }
}

extension ChipNoise.ChannelResult {
  /// Returns the data sheet's value for `quantity`, in its unit; `nil` if the data sheet has none.
  fileprivate func sheetFigure(_ quantity: NoiseQuantity) -> String? {
    let figure =
      switch quantity {
      case units.density: dataSheetDensity
      case units.deviation: dataSheet?.deviation
      case units.randomWalk: dataSheetDensity.map { $0 / 2.0.squareRoot() }
      default: nil as Double?
      }
    return figure.map { NoiseText.number($0 * quantity.factor) }
  }
}

extension ChipNoise {
  /// The duration of the longest part without gaps, in seconds.
  fileprivate var duration: Double {
    channels.compactMap { $0.axes.first?.duration }.max() ?? 0
  }
}

extension NoiseAnalysis {
  /// Returns true if the density in the lowest tenth of the spectrum is at most `factor` times the
  /// density in the upper half.
  fileprivate func isWhite(within factor: Double) -> Bool {
    let nyquist = 0.5 / interval
    guard let low = spectrum.noiseDensity(from: 2 * spectrum.resolution, to: nyquist / 10),
      let high = spectrum.noiseDensity(from: nyquist / 2, to: nyquist * 0.9)
    else { return false }
    return low < factor * high
  }
}

extension NoiseCheck.Result {
  var record: CheckRecord {
    if let skipped { return CheckRecord("noise", of: chip, .skipped, skipped) }
    guard let noise else {
      return CheckRecord("noise", of: chip, findings: findings, findings.first?.evidence ?? "")
    }
    var rows: [CheckRecord.Row] = []
    var words: [String] = []
    // If the chip has no channel with three axes, one column is enough.
    let hasAxes = noise.channels.contains { $0.axes.count == 3 }
    for channel in noise.channels {
      // These effects take minutes, so a record shorter than 60 s cannot show them.
      let slow = [channel.units.instability, channel.units.rateRandomWalk, channel.units.drift]
      for row in channel.rows where noise.duration >= 60 || !slow.contains(row.quantity) {
        let values = row.values.map { $0.map { $0.text(4) } ?? "-" }
        guard row.values.contains(where: { $0 != nil }) else { continue }
        // Round means to four decimals, so that a small negative mean is not printed as minus zero.
        let figures = row.values.map { value in
          guard let value else { return "-" }
          return row.quantity == channel.units.mean
            ? ((value * 1e4).rounded() / 1e4 + 0).text(4) : NoiseText.number(value)
        }
        let blank = [String](repeating: "", count: hasAxes ? 3 - figures.count : 0)
        rows.append(
          .init(
            "\(channel.units.sensor), \(row.quantity.name)",
            "\(values.joined(separator: ", ")) \(row.quantity.unit)",
            cells: figures + blank + [channel.sheetFigure(row.quantity) ?? "", row.quantity.unit]))
      }
      if let ratio = channel.ratio {
        words.append("\(channel.units.sensor) \(ratio.text(1)) times the data sheet's")
      } else if let deviation = channel.axes.map(\.standardDeviation).max() {
        // Without a data sheet value only the measured deviation is reported.
        let figure = channel.units.deviation
        words.append(
          "\(channel.units.sensor) \((deviation * figure.factor).text(2)) \(figure.unit)")
      }
    }
    let summary = findings.first?.evidence ?? words.joined(separator: ", ")
    let pictures = noise.plots.flatMap { row in
      row.map { CheckRecord.Picture($0.title, svg: $0.svgOfReport) }
    }
    var record = CheckRecord(
      "noise", of: chip, findings: findings, summary, rows: rows, pictures: pictures)
    record.heads = ["figure"] + (hasAxes ? ["x", "y", "z"] : ["seen"]) + ["data sheet", "unit"]
    return record
  }
}
