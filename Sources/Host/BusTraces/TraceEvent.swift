// SPDX-License-Identifier: Apache-2.0
public import Registers
public import ChipCatalog
public import Quantities
public import Sensors

/// One line of a trace: an event of one chip with its time.
public struct TraceEvent: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// The bus was opened. Reads until the start are the register contents.
    case opened(TracedChip)
    /// A start, a stop or a self-test was requested from the driver.
    case started
    case stopped
    case selfTestStarted
    /// A step of the driver; `isEdge`: with the newest edges before this line.
    case stepped(isEdge: Bool)
    /// The driver read the clock.
    case clock
    /// Edges of the interrupt line were taken.
    case edges(count: Int, newest: Timestamp)
    case transaction(TraceTransaction)
    /// The driver's counters at this time.
    case health(Health)
    /// The recorder dropped events.
    case hole(events: Int)
    /// The recording ended normally.
    case ended
  }

  /// The chip's name in the board file; empty for the whole board.
  public var chip: String
  /// The time on the clock of the samples; for a transaction its start.
  public var time: Timestamp
  public var kind: Kind

  public init(chip: String, time: Timestamp, _ kind: Kind) {
    self.chip = chip
    self.time = time
    self.kind = kind
  }

  public init(_ transaction: TraceTransaction) {
    self.init(chip: transaction.chip, time: transaction.begin, .transaction(transaction))
  }
}

/// The state of a chip when its bus was opened.
public struct TracedChip: Equatable, Sendable {
  /// The name of the chip in the catalogue.
  public var chip: String
  public var wire: Wire
  /// The identity register's value; `nil` if the read failed.
  public var identity: UInt8?
  /// The most bytes that one read can fill.
  public var longestRead: Int

  public init(_ chip: String, _ wire: Wire, identity: UInt8? = nil, longestRead: Int = .max) {
    self.chip = chip
    self.wire = wire
    self.identity = identity
    self.longestRead = longestRead
  }
}

extension TraceTransaction {
  /// The duration of the transaction.
  public var duration: TimeSpan { end - begin }

  public var error: BusError? {
    if case .failure(let error) = outcome { error } else { nil }
  }
}
