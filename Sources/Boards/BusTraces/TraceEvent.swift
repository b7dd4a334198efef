// SPDX-License-Identifier: Apache-2.0
public import Registers
public import ChipCatalog
public import Quantities
public import Sensors

/// One line of a trace: what happened to one chip, and when.
public struct TraceEvent: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// Its bus was opened. What follows until it is started is what its registers held.
    case opened(TracedChip)
    /// Its driver was asked to begin, to end, to test the chip.
    case started
    case stopped
    case selfTestStarted
    /// Its driver was called; `isEdge`: with the newest edges before this line.
    case stepped(isEdge: Bool)
    /// Its driver asked what time it is.
    case clock
    /// So many edges of its interrupt line were taken.
    case edges(count: Int, newest: Timestamp)
    case transaction(TraceTransaction)
    /// The counts that its driver had until then.
    case health(Health)
    /// So many events could not be kept.
    case hole(events: Int)
    /// The recording was ended in order.
    case ended
  }

  /// The chip's name in the board file; empty where the whole board is meant.
  public var chip: String
  /// On the clock of the samples; of a transaction its begin.
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

/// A chip as it was when its bus was opened.
public struct TracedChip: Equatable, Sendable {
  /// Its row of the catalogue, by name.
  public var chip: String
  public var wire: Wire
  /// The identity register's value; `nil` where the chip did not answer.
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
  /// The time that it took.
  public var duration: TimeSpan { end - begin }

  public var error: BusError? {
    if case .failure(let error) = outcome { error } else { nil }
  }
}
