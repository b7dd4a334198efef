// SPDX-License-Identifier: Apache-2.0
internal import Runtime
package import Boards
package import Quantities
package import Sampling
internal import Sensors

/// Samples what a simulated board senses without a chip. Used from one thread; it neither sleeps
/// nor knows what time it is.
package final class WorldSense {
  /// The channels that are sampled at one rate.
  private struct Track {
    var channels: ChannelSet
    let interval: TimeSpan
    var due: Timestamp
  }
  private var tracks: [Track] = []
  private let surroundings: ChipSurroundings
  /// The place in the pipeline, after those of the chips.
  private let source: Int

  /// Begins with a sample at `begin`.
  package init(
    _ rates: [Channel: Double], in surroundings: ChipSurroundings, source: Int,
    from begin: Timestamp
  ) {
    self.surroundings = surroundings
    self.source = source
    // In the order of the channels: a dictionary's would change from run to run.
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

  /// Hands on what is due at `now` and returns when the next turn is due.
  package func turn(at now: Timestamp, to consumer: some SampleConsumer) -> Timestamp {
    for index in tracks.indices {
      var missing: UInt32 = 0
      let (late, interval) = (now - tracks[index].due, tracks[index].interval)
      if late > .seconds(1) {
        // The machine slept: what could not be sampled is counted and not made up.
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
    var reading = surroundings.reading(at: time)
    // A recorded world may have less than what is asked for.
    reading.channels.formIntersection(channels)
    guard !reading.channels.isEmpty else { return }
    for channel in Channel.allCases
    where !channel.isVector && reading.channels.contains(channel) {
      // Noise must not make less than nothing of the dark.
      let limits = channel.row.limits
      reading.scalars[channel] = min(
        max(reading.scalars[channel], limits.lowerBound), limits.upperBound)
    }
    consumer.receive(Mounting().sample(reading, at: time, after: missing), from: source)
  }
}

extension ModelBuilder {
  /// Returns what the board senses without a chip; `nil` where its file asks for nothing.
  func sense() throws(SessionError) -> WorldSense? {
    guard let simulation = board.simulation, !simulation.senses.isEmpty else { return nil }
    let source = board.chips.count
    return WorldSense(
      simulation.senses,
      in: ChipSurroundings(
        try world(simulation.motion), mounting: Mounting(), noise: simulation.noise, of: nil,
        seed: simulation.seed &+ UInt64(source)),
      source: source, from: origin)
  }
}
