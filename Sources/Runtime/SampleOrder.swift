// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Puts the samples of several chips, which are read one after the other, into the order in which
/// fusion wants them: what was measured beside the fastest stream waits until that has come as far.
package struct SampleOrder: Sendable {
  /// Half a second of the fastest magnetometer.
  private var waiting = WaitingSamples(capacity: 512)
  private var fastTime = Timestamp.zero
  /// Of the fastest stream, once what was before it is handed on.
  private var newest: Sample?
  private let fastChannel: ChannelSet
  private let hasFastStream: Bool

  /// For a source of these channels.
  package init(channels: ChannelSet) {
    fastChannel = channels.contains(.rotationRate) ? .rotationRate : .acceleration
    hasFastStream = !channels.isDisjoint(with: fastChannel)
  }

  /// Takes a sample. Returns the first that is due now; `next` returns those after it.
  package mutating func add(_ sample: Sample) -> Sample? {
    guard sample.channels.isDisjoint(with: fastChannel) else {
      newest = sample
      return next()
    }
    guard hasFastStream, sample.timestamp > fastTime else { return sample }
    return waiting.add(sample)
  }

  /// The next that is due.
  package mutating func next() -> Sample? {
    guard let newest else { return nil }
    if let other = waiting.next(until: newest.timestamp) { return other }
    fastTime = newest.timestamp
    self.newest = nil
    return newest
  }

  /// Forgets what waits: the streams start again.
  package mutating func removeAll() {
    waiting.removeAll()
    newest = nil
    fastTime = .zero
  }
}
