// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Sorts the samples of several chips, which are read one after another, into the order that fusion
/// needs. Samples of slower streams wait until the fastest stream has reached their time.
package struct SampleOrder: Sendable {
  /// The samples that wait, at most 512: half a second of the fastest magnetometer.
  private var waiting = WaitingSamples(capacity: 512)
  private var fastTime = Timestamp.zero
  /// The newest sample of the fastest stream. It is held until all earlier samples have been
  /// returned.
  private var newest: Sample?
  private let fastChannel: ChannelSet
  private let hasFastStream: Bool

  /// Creates the order for a source with these `channels`.
  package init(channels: ChannelSet) {
    fastChannel = channels.contains(.rotationRate) ? .rotationRate : .acceleration
    hasFastStream = !channels.isDisjoint(with: fastChannel)
  }

  /// Adds a sample. Returns the first sample that is due now; `next` returns the samples after it.
  package mutating func add(_ sample: Sample) -> Sample? {
    guard sample.channels.isDisjoint(with: fastChannel) else {
      newest = sample
      return next()
    }
    guard hasFastStream, sample.timestamp > fastTime else { return sample }
    return waiting.add(sample)
  }

  /// Returns the next sample that is due; `nil` if no sample is due.
  package mutating func next() -> Sample? {
    guard let newest else { return nil }
    if let other = waiting.next(until: newest.timestamp) { return other }
    fastTime = newest.timestamp
    self.newest = nil
    return newest
  }

  /// Discards the waiting samples, because the streams restart.
  package mutating func removeAll() {
    waiting.removeAll()
    newest = nil
    fastTime = .zero
  }
}
