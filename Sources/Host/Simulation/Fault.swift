// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A kind of fault that a simulated board can have, as the fault occurs on real boards.
public enum FaultKind: String, CaseIterable, Sendable {
  case noAcknowledge = "nack"
  case timeout
  case bitFlip = "bit-flip"
  case lostInterrupt = "lost-interrupt"
  case doubledInterrupt = "doubled-interrupt"
  case stuckInterrupt = "stuck-interrupt"
  case wrongPin = "wrong-pin"
  case invertedInterrupt = "inverted-interrupt"
  case fifoOverflow = "fifo-overflow"
  case brownOut = "brown-out"
  case wrongChip = "wrong-chip"
  case wrongAddress = "wrong-address"
  case swappedAxes = "swapped-axes"
  case stuckBus = "stuck-bus"
  case noisySupply = "noisy-supply"
  case motorField = "motor-field"
  case draught

  /// A one-sentence description of the fault's effect.
  public var summary: String {
    switch self {
    case .noAcknowledge: "the chip does not acknowledge"
    case .timeout: "a transfer takes too long"
    case .bitFlip: "one bit of what is read is wrong"
    case .lostInterrupt: "an edge of the line does not arrive"
    case .doubledInterrupt: "an edge arrives twice"
    case .stuckInterrupt: "the line stops changing"
    case .wrongPin: "the line is wired to the chip's other interrupt pin"
    case .invertedInterrupt: "the line falls where the chip's pin rises, and rises where it falls"
    case .fifoOverflow: "the FIFO overflows and loses its oldest frames"
    case .brownOut:
      "the supply fails for a moment; the chip is silent until it is back, in reset state"
    case .wrongChip: "the identity register holds `identity`"
    case .wrongAddress: "the chip answers at the other address that its strap selects (I2C)"
    case .swappedAxes:
      "the chip is mounted a quarter turn about z from the orientation in the "
        + "board file"
    case .stuckBus: "a line of the bus is held low: every transfer on it times out"
    case .noisySupply: "noise of 0.05 g, 3 deg/s and 5 microtesla on all axes"
    case .motorField: "a field of 30 microtesla along the chip's x axis, as of a motor's current"
    case .draught: "20 pascals more than the air's pressure, as of a door that closes"
    }
  }

  /// The events to which the `probability` of a fault applies.
  public enum Opportunity: Sendable {
    /// Each transaction.
    case transaction
    /// The fault can affect each edge of the interrupt line.
    case edge
    /// The fault depends on no event. It occurs at its times, or always.
    case time
  }

  public var opportunity: Opportunity {
    switch self {
    case .noAcknowledge, .timeout, .bitFlip: .transaction
    case .lostInterrupt, .doubledInterrupt: .edge
    case .stuckInterrupt, .wrongPin, .invertedInterrupt, .fifoOverflow, .brownOut, .wrongChip,
      .wrongAddress, .swappedAxes, .stuckBus, .noisySupply, .motorField, .draught:
      .time
    }
  }

  /// The default duration of the fault; `nil` if it is unlimited.
  public var usualDuration: TimeSpan? {
    switch self {
    case .noAcknowledge, .timeout, .bitFlip, .lostInterrupt, .doubledInterrupt, .fifoOverflow: .zero
    case .brownOut: .milliseconds(20)
    case .stuckBus, .stuckInterrupt: .milliseconds(500)
    case .wrongPin, .invertedInterrupt, .wrongChip, .wrongAddress, .swappedAxes, .noisySupply,
      .motorField, .draught:
      nil
    }
  }
}

/// A fault, as a board file describes it.
public struct Fault: Equatable, Sendable {
  /// The times at which the fault occurs.
  public enum Occurrence: Equatable, Sendable {
    /// The fault occurs at random, with this probability at each event.
    case probability(Double)
    /// The fault occurs periodically, for the first time after one period.
    case every(TimeSpan)
    /// The fault occurs once, at this time after the start of the simulation.
    case at(TimeSpan)
    case always
  }

  public var kind: FaultKind
  /// The name of the affected chip; `nil` for every chip that can have the fault.
  public var chip: String?
  /// The name of the bus whose chips are affected; `nil` for any bus.
  public var bus: String?
  public var occurrence: Occurrence
  /// The duration of each occurrence of the fault.
  public var duration: TimeSpan?
  /// The value of the identity register during the fault `wrongChip`.
  public var identity: UInt8

  public init(
    _ kind: FaultKind, chip: String? = nil, bus: String? = nil, _ occurrence: Occurrence,
    duration: TimeSpan? = nil, identity: UInt8 = 0x55
  ) {
    self.kind = kind
    self.chip = chip
    self.bus = bus
    self.occurrence = occurrence
    self.duration = duration ?? kind.usualDuration
    self.identity = identity
  }

  /// Returns true if the fault affects the chip `chip` on the bus `bus`.
  public func befalls(chip: String, on bus: String) -> Bool {
    (self.chip == nil || self.chip == chip) && (self.bus == nil || self.bus == bus)
  }
}
