// SPDX-License-Identifier: Apache-2.0
package import Quantities
package import Redundancy

/// The condition of one channel of a chip, found by comparison with other chips that have the same
/// channel.
package struct ChannelCondition: Equatable, Sendable {
  package var channel: Channel
  package var condition: SensorCondition

  package init(_ channel: Channel, _ condition: SensorCondition) {
    self.channel = channel
    self.condition = condition
  }

  /// The states of all axes as text, such as `rotationRate: good, frozen, good`.
  package var text: String {
    "\(channel.row.name): \(states.joined(separator: ", "))"
      + (condition.isUsed ? "" : "; not used")
  }

  /// The names of the states of all axes; one name for a scalar channel.
  package var states: [String] {
    channel.isVector
      ? ["\(condition.x)", "\(condition.y)", "\(condition.z)"] : ["\(condition.x)"]
  }

  /// The axes whose state is not `good`, each with the name of its state and the likely cause.
  package var faults: [(axis: String, state: String, cause: Cause)] {
    (0..<channel.width).compactMap { axis in
      condition[axis].cause.map {
        (axis: ["x", "y", "z"][axis], state: "\(condition[axis])", cause: $0)
      }
    }
  }

  /// True if motion uses the channel now.
  package var isUsed: Bool { condition.isUsed }

  /// The number of times that a fault has appeared in the channel while all axes were good.
  package var faultCount: UInt64 { UInt64(condition.count) }

  /// The causes of all states that are not good, in the order of the axes, each cause once.
  package var causes: [Cause] {
    (0..<channel.width).reduce(into: []) { causes, axis in
      guard let cause = condition[axis].cause, !causes.contains(cause) else { return }
      causes.append(cause)
    }
  }

  /// The axes with the state `state`, as words that follow the name of a quantity: ` on x and z`.
  /// Empty if all axes have this state.
  private func axes(_ state: SensorCondition.State) -> String {
    guard channel.isVector else { return "" }
    let names = (0..<3).filter { condition[$0] == state }.map { ["x", "y", "z"][$0] }
    return names.count == 3 ? "" : " on " + names.joined(separator: " and ")
  }

  /// The fault of the channel, its likely cause and the first remedy, as a message about the chip;
  /// `nil` if there is none. Also `nil` for readings at the end of the range, because the chip's
  /// reader counts and reports these.
  package var fault: String? {
    let state = condition.worst
    guard state != .clipping, let cause = state.cause else { return nil }
    let (explanation, steps) = cause.meaning
    return "its \(channel.row.words)\(axes(state)) is \(state) (\(cause.rawValue)): \(explanation)"
      + (state == .disagreeing ? "; nothing shows which is right, so all are used" : "")
      + (steps.first.map { "; \($0)" } ?? "")
  }
}

extension SensorCondition.State {
  /// The likely cause of this state in the catalogue of causes; `nil` for `good`.
  package var cause: Cause? {
    switch self {
    case .good: nil
    case .silent: .noSamples
    case .frozen: .stuckReadings
    case .biased, .disagreeing: .disagreement
    case .noisy: .noisySupply
    case .clipping: .outOfRange
    case .slow: .lateSamples
    case .glitching: .unreliableBus
    case .implausible: .invalidReadings
    }
  }
}

extension MotionSource {
  /// Returns remarks about the faulty channels of this chip that are combined with other chips'
  /// channels.
  package func conditionRemarks(ofChip index: Int) -> [String] {
    let chips = pipeline.chips
    // If a chip does not respond, another message already reports this.
    guard chips.indices.contains(index), chips[index] == .delivering else { return [] }
    let begin = pipeline.beginOfDelivery(ofChip: index)
    return pipeline.conditions(ofChip: index).compactMap { channel in
      guard let fault = channel.fault else { return nil }
      // A chip that starts to respond again counts as silent until its first sample.
      let since = max(channel.condition.since, begin)
      if channel.condition.worst == .silent, pipeline.newest - since < .seconds(1) { return nil }
      let others = pipeline.roles.indices.filter {
        $0 != index && pipeline.combinedChannels(ofChip: $0).contains(channel.channel)
          && !chips[$0].isFailed
      }
      let rest =
        channel.condition.isUsed || others.isEmpty
        ? ""
        : "; motion goes on with \(others.map(name(ofChip:)).joined(separator: " and "))"
      return "\(name(ofChip: index)): \(fault)\(rest)"
    }
  }
}
