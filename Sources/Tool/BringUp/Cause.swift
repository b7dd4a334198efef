// SPDX-License-Identifier: Apache-2.0

/// The most likely fault of a board, as far as it can be seen on its buses. Programs use the raw
/// value.
package enum Cause: String, CaseIterable, Codable, Sendable {
  case busMissing = "bus-missing"
  case permission
  case taken
  case stuckBus = "stuck-bus"
  case silentBus = "silent-bus"
  case wrongAddress = "wrong-address"
  case noAnswer = "no-answer"
  case wrongChip = "wrong-chip"
  case unsupportedChip = "unsupported-chip"
  case noFirmware = "no-firmware"
  case selfTest = "self-test"
  case deadInterrupt = "dead-interrupt"
  case interruptPin = "interrupt-pin"
  case interruptPolarity = "interrupt-polarity"
  case interruptRate = "interrupt-rate"
  case queueOverflow = "fifo-overflow"
  case queueAlignment = "fifo-alignment"
  case unreliableBus = "unreliable-bus"
  case brownOut = "brown-out"
  case noisySupply = "noisy-supply"
  case invalidReadings = "invalid-readings"
  case stuckReadings = "stuck-readings"
  case outOfRange = "out-of-range"
  case deadAxis = "dead-axis"
  case swappedAxes = "swapped-axes"
  case moving
}

extension Cause {
  /// A short title for reports.
  package var title: String {
    switch self {
    case .busMissing: "The bus does not exist"
    case .permission: "No permission"
    case .taken: "It is in use by another owner"
    case .stuckBus: "The bus is stuck"
    case .silentBus: "No chip answers on the bus"
    case .wrongAddress: "The chip is at another address"
    case .noAnswer: "The chip does not answer"
    case .wrongChip: "It is another chip"
    case .unsupportedChip: "The chip is not supported yet"
    case .noFirmware: "The chip has no firmware"
    case .selfTest: "The self-test failed"
    case .deadInterrupt: "The interrupt line is dead"
    case .interruptPin: "The interrupt is wired to another pin"
    case .interruptPolarity: "The interrupt's edge is the wrong one"
    case .interruptRate: "The interrupt has the wrong rate"
    case .queueOverflow: "The FIFO overflows"
    case .queueAlignment: "The FIFO is out of step"
    case .unreliableBus: "Transfers fail now and then"
    case .brownOut: "The supply fails for moments"
    case .noisySupply: "The supply is noisy"
    case .invalidReadings: "Its readings cannot be measurements"
    case .stuckReadings: "Its readings do not change"
    case .outOfRange: "It measures more than its range holds"
    case .deadAxis: "An axis is dead"
    case .swappedAxes: "The axes are swapped"
    case .moving: "The board does not lie still"
    }
  }

  /// The rank of the cause for sorting; causes that explain other problems come first.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A fault found by a check: the evidence, the likely cause and the remedies.
package struct Finding: Equatable, Codable, Sendable {
  package var cause: Cause
  /// The name of the chip or bus in the board file; `nil` if the finding concerns the whole board.
  package var subject: String?
  /// The observation, with its measured values.
  package var evidence: String
  /// The likely fault as a sentence.
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
