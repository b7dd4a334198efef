// SPDX-License-Identifier: Apache-2.0
internal import Runtime
package import Simulation
internal import Boards
package import Quantities
package import Sampling
internal import Sensors

/// A sampler for the channels that a simulated board senses without a chip. It is used on one
/// thread, and neither waits nor reads a clock.
package final class WorldSense {
  /// A group of channels that have the same sample rate.
  private struct Track {
    var channels: ChannelSet
    let interval: TimeSpan
    var due: Timestamp
  }
  private var tracks: [Track] = []
  private let input: ChipInput
  /// The index of this source in the pipeline, which follows the indices of the chips.
  private let source: Int

  /// Creates the sampler; the first sample is due at `begin`.
  package init(
    _ rates: [Channel: Double], in input: ChipInput, source: Int,
    from begin: Timestamp
  ) {
    self.input = input
    self.source = source
    // Use the order of the channels, because the order of a dictionary varies from run to run.
    for channel in Channel.allCases {
      guard let rate = rates[channel], rate > 0 else { continue }
      let interval = TimeSpan(seconds: 1 / rate)
      if let index = tracks.firstIndex(where: { $0.interval == interval }) {
        tracks[index].channels.formUnion(ChannelSet(channel))
      } else {
        tracks.append(
          Track(channels: ChannelSet(channel), interval: interval, due: begin))
      }
    }
  }

  /// Delivers the samples that are due at `now`, and returns the time when the next sample is due.
  package func turn(at now: Timestamp, to consumer: some SampleConsumer) -> Timestamp {
    for index in tracks.indices {
      var missing: UInt32 = 0
      let (late, interval) = (now - tracks[index].due, tracks[index].interval)
      if late > .seconds(1) {
        // After a suspend, count the skipped samples as missing instead of making up their values.
        let skipped = late.nanoseconds / interval.nanoseconds
        missing = UInt32(clamping: skipped)
        tracks[index].due = tracks[index].due + interval * skipped
      }
      while tracks[index].due <= now {
        deliver(tracks[index].channels, at: tracks[index].due, after: missing, to: consumer)
        tracks[index].due = tracks[index].due + interval
        missing = 0
      }
    }
    return tracks.map(\.due).min() ?? .distantFuture
  }

  private func deliver(
    _ channels: ChannelSet, at time: Timestamp, after missing: UInt32,
    to consumer: some SampleConsumer
  ) {
    var reading = input.reading(at: time)
    // A world from a recording may lack some of the requested channels.
    reading.channels.formIntersection(channels)
    guard !reading.channels.isEmpty else { return }
    for channel in Channel.allCases
    where !channel.isVector && reading.channels.contains(channel) {
      // Limit the simulated values, because noise could make the illuminance negative.
      let limits = channel.row.limits
      reading.scalars[channel] = min(
        max(reading.scalars[channel], limits.lowerBound), limits.upperBound)
    }
    consumer.receive(Mounting().sample(reading, at: time, after: missing), from: source)
  }
}

extension ModelBuilder {
  /// Returns the sampler for channels sensed without a chip; `nil` if the board file requests none.
  func sense() throws(SessionError) -> WorldSense? {
    guard let simulation = board.simulation, !simulation.senses.isEmpty else { return nil }
    let source = board.chips.count
    return WorldSense(
      simulation.senses,
      in: ChipInput(
        try world(simulation.motion), mounting: Mounting(), noise: simulation.noise, of: nil,
        seed: simulation.seed &+ UInt64(source)),
      source: source, from: origin)
  }
}
