// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import ChipCatalog
package import Quantities
internal import Runtime
package import Sensors
internal import Simulation

extension ReadingFault {
  /// The observation about the readings, and the likely cause with the next step. `nil` for an
  /// overflow, which `ReadingQuality` counts as a reading without a value.
  fileprivate var words: (seen: String, cause: String)? {
    switch self {
    case .zeros:
      (
        "all bits of its code are 0",
        "the chip sleeps, restarts or is damaged, or its data line is held low: check its supply and "
          + "wiring, then try another module"
      )
    case .ones:
      (
        "all bits of its code are 1",
        "no chip drives the data line, or it is damaged: check its supply, wiring and chip select, then "
          + "try another module"
      )
    case .noData:
      (
        "it is the code for 'no data'",
        "the sensor is off or has just started: check that no other program configures the chip, and its "
          + "supply"
      )
    case .unusedBits:
      (
        "bits that always read 0 are set",
        "transfers are corrupted: otolith bus-errors counts them; shorten the wires or lower the bus "
          + "clock"
      )
    case .outside:
      (
        "it is outside what the part can measure",
        "the part is damaged, or transfers are corrupted: otolith bus-errors counts them; then try "
          + "another module"
      )
    case .overflow: nil
    }
  }
}

extension ChipPlacement {
  /// Returns a one-sentence message about readings that are not valid measurements, with the cause
  /// and the next step; `nil` if there are none.
  package func invalidRemark(_ quality: ReadingQuality) -> String? {
    guard quality.invalid > 0, let words = quality.newestInvalid.fault?.words else { return nil }
    let invalid = Channel.allCases.filter { quality.invalidChannels.contains($0) }
    let names = invalid.map { "\($0.row.words)" }.joined(separator: " and ")
    let count = quality.invalid == 1 ? "1 reading" : "\(quality.invalid) readings"
    return "\(count) of \(names) cannot be a measurement: \(words.seen)"
      + limitsText(quality.newestInvalid, invalid) + "; \(words.cause)"
  }

  /// Returns a string with the latest values outside the limits of the part, such as ` (-140.88
  /// degC; a BMP280 measures -40 to 85)`.
  private func limitsText(_ reading: ChipReading, _ invalid: [Channel]) -> String {
    guard let description = sheet else { return "" }
    for row in description.channels where invalid.contains(row.channel) {
      guard let limits = row.limits, !limits.contains(reading.scalars[row.channel]),
        reading.scalars[row.channel] != 0
      else { continue }
      let value = (reading.scalars[row.channel] * 100).rounded() / 100
      return " (\(value) \(row.channel.row.unit); the \(description.title) measures "
        + "\(limits.lowerBound) to \(limits.upperBound))"
    }
    return ""
  }

  /// Returns the channels whose value repeats, to the last bit, for longer than the noise in the
  /// part's data sheet allows.
  package func stuckChannels(_ quality: ReadingQuality) -> [Channel] {
    guard quality.repeats.most > Self.fewestRepeats,
      let description = sheet
    else { return [] }
    return description.channels(of: settings).compactMap { row in
      guard let most = mostRepeats(of: row, description), quality.repeats[row.channel] > most else {
        return nil
      }
      return row.channel
    }
  }

  /// The number of successive equal readings that a channel must exceed before it can count as
  /// stuck.
  private static let fewestRepeats = 16

  /// Returns a one-sentence message about channels that are stuck; `nil` if there are none.
  package func stuckRemark(_ channels: [Channel]) -> String? {
    guard !channels.isEmpty else { return nil }
    let names = channels.map { "\($0.row.words)" }.joined(separator: " and ")
    return
      "\(names): the value repeats to the last bit for longer than the part's noise allows; the "
      + "sensor has stopped or the chip hangs: switch its supply off and on, then try another module"
  }

  /// Returns the longest run of equal readings to be expected from noise, once in 10^7 readings;
  /// `nil` if the data sheet has no noise figure, or if the noise is too small to exclude
  /// repetitions.
  private func mostRepeats(of row: ChannelDescription, _ chip: ChipDescription) -> Int? {
    let range = self.range(of: row.channel) ?? settings[range: row.channel] ?? 0
    let band = min(settings.bandwidth ?? .infinity, settings.rate / 2)
    let density = chip.noiseDensity(of: row.channel, at: range).map { $0 * band.squareRoot() }
    guard
      let noise = density ?? chip.noise.first(where: { $0.channel == row.channel })?.deviation
    else { return nil }
    // The least noisy parts have half of their data sheet's noise. A barometer with less noise also
    // has smaller counts.
    let counts = noise / row.resolution(at: range) / 2
    guard counts.isFinite, counts >= (row.channel.isVector ? 0.5 : 1.0 / 6) else { return nil }
    // The probability that two values with this standard deviation are rounded to the same count.
    let chance = min(0.6, 1 / (2 * Double.pi.squareRoot() * counts))
    var (repeats, likelihood) = (0.0, 1.0)
    while likelihood > 1e-7 {
      likelihood *= row.channel.isVector ? chance * chance * chance : chance
      repeats += 1
    }
    // A filter makes as many successive readings equal as it averages.
    return Int(
      saturating: max(Double(Self.fewestRepeats), repeats) * max(1, settings.rate / (2 * band)))
  }
}

extension Board {
  /// False if the board is simulated without the noise of real chips, so that its readings repeat.
  package var isNoisy: Bool { simulation.map { $0.noise == .typical } ?? true }
}
