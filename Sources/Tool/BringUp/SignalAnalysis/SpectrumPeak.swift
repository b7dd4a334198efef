// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// A line in a spectrum: a periodic signal, unlike noise.
package struct SpectrumPeak: Equatable, Sendable {
  /// The frequency in Hz.
  package var frequency: Double
  /// The root mean square above the noise, in the unit of the series.
  package var deviation: Double
  /// The power density relative to that of the surrounding noise.
  package var prominence: Double
}

extension PowerSpectrum {
  /// Returns the lines that noise would produce in less than one of ten thousand spectra, strongest
  /// first, at most `limit`.
  package func peaks(limit: Int = 5) -> [SpectrumPeak] {
    // Below, drift leaks through the window.
    let first = 4
    guard density.count > 4 * first else { return [] }
    let bins = Double(density.count)
    // 1 in 10^4 spectra with some thousand values is at most 5.5 standard deviations.
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

  /// Returns the median of the values around `index`, which a narrow line does not raise;
  /// symmetric, so that a slope does not either.
  private func floor(at index: Int) -> Double {
    let reach = min(max(index / 2, 4), 32)
    let near = density[max(index - reach, 1)...min(index + reach, density.count - 1)].sorted()
    return near[near.count / 2] / ChiSquared.quantile(0, degreesOfFreedom: degreesOfFreedom)
  }
}

/// The cause of a line in the spectrum of a board at rest.
package enum PeakCause: Equatable, Sendable {
  /// Mains current, or magnetostriction at twice its frequency, in hertz.
  case mains(Double)
  /// Mains above half of the sample rate, aliased to the line's frequency.
  case foldedMains(Double)
  /// Motion of the table, the building or a nearby person.
  case sway
  /// A nearby rotating machine, revolutions per minute.
  case vibration(perMinute: Double)
  /// The end of the sensor's range, which clips the motion: the harmonics are from clipping.
  case clipping

  /// Classifies a line at `frequency` Hz, accurate to `resolution`, in a series with `rate` samples
  /// per second.
  package init(frequency: Double, resolution: Double, rate: Double) {
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
