// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
package import Runtime

/// A fault found by a check: the evidence, the likely cause and the remedies.
package struct Finding: Equatable, Codable, Sendable {
  package var cause: Cause
  /// The name of the chip or bus in the board file; `nil` if the finding concerns the whole board.
  package var subject: String?
  /// The observation, with its measured values.
  package var evidence: String
  /// A message that describes the likely fault.
  package var explanation: String
  /// The remedies, the most promising first.
  package var steps: [String]

  package init(
    _ cause: Cause, of subject: String?, evidence: String, explanation: String, steps: [String]
  ) {
    self.cause = cause
    self.subject = subject
    self.evidence = evidence
    self.explanation = explanation
    self.steps = steps
  }
}

extension Finding {
  /// Creates a finding with the explanation of `cause`. Its remedies are `steps` and then the
  /// general remedies, without those for other kinds of buses.
  init(
    _ cause: Cause, of subject: String?, on wire: Wire? = nil, _ evidence: String,
    explanation: String? = nil, steps: [String] = []
  ) {
    var meaning = cause.meaning
    if let wire {
      let other =
        switch wire {
        case .i2c: Cause.switchingOnSPI
        case .spi: Cause.switchingOnI2C
        }
      meaning.steps.removeAll { $0 == other }
    }
    // If the address or the part is known exactly, the general remedies are unnecessary.
    let isComplete = !steps.isEmpty && [.wrongAddress, .wrongChip].contains(cause)
    self.init(
      cause, of: subject, evidence: evidence, explanation: explanation ?? meaning.explanation,
      steps: isComplete ? steps : steps + meaning.steps)
  }
}
