// SPDX-License-Identifier: Apache-2.0
public import Registers
public import ChipCatalog
public import Quantities
public import Sensors

/// A line of a trace: an event of one chip with its time.
public struct TraceEvent: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// The bus was opened. The reads that follow, until the driver starts, contain the contents of
    /// the chip's registers.
    case opened(TracedChip)
    /// The driver was requested to start, to stop or to perform a self-test.
    case started
    case stopped
    case selfTestStarted
    /// The driver made a step. With `isEdge` the driver received the most recent edges recorded
    /// before this line.
    case stepped(isEdge: Bool)
    /// The driver read the clock.
    case clock
    /// The edges of the interrupt line were read: their number, and the time of the newest edge.
    case edges(count: Int, newest: Timestamp)
    case transaction(TraceTransaction)
    /// The event contains the driver's counters at the time of the event. `isComplete` is false in
    /// a trace of an older version, which lacks newer counters.
    case health(Health, isComplete: Bool = true)
    /// The recorder dropped this number of events just before this event.
    case hole(events: Int)
    /// The recording ended normally.
    case ended
  }

  /// The name of the chip in the board file; empty for an event of the whole board.
  public var chip: String
  /// The event's time on the clock of the samples. For a transaction it is the start of the
  /// transaction.
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
  /// The value of the identity register; `nil` if the register could not be read.
  public var identity: UInt8?
  /// The largest number of bytes that one read can return.
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
