// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

// What another process sends about the chips, whose samples it combines, and conditions that come
// from it or from this pipeline.
extension MotionPipeline {
  /// Sets the states of the chips to those that another process has sent.
  package func setChips(_ chips: [ChipState]) {
    state.withLock { state in
      guard chips.count == state.chips.states.count, chips != state.chips.states else { return }
      state.chips.set(chips)
      wakeListeners(state)
    }
  }

  /// Sets the remark about a chip that applies while it delivers samples. An empty text removes the
  /// remark.
  package func setRemark(_ remark: String, ofChip index: Int) {
    state.withLock { state in
      guard state.remarks.indices.contains(index), state.remarks[index] != remark else { return }
      state.remarks[index] = remark
      wakeListeners(state)
    }
  }

  /// Sets the faults that fusion in another process has detected.
  package func setServedFaults(_ faults: FaultTimes) {
    state.withLock { $0.servedFaults = faults }
  }

  /// Returns the conditions of a chip's channels that are combined with those of other chips, here
  /// or in the service that feeds this pipeline.
  package func conditions(ofChip index: Int) -> [ChannelCondition] {
    state.withLock { state in
      guard let served = state.servedConditions else {
        return state.combination.conditions(ofChip: index)
      }
      return served.indices.contains(index) ? served[index] : []
    }
  }

  /// True if another process combines the chips and has sent their conditions. Its remarks about
  /// the chips contain them.
  var hasServedConditions: Bool { state.withLock { $0.servedConditions != nil } }

  /// Sets the conditions of all chips' channels, which another process has sent.
  package func setServedConditions(_ conditions: [[ChannelCondition]]) {
    state.withLock { state in
      guard conditions.count == state.chips.states.count else { return }
      guard conditions != state.servedConditions else { return }
      state.servedConditions = conditions
      wakeListeners(state)
    }
  }
}
