// SPDX-License-Identifier: Apache-2.0

/// The states of all chips, in the board's order, and how often each chip has failed.
///
/// A listener that compares only states misses a chip that recovers and fails again while the
/// listener is busy.
package struct ChipStates: Sendable {
  package private(set) var states: [ChipState]
  private var failures: [UInt64]

  init(count: Int) {
    states = Array(repeating: .starting, count: count)
    failures = Array(repeating: 0, count: count)
  }

  mutating func set(_ state: ChipState, ofChip index: Int) {
    if state.isFailed, !states[index].isFailed { failures[index] += 1 }
    states[index] = state
  }

  mutating func set(_ states: [ChipState]) {
    for (index, state) in states.enumerated() { set(state, ofChip: index) }
  }

  /// A copy that shares no storage with this value, so that the next change copies nothing.
  var copied: ChipStates {
    var copy = self
    copy.states = states.map { $0 }
    copy.failures = failures.map { $0 }
    return copy
  }

  /// Returns the states to report to a listener that has reported `seen`, oldest first. The last
  /// element is the current states. There is one before it if a chip has recovered and failed again
  /// since, with `.delivering` for this chip.
  func changes(after seen: ChipStates?) -> [[ChipState]] {
    guard let seen else { return [states] }
    var passed = states
    for index in states.indices
    where seen.states[index].isFailed && failures[index] > seen.failures[index] {
      passed[index] = .delivering
    }
    return passed == states ? [states] : [passed, states]
  }
}
