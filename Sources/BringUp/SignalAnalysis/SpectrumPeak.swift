// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// A line of a spectrum: something that repeats itself, where noise does not.
public struct SpectrumPeak: Equatable, Sendable {
  /// Hz.
  public var frequency: Double
  /// Root mean square of what is there above the noise, in the unit of the series.
  public var deviation: Double
  /// The power density over that of the noise beside it.
  public var prominence: Double
}

extension PowerSpectrum {
  /// The lines that noise would not make once in ten thousand spectra, strongest first, at most
  /// `limit`.
  public func peaks(limit: Int = 5) -> [SpectrumPeak] {
    // Below, drift leaks through the window.
    let first = 4
    guard density.count > 4 * first else { return [] }
    let bins = Double(density.count)
    // 1 in 10^4 spectra of some thousand values is 5.5 standard deviations and less.
    let deviations = 4.3 + 0.35 * (log(bins) / log(10) - 1)
    let threshold = ChiSquared.quantile(deviations, degreesOfFreedom: degreesOfFreedom)
    let floors = density.indices.map(floor(at:))
    var peaks: [SpectrumPeak] = []
    for index in first..<density.count {
      let prominence = floors[index] > 0 ? density[index] / floors[index] : 0
      guard prominence > threshold else { continue }
      let near = max(index - 3, 1)...min(index + 3, density.count - 1)
      guard near.allSatisfy({ density[$0] < density[index] || $0 == index }) else { continue }
      var power = 0.0
      var moment = 0.0
      for place in near {
        let excess = max(density[place] - floors[place], 0)
        power += excess * resolution
        moment += excess * resolution * frequency(place)
      }
      peaks.append(
        SpectrumPeak(
          frequency: moment / power, deviation: power.squareRoot(), prominence: prominence))
    }
    return Array(peaks.sorted { $0.deviation > $1.deviation }.prefix(limit))
  }

  /// The median of the values about `index`, which a line of a few values does not lift; about as
  /// far to either side, so that a slope does neither.
  private func floor(at index: Int) -> Double {
    let reach = min(max(index / 2, 4), 32)
    let near = density[max(index - reach, 1)...min(index + reach, density.count - 1)].sorted()
    return near[near.count / 2] / ChiSquared.quantile(0, degreesOfFreedom: degreesOfFreedom)
  }
}

/// The cause of a line in the spectrum of a board that lies still.
public enum PeakCause: Equatable, Sendable {
  /// Current of the mains, or twice as fast what it does to iron: so many hertz.
  case mains(Double)
  /// The same, faster than half the sample rate: sampling folds it to where the line is.
  case foldedMains(Double)
  /// The table, the building, a person near.
  case sway
  /// Something that turns near it, revolutions a minute.
  case vibration(perMinute: Double)
  /// The end of the sensor's range, which cuts a motion off: the harmonics are of the cut.
  case clipping

  /// Of a line at `frequency` Hz, known to `resolution`, in a series of `rate` samples a second.
  public init(frequency: Double, resolution: Double, rate: Double) {
    let tolerance = resolution + 0.3
    let lines = [50.0, 60, 100, 120, 150, 180]
    if let line = lines.first(where: { $0 <= rate / 2 && abs(frequency - $0) <= tolerance }) {
      self = .mains(line)
    } else if let line = lines.first(where: { line in
      line > rate / 2 && abs(abs(line - (line / rate).rounded() * rate) - frequency) <= tolerance
    }) {
      self = .foldedMains(line)
    } else {
      self = frequency < 5 ? .sway : .vibration(perMinute: frequency * 60)
    }
  }
}
