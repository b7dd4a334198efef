// SPDX-License-Identifier: Apache-2.0
import Otolith
import Publishing
import Recordings
import Runtime

/// The entities that a source is offered with to Home Assistant: those whose values it delivers. A
/// board file may name a channel that the chip on the board does not have.
struct EntityOffer {
  private let discovery: Discovery
  private let source: any MotionSource
  /// The channels that entities may be made of.
  private let channels: ChannelSet
  /// True where a heading is published.
  private let wantsHeading: Bool
  private let isDoor: Bool
  private var delivered = ChannelSet()
  private var hasHeading = false
  /// The time since which all chips give samples.
  private var steadySince: Timestamp?
  private var isSettled = false
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

  /// Returns the offer of this moment where it is another than the one before; `nil`: it is not.
  mutating func next(at now: Timestamp) -> DiscoveryOffer? {
    settle(at: now)
    let offer = DiscoveryOffer(
      discovery, channels: channels, delivered: delivered,
      heading: wantsHeading ? hasHeading : nil, isDoor: isDoor, isSettled: isSettled)
    guard offer != latest else { return nil }
    latest = offer
    return offer
  }

  /// A chip that does not answer may come back with its channels, so nothing is settled without it.
  /// Each channel has had the time for three samples then, and fusion the time for a heading.
  private mutating func settle(at now: Timestamp) {
    guard !isSettled else { return }
    guard source.pipeline.chips.allSatisfy({ $0 == .delivering }) else {
      steadySince = nil
      return
    }
    let since = steadySince ?? now
    steadySince = since
    let slowest = Channel.allCases.filter { channels.contains($0) }
      .compactMap { source.rate(of: $0) }.filter { $0 > 0 }.min()
    isSettled = (now - since).seconds >= max(10, 3 / (slowest ?? 1))
  }
}
