// SPDX-License-Identifier: Apache-2.0

/// The most likely fault of a board, found by checks of its buses and chips, or by comparing a
/// chip's samples with those of other chips. Programs use the raw value.
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
  case noSamples = "no-samples"
  case lateSamples = "late-samples"
  case stuckReadings = "stuck-readings"
  case outOfRange = "out-of-range"
  case disagreement
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
    case .noSamples: "Its samples stop"
    case .lateSamples: "Its samples come late"
    case .stuckReadings: "Its readings do not change"
    case .outOfRange: "It measures more than its range holds"
    case .disagreement: "It differs from the other chips"
    case .deadAxis: "An axis is dead"
    case .swappedAxes: "The axes are swapped"
    case .moving: "The board does not lie still"
    }
  }

  /// The rank of the cause for sorting; causes that explain other problems come first.
  package var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
