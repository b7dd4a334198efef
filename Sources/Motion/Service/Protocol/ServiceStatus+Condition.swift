// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Redundancy
package import Runtime

extension ServiceStatus {
  /// The condition of one channel of a chip that is combined with other chips.
  package struct Condition: Codable, Equatable, Sendable {
    /// The name of the channel, such as `rotationRate`.
    package var channel: String
    /// The state of each axis, such as `good` or `frozen`; one state for a scalar channel.
    package var states: [String]
    /// The likely causes of the states that are not good, as in docs/bring-up.md; absent if all are
    /// good.
    package var causes: [String]?
    /// True if motion uses the channel now.
    package var isUsed: Bool
    /// The number of times that an axis has left `good`.
    package var count: UInt32
    /// The time at which these states began, in seconds on the clock of the samples.
    package var since: Double

    package init(_ condition: ChannelCondition) {
      channel = "\(condition.channel.row.name)"
      states = condition.states
      causes = condition.causes.isEmpty ? nil : condition.causes.map(\.rawValue)
      isUsed = condition.isUsed
      count = condition.condition.count
      since = Double(condition.condition.since.nanoseconds) * 1e-9
    }

    /// The condition in this program's terms; `nil` if this program does not know the channel or a
    /// state.
    var channelCondition: ChannelCondition? {
      guard let channel = Channel.allCases.first(where: { "\($0.row.name)" == self.channel })
      else { return nil }
      var condition = SensorCondition()
      for (axis, name) in states.prefix(3).enumerated() {
        guard let state = SensorCondition.State.allCases.first(where: { "\($0)" == name })
        else { return nil }
        condition[axis] = state
      }
      condition.isUsed = isUsed
      condition.count = count
      condition.since = .zero + TimeSpan(seconds: since)
      return ChannelCondition(channel, condition)
    }
  }
}
