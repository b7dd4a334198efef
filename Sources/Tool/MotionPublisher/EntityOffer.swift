// SPDX-License-Identifier: Apache-2.0
import Otolith
import Publishing
import Recordings
import Runtime

/// The entities offered to Home Assistant. Only channels that the source delivers have an entity,
/// because a board file may name a channel that the mounted chip does not have.
struct EntityOffer {
  private let discovery: Discovery
  private let source: any MotionSource
  /// The channels that get an entity.
  private let channels: ChannelSet
  private let wantsHeading: Bool
  private let isDoor: Bool
  private var delivered = ChannelSet()
  private var hasHeading = false
  /// The time since which all chips have been delivering samples; `nil` while a chip delivers none.
  private var steadySince: Timestamp?
  private var isFinal = false
  private var latest: DiscoveryOffer?

  init(
    _ discovery: Discovery, of source: any MotionSource, channels: ChannelSet, wantsHeading: Bool,
    isDoor: Bool
  ) {
    self.discovery = discovery
    self.source = source
    self.channels = channels
    self.wantsHeading = wantsHeading
    self.isDoor = isDoor
  }

  mutating func add(_ sample: Sample) {
    delivered.formUnion(sample.channels.intersection(channels))
  }

  mutating func add(_ row: MotionRow) { if row.heading != nil { hasHeading = true } }

  /// Returns the offer if it has changed since the last call; otherwise `nil`.
  mutating func next(at now: Timestamp) -> DiscoveryOffer? {
    finalize(at: now)
    let offer = DiscoveryOffer(
      discovery, channels: channels, delivered: delivered,
      heading: wantsHeading ? hasHeading : nil, isDoor: isDoor, isFinal: isFinal)
    guard offer != latest else { return nil }
    latest = offer
    return offer
  }

  /// Makes the offer final once all chips have delivered for a certain time: long enough for three
  /// samples of each channel, and for fusion to find a heading. Until then, a chip that does not
  /// respond may return with its channels.
  private mutating func finalize(at now: Timestamp) {
    guard !isFinal else { return }
    guard source.pipeline.chips.allSatisfy({ $0 == .delivering }) else {
      steadySince = nil
      return
    }
    let since = steadySince ?? now
    steadySince = since
    let slowest = Channel.allCases.filter { channels.contains($0) }
      .compactMap { source.rate(of: $0) }.filter { $0 > 0 }.min()
    isFinal = (now - since).seconds >= max(10, 3 / (slowest ?? 1))
  }
}
