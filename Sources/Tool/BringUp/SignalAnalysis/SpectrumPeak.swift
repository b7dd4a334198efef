// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// A line in a spectrum. It comes from a periodic signal, not from noise.
package struct SpectrumPeak: Equatable, Sendable {
  /// The frequency in Hz.
  package var frequency: Double
  /// The root mean square of the line above the noise, in the unit of the series.
  package var deviation: Double
  /// The power density of the line relative to the surrounding noise.
  package var prominence: Double
}

extension PowerSpectrum {
  /// Returns at most `limit` lines, the strongest first. Noise alone would produce a line in fewer
  /// than 1 of 10,000 spectra.
  package func peaks(limit: Int = 5) -> [SpectrumPeak] {
    // Skip the lowest four values, because drift leaks into them through the window.
    let first = 4
    guard density.count > 4 * first else { return [] }
    let bins = Double(density.count)
    // 1 in 10,000 spectra of up to 10,000 values corresponds to at most 5.5 standard deviations.
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

  /// Returns the median of the values around `index`, which a narrow line does not raise. The range
  /// is symmetric, so that a slope does not change the median.
  private func floor(at index: Int) -> Double {
    let reach = min(max(index / 2, 4), 32)
    let near = density[max(index - reach, 1)...min(index + reach, density.count - 1)].sorted()
    return near[near.count / 2] / ChiSquared.quantile(0, degreesOfFreedom: degreesOfFreedom)
  }
}

/// The cause of a line in the spectrum of a board at rest.
package enum PeakCause: Equatable, Sendable {
  /// Mains current, or magnetostriction at twice the mains frequency; the frequency is in Hz.
  case mains(Double)
  /// Mains current whose frequency, in Hz, is above half of the sample rate, so that aliasing moves
  /// the peak to another frequency.
  case foldedMains(Double)
  /// Slow motion of the table or the building, or motion caused by a person nearby.
  case sway
  /// A rotating machine nearby, in revolutions per minute.
  case vibration(perMinute: Double)
  /// Harmonics of a motion that exceeds the sensor's range and is clipped.
  case clipping

  /// Classifies a line at `frequency` Hz, known to within `resolution` Hz, in a series with `rate`
  /// samples per second.
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
