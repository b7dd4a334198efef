// SPDX-License-Identifier: Apache-2.0

/// What is most likely wrong with a board, as far as its buses tell. The raw value is what programs read.
public enum Cause: String, CaseIterable, Codable, Sendable {
  case busMissing = "bus-missing"
  case permission
  case taken
  case stuckBus = "stuck-bus"
  case silentBus = "silent-bus"
  case wrongAddress = "wrong-address"
  case noAnswer = "no-answer"
  case wrongChip = "wrong-chip"
  case unsupportedChip = "unsupported-chip"
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
  case deadAxis = "dead-axis"
  case swappedAxes = "swapped-axes"
  case moving
}

/// What a check found wrong: evidence first, then the cause it points to and what to do about it.
public struct Finding: Equatable, Codable, Sendable {
  public var cause: Cause
  /// The chip's or the bus's name in the board file; `nil`: the board.
  public var subject: String?
  /// What was seen, with its figures.
  public var evidence: String
  /// What is likely wrong, in a sentence.
  public var explanation: String
  /// What to do next, most promising first.
  public var steps: [String]

  public init(
    _ cause: Cause, of subject: String?, evidence: String, explanation: String, steps: [String]
  ) {
    self.cause = cause
    self.subject = subject
    self.evidence = evidence
    self.explanation = explanation
    self.steps = steps
  }
}
