// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities

/// One figure of a channel for all axes, as a row for tables.
package struct NoiseRow: Equatable, Sendable {
  package let quantity: NoiseQuantity
  /// The values in the quantity's unit, one per axis; `nil` if the record is too short for the
  /// value.
  package let values: [Double?]
  /// True for each value that is only an upper limit.
  package let areBounds: [Bool]
}

extension ChipNoise.ChannelResult {
  /// The figures of the channel, the most commonly used first.
  package var rows: [NoiseRow] {
    func row(_ quantity: NoiseQuantity, _ value: (NoiseAnalysis) -> Double?) -> NoiseRow {
      NoiseRow(
        quantity: quantity, values: axes.map { axis in value(axis).map { $0 * quantity.factor } },
        areBounds: axes.map { _ in false })
    }
    var rows = [
      row(units.mean) { $0.mean }, row(units.deviation) { $0.standardDeviation },
      row(units.density) { $0.noiseDensity },
    ]
    if let walk = units.randomWalk {
      rows.append(row(walk) { $0.coefficients.randomWalk?.value })
    }
    rows.append(
      NoiseRow(
        quantity: units.instability,
        values: axes.map { axis in
          axis.coefficients.instability.map { $0.value * units.instability.factor }
        }, areBounds: axes.map { $0.coefficients.instability?.isBound ?? false }))
    rows.append(row(units.rateRandomWalk) { $0.coefficients.rateRandomWalk?.value })
    rows.append(
      row(units.drift) { abs($0.trend.slope) > 3 * $0.trend.error ? $0.trend.slope : nil })
    return rows
  }

  /// Remarks about gaps, figures that cannot be given, the data sheet, and the necessary length of
  /// the record.
  package var remarks: [String] {
    var remarks: [String] = []
    guard let longest = axes.first else { return [] }
    if gaps > 0 {
      remarks.append(
        "\(gaps) gap\(gaps == 1 ? "" : "s") in the samples; the figures are of the longest stretch "
          + "without one, \(Self.text(longest.duration)) s")
    }
    let hidden = axes.filter(\.isBelowStep)
    if !hidden.isEmpty {
      let step = hidden.map(\.step).max() ?? 0
      remarks.append(
        step > 0
          ? "the noise is less than half a step of the converter, "
            + "\(Self.text(step * units.deviation.factor)) \(units.deviation.unit): the figures are of "
            + "rounding; a smaller full scale may show more"
          : "\(hidden.count == axes.count ? "all values" : "the values of an axis") are alike: no "
            + "noise, or no sensor")
    }
    if let sentence = comparison { remarks.append(sentence) }
    if axes.contains(where: { $0.coefficients.instability?.isBound ?? true }), hidden.isEmpty {
      let time = axes.compactMap { $0.coefficients.instability?.averagingTime }.max() ?? 0
      // The chip needs time to start, so a record is slightly shorter than requested.
      let wanted = longest.duration < 540 ? "600" : longest.duration < 3500 ? "3600" : "36000"
      remarks.append(
        "\(Self.text(longest.duration)) s are too short for the bias instability: the deviation still "
          + "falls at \(Self.text(time)) s (\"<\" is a bound); try --duration \(wanted)")
    }
    return remarks
  }

  private var comparison: String? {
    guard let ratio, let dataSheet else { return nil }
    if let density = dataSheetDensity {
      return "noise density: \(Self.text(ratio)) times the data sheet's "
        + "\(Self.text(density * units.density.factor)) \(units.density.unit) (\(dataSheet.source))"
    }
    let deviation = (dataSheet.deviation ?? 0) * units.deviation.factor
    return "standard deviation: \(Self.text(ratio)) times the data sheet's "
      + "\(Self.text(deviation)) \(units.deviation.unit)"
      + (dataSheet.conditions.isEmpty ? "" : " \(dataSheet.conditions)") + " (\(dataSheet.source))"
  }

  /// The spectral lines of all axes, the strongest first, each with its axis and likely cause.
  package var peaks: [NoisePeak] {
    axes.indices.flatMap { index in
      let (name, axis) = (axisNames[index], axes[index])
      let isPinned = pinned.contains { $0.axis == index }
      // The strongest line shows what vibrates; other lines may be harmonics caused by clipping.
      let strongest = axis.peaks.map(\.deviation).max() ?? 0
      return axis.peaks.map { peak in
        NoisePeak(
          axis: name, peak: peak,
          cause: isPinned && peak.deviation < strongest
            ? .clipping
            : PeakCause(
              frequency: peak.frequency, resolution: axis.spectrum.resolution,
              rate: 1 / axis.interval),
          isMagnetic: channel == .magneticField)
      }
    }.sorted { $0.peak.deviation > $1.peak.deviation }
  }

  /// Returns the value with three significant digits, for use in messages.
  static func text(_ value: Double) -> String { NoiseText.number(value) }
}

/// A line in a noise spectrum, with its most likely cause.
package struct NoisePeak: Equatable, Sendable {
  package let axis: String
  package let peak: SpectrumPeak
  package let cause: PeakCause
  package let isMagnetic: Bool

  /// The cause of the line, explained for users.
  package var explanation: String {
    switch cause {
    case .mains(let line):
      "mains hum (\(NoiseText.number(line)) Hz): a power supply, a ground loop or a transformer near"
    case .foldedMains(let line):
      "perhaps mains hum: \(NoiseText.number(line)) Hz is more than half the sample rate and shows here"
    case .clipping:
      "no vibration: the axis stays at the end of its range, and the cut makes harmonics"
    case .sway: "a slow motion: a swaying table, a building, footsteps"
    case .vibration(let turns):
      isMagnetic
        ? "a current that changes as often, or a magnet that turns"
        : "vibration: a motor or fan at \(NoiseText.number(turns)) turns a minute, or what it shakes"
    }
  }
}
