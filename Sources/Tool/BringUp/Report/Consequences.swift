// SPDX-License-Identifier: Apache-2.0
internal import Runtime

extension Cause {
  /// The causes that result from this cause on the same chip or bus. They are not reported
  /// separately.
  var consequences: [Cause] {
    switch self {
    case .stuckBus:
      [
        .silentBus, .noAnswer, .wrongAddress, .wrongChip, .selfTest, .deadInterrupt, .interruptRate,
        .queueOverflow, .queueAlignment, .unreliableBus, .brownOut, .moving, .invalidReadings,
        .stuckReadings,
      ]
    case .brownOut:
      [
        .selfTest, .unreliableBus, .interruptRate, .queueOverflow, .queueAlignment, .noisySupply,
        .moving, .invalidReadings, .stuckReadings,
      ]
    case .unreliableBus:
      [.selfTest, .queueAlignment, .queueOverflow, .interruptRate, .invalidReadings]
    case .noisySupply: [.selfTest, .queueAlignment, .moving]
    case .moving: [.selfTest, .noisySupply]
    default: []
    }
  }
}

extension BringUpReport {
  /// Removes findings that another finding explains. Their checks remain failed, and keep their
  /// values and a note.
  mutating func dropConsequences() {
    let all = checks.flatMap { check in check.findings.map { (check.subject, $0) } }
    for index in checks.indices {
      let subject = checks[index].subject
      func root(of finding: Finding) -> Finding? {
        all.first { other, root in
          (root.cause.consequences.contains(finding.cause)
            || root.corruptsSamples && finding.isNoise)
            && (root.subject == finding.subject || other == subject || root.cause == .stuckBus)
        }?.1
      }
      let explained = checks[index].findings.compactMap(root(of:))
      checks[index].findings.removeAll { root(of: $0) != nil }
      checks[index].rows += explained.map {
        CheckRecord.Row("explained by", $0.cause.title.lowercasedFirst)
      }
    }
  }
}

extension Finding {
  /// True if reads were corrupted, not merely lost. Corrupted samples have spikes, which look like
  /// noise.
  fileprivate var corruptsSamples: Bool { cause == .unreliableBus && evidence.contains("wrong") }

  fileprivate var isNoise: Bool { [.noisySupply, .moving].contains(cause) }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
