// SPDX-License-Identifier: Apache-2.0
package import Otolith
package import Runtime
import Sensors
package import Text

/// The health of a source's chips as messages: each chip's state, its counts and the conditions of
/// its channels. A chip is due when its state, a condition or a remark changes, and once per
/// minute.
package struct ChipHealth {
  private let source: any MotionSource
  /// The number of changes of chip states when the messages were last made.
  private var changes: UInt64?
  private var earliest = Timestamp.zero
  private var nextRound = Timestamp.zero
  /// The newest state of each chip without its counts, as last sent.
  private var sent: [String: JSON] = [:]

  package init(of source: any MotionSource) { self.source = source }

  /// Returns the messages that are due at `now`: the name and the content of each chip. A chip
  /// that changes often is sent at most once per second.
  package mutating func next(at now: Timestamp) -> [(chip: String, fields: [JSON.Member])] {
    let isRound = now >= nextRound
    let changes = source.pipeline.chipChanges
    guard isRound || changes != self.changes && now >= earliest else { return [] }
    self.changes = changes
    earliest = now + .seconds(1)
    if isRound { nextRound = now + .seconds(60) }
    let states = source.pipeline.chips
    return source.report.enumerated().compactMap { index, report in
      guard states.indices.contains(index) else { return nil }
      let state = Self.state(states[index], index, source)
      guard isRound || sent[report.name] != .object(state) else { return nil }
      sent[report.name] = .object(state)
      return (report.name, state + Self.counts(report))
    }
  }

  private static func state(
    _ state: ChipState, _ index: Int, _ source: any MotionSource
  ) -> [JSON.Member] {
    var remarks = source.remarks(ofChip: index)
    let word: String
    switch state {
    case .starting: word = "starting"
    case .delivering: word = "delivering"
    case .failed(let error):
      word = "failed"
      remarks = [source.failure(error, ofChip: index, source.pipeline.chips)]
    }
    return [
      JSON.Member("state", .text(word)), JSON.Member("remarks", .texts(remarks)),
      JSON.Member(
        "conditions", .list(source.pipeline.conditions(ofChip: index).map(condition))),
    ]
  }

  private static func condition(_ condition: ChannelCondition) -> JSON {
    .object([
      .init("channel", .text("\(condition.channel.row.name)")),
      .init("states", .texts(condition.states)),
      .init("causes", .texts(condition.causes.map(\.rawValue))),
      .init("isUsed", .flag(condition.isUsed)), .init("count", .count(condition.faultCount)),
    ])
  }

  private static func counts(_ report: ChipReport) -> [JSON.Member] {
    let health = report.health
    return [
      .init("part", .text(report.chip)), .init("rate", .number(report.rate)),
      .init("received", .count(health.received)), .init("lost", .count(health.missing)),
      .init("late", .count(report.late)), .init("busErrors", .count(health.busErrors)),
      .init("restarts", .count(health.restarts)), .init("invalid", .count(report.losses.invalid)),
      .init("clipped", .count(report.losses.clippedCount)),
    ]
  }
}
