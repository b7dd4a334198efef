// SPDX-License-Identifier: Apache-2.0
package import Runtime
internal import ChipCatalog
package import Quantities
package import Sensors

/// The rule for the rate of a chip when the demand changes. The rate rises immediately and falls
/// only after a delay, because each change interrupts sampling.
package struct ChipPace: Sendable {
  /// The possible rates of the chip in Hz, fastest first; the first rate is the rate in the board
  /// file.
  package let rates: [Double]
  /// The channels for which the pipeline uses the chip.
  package let channels: ChannelSet
  /// True if the chip may sleep while it is not needed.
  package let maySleep: Bool
  /// The current sample rate in Hz; 0 while the chip sleeps.
  package private(set) var rate: Double
  /// The time since which the chip has been faster than needed, and the highest rate needed since
  /// that time.
  private var idle: (since: Timestamp, needed: Double)?

  package init(rates: [Double], channels: ChannelSet, maySleep: Bool) {
    self.rates = rates
    self.channels = channels
    self.maySleep = maySleep
    rate = rates.first ?? 0
  }

  /// Returns the slowest rate that satisfies `demand`; the fastest rate if none satisfies it.
  package func needed(for demand: SampleDemand) -> Double {
    // Fusion needs every sample of the motion sensors. Each motion also contains pressure and
    // temperature.
    if demand.motion > 0,
      Channel.allCases.contains(where: { channels.contains($0) && $0.row.isInMotion })
    {
      return rates.first ?? 0
    }
    let wanted = demand.rate(of: channels)
    guard wanted > 0 else { return maySleep ? 0 : rates.last ?? 0 }
    // Allow for rounding, because an interval and its rate are not exact inverses.
    return rates.last { $0 >= wanted * (1 - 1e-9) } ?? rates.first ?? 0
  }

  /// Sets the initial rate: the lowest that satisfies `demand`.
  package mutating func begin(_ demand: SampleDemand) {
    rate = needed(for: demand)
    idle = nil
  }

  /// Updates the rate at `now`, and returns true if it changed. The rate decreases only after a
  /// lower rate has been sufficient for the time `delay`.
  package mutating func changes(for demand: SampleDemand, at now: Timestamp, delay: TimeSpan)
    -> Bool
  {
    let needed = needed(for: demand)
    guard needed < rate else {
      idle = nil
      defer { rate = needed }
      return needed > rate
    }
    let since = idle?.since ?? now
    let most = max(idle?.needed ?? 0, needed)
    guard now - since >= delay else {
      idle = (since, most)
      return false
    }
    // The highest demand during the delay may exceed the current demand. In this case the delay
    // starts again.
    idle = most > needed ? (now, needed) : nil
    rate = most
    return true
  }

  /// Returns the time at which the chip may slow down, if the demand for samples does not change
  /// before; `distantFuture` if the rate is not higher than needed.
  package func nextCheck(delay: TimeSpan) -> Timestamp {
    idle.map { $0.since + delay } ?? .distantFuture
  }

  /// Returns the settings of the board file, and settings with a half, a quarter and so on of its
  /// rate, each with the rate that the driver selects. Halving keeps the intervals even for a
  /// client that uses every tenth sample. The driver must not have been started.
  package static func ladder(of driver: any ChipDriver, _ settings: SensorSettings) -> [PaceStep] {
    var steps: [PaceStep] = []
    var asked = settings
    // Below 1 Hz slower rates save nothing, because chips sleep between samples.
    while asked.rate >= 1 || steps.isEmpty {
      guard let granted = try? driver.configure(asked) else { break }
      // Skip settings with the same rate: a chip supports only certain rates.
      if granted.rate < (steps.last?.rate ?? .infinity) * 0.999 {
        steps.append(PaceStep(settings: asked, rate: granted.rate))
      }
      asked.rate /= 2
      // A bandwidth above half of the slower rate would cause aliasing, so let the driver choose
      // it.
      if let bandwidth = settings.bandwidth, bandwidth > asked.rate / 2 { asked.bandwidth = nil }
    }
    _ = try? driver.configure(settings)
    return steps
  }
}

/// One of the possible rates of a chip, with its settings.
package struct PaceStep: Sendable {
  /// The settings to request from the chip's driver.
  package var settings: SensorSettings
  /// The rate in Hz that results from the settings.
  package var rate: Double
}
