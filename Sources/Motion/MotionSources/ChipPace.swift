// SPDX-License-Identifier: Apache-2.0
package import Runtime
internal import ChipCatalog
package import Quantities
package import Sensors

/// The rate of a chip for a changing demand: faster at once, slower after a while. A change costs a
/// pause, which an occasional high demand should not cause each time.
package struct ChipPace: Sendable {
  /// The possible rates of the chip in samples per second, fastest first; the first is the board
  /// file's.
  package let rates: [Double]
  /// The channels for which it is used.
  package let channels: ChannelSet
  /// True if it may sleep while it is not needed.
  package let maySleep: Bool
  /// The current rate; 0 while it sleeps.
  package private(set) var rate: Double
  /// The time since which it has been faster than needed, and the highest demand since then.
  private var idle: (since: Timestamp, needed: Double)?

  package init(rates: [Double], channels: ChannelSet, maySleep: Bool) {
    self.rates = rates
    self.channels = channels
    self.maySleep = maySleep
    rate = rates.first ?? 0
  }

  /// Returns the slowest rate that satisfies `demand`; the fastest if none does.
  package func needed(for demand: SampleDemand) -> Double {
    // Fusion needs every sample, and each motion includes the pressure and temperature at its time.
    if demand.motion > 0,
      Channel.allCases.contains(where: { channels.contains($0) && $0.row.isInMotion })
    {
      return rates.first ?? 0
    }
    let wanted = demand.rate(of: channels)
    guard wanted > 0 else { return maySleep ? 0 : rates.last ?? 0 }
    // Rounding: an interval and its rate are not exact inverses.
    return rates.last { $0 >= wanted * (1 - 1e-9) } ?? rates.first ?? 0
  }

  /// Starts at the rate that `demand` needs.
  package mutating func begin(_ demand: SampleDemand) {
    rate = needed(for: demand)
    idle = nil
  }

  /// Updates the rate at `now`, and returns true if it changed; it decreases only if less was
  /// needed for `patience`.
  package mutating func changes(for demand: SampleDemand, at now: Timestamp, patience: TimeSpan)
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
    guard now - since >= patience else {
      idle = (since, most)
      return false
    }
    // The highest demand since then may have been more than the current one.
    idle = most > needed ? (now, needed) : nil
    rate = most
    return true
  }

  /// Returns the time of the next check, if the demand does not change.
  package func nextLook(patience: TimeSpan) -> Timestamp {
    idle.map { $0.since + patience } ?? .distantFuture
  }

  /// Returns the board file's settings, and those with a half, a quarter and so on of its rate,
  /// down to the chip's slowest, with the rates that the driver selects for them. Halves keep even
  /// intervals for a program that takes every tenth sample of the fastest rate. For a driver that
  /// has not been started.
  package static func ladder(of driver: any ChipDriver, _ settings: SensorSettings) -> [PaceStep] {
    var steps: [PaceStep] = []
    var asked = settings
    // Chips sleep anyway between samples a second apart.
    while asked.rate >= 1 || steps.isEmpty {
      guard let granted = try? driver.configure(asked) else { break }
      // Chips support only certain rates, down to a slowest.
      if granted.rate < (steps.last?.rate ?? .infinity) * 0.999 {
        steps.append(PaceStep(settings: asked, rate: granted.rate))
      }
      asked.rate /= 2
      // A bandwidth below half of the file's rate would cause aliasing at a slower rate, so the
      // driver chooses it.
      if let bandwidth = settings.bandwidth, bandwidth > asked.rate / 2 { asked.bandwidth = nil }
    }
    _ = try? driver.configure(settings)
    return steps
  }
}

/// One of the possible rates of a chip.
package struct PaceStep: Sendable {
  /// The settings requested from its driver.
  package var settings: SensorSettings
  /// The resulting rate in samples per second.
  package var rate: Double
}
