// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities

/// One figure of all axes of a channel, as a table of any kind shows it.
public struct NoiseRow: Equatable, Sendable {
  public let quantity: NoiseQuantity
  /// In the quantity's unit, one for each axis; `nil` where the record does not tell.
  public let values: [Double?]
  /// True for each value that is only an upper bound.
  public let areBounds: [Bool]
}

extension ChipNoise.ChannelResult {
  /// The figures in the order of how often they are asked for.
  public var rows: [NoiseRow] {
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

  /// Remarks that are worth a sentence: gaps, figures that hide, the data sheet, and the length
  /// that a record would need.
  public var remarks: [String] {
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
      // What was measured begins a moment after the start: 600 s asked for are a little less.
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

  /// The lines of the spectra, strongest first, each with its axis and most likely cause.
  public var peaks: [NoisePeak] {
    axes.indices.flatMap { index in
      let (name, axis) = (axisNames[index], axes[index])
      let isPinned = pinned.contains { $0.axis == index }
      // The strongest is of what shakes it, the others may all be harmonics of the cut.
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

  /// Three digits, for sentences.
  static func text(_ value: Double) -> String { NoiseText.number(value) }
}

/// A line of a spectrum with what it is most likely due to.
public struct NoisePeak: Equatable, Sendable {
  public let axis: String
  public let peak: SpectrumPeak
  public let cause: PeakCause
  public let isMagnetic: Bool

  /// For people.
  public var explanation: String {
    switch cause {
    case .mains(let line):
      "mains hum (\(NoiseText.number(line)) Hz): a power supply, a ground loop or a transformer near"
    case .foldedMains(let line):
      "perhaps mains hum: \(NoiseText.number(line)) Hz is more than half the sample rate and shows here"
    case .clipping:
      "no motor of its own: the axis stays at the end of its range, and the cut makes harmonics"
    case .sway: "something slow: a table that sways, a building, somebody walking"
    case .vibration(let turns):
      isMagnetic
        ? "a current that changes as often, or a magnet that turns"
        : "vibration: a motor or fan at \(NoiseText.number(turns)) turns a minute, or what it shakes"
    }
  }
}
