// SPDX-License-Identifier: Apache-2.0
package import Runtime
internal import ChipCatalog
package import Quantities
package import Sensors

/// The rate of a chip as needs come and go: faster at once, slower when the need has been over for
/// a while. A change costs a pause, and a user that needs much now and then should not pay it each
/// time.
package struct ChipPace: Sendable {
  /// The rates that the chip can be run at, samples per second, fastest first; the first is the
  /// board file's.
  package let rates: [Double]
  /// The channels that it is used for.
  package let channels: ChannelSet
  /// True where it may sleep while it is not needed.
  package let maySleep: Bool
  /// The rate that it runs at; 0 asleep.
  package private(set) var rate: Double
  /// The time since which it has been faster than needed, and the most that was needed since.
  private var idle: (since: Timestamp, needed: Double)?

  package init(rates: [Double], channels: ChannelSet, maySleep: Bool) {
    self.rates = rates
    self.channels = channels
    self.maySleep = maySleep
    rate = rates.first ?? 0
  }

  /// The slowest of its rates that satisfies `demand`; the fastest where none does.
  package func needed(for demand: SampleDemand) -> Double {
    // Attitude lives on every sample, and each motion says the pressure and the temperature of its
    // moment.
    if demand.motion > 0,
      Channel.allCases.contains(where: { channels.contains($0) && $0.row.isInMotion })
    {
      return rates.first ?? 0
    }
    let wanted = demand.rate(of: channels)
    guard wanted > 0 else { return maySleep ? 0 : rates.last ?? 0 }
    // An interval and a rate are not each other's inverse to the last digit.
    return rates.last { $0 >= wanted * (1 - 1e-9) } ?? rates.first ?? 0
  }

  /// Begins at what `demand` needs.
  package mutating func begin(_ demand: SampleDemand) {
    rate = needed(for: demand)
    idle = nil
  }

  /// Looks at `now` whether it has to run at another rate, and says so; slower only when less was
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
    // What was needed at the beginning of that time may have been more than what is now.
    idle = most > needed ? (now, needed) : nil
    rate = most
    return true
  }

  /// Returns when to look again, if nothing changes.
  package func nextLook(patience: TimeSpan) -> Timestamp {
    idle.map { $0.since + patience } ?? .distantFuture
  }

  /// The board file's settings, and those with a half, a quarter and so on of its rate, down to the
  /// chip's slowest: what the driver makes of them. Halves, so that a program that takes each tenth
  /// of the fastest still takes samples at even distances. For a driver that has not been started.
  package static func ladder(of driver: any ChipDriver, _ settings: SensorSettings) -> [PaceStep] {
    var steps: [PaceStep] = []
    var asked = settings
    // Between samples that are a second apart chips sleep anyway.
    while asked.rate >= 1 || steps.isEmpty {
      guard let granted = try? driver.configure(asked) else { break }
      // Chips have gaps between their rates, and a slowest.
      if granted.rate < (steps.last?.rate ?? .infinity) * 0.999 {
        steps.append(PaceStep(settings: asked, rate: granted.rate))
      }
      asked.rate /= 2
      // What was under half the file's rate would fold into the samples of a slower one: the driver
      // chooses.
      if let bandwidth = settings.bandwidth, bandwidth > asked.rate / 2 { asked.bandwidth = nil }
    }
    _ = try? driver.configure(settings)
    return steps
  }
}

/// One of the rates that a chip can be run at.
package struct PaceStep: Sendable {
  /// The settings that its driver is asked for.
  package var settings: SensorSettings
  /// The rate that they give, samples per second.
  package var rate: Double
}
