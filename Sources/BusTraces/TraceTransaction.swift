// SPDX-License-Identifier: Apache-2.0
public import Buses
public import Quantities

/// One transaction between a driver and its chip: what was asked, what came of it, and when.
public struct TraceTransaction: Equatable, Sendable {
  public enum Request: Equatable, Sendable {
    /// So many bytes from a register on.
    case read(register: UInt8, count: Int)
    case write(register: UInt8, value: UInt8)
  }

  public enum Outcome: Equatable, Sendable {
    /// What was read; nothing of a write.
    case bytes([UInt8])
    case failure(BusError)
  }

  /// The chip's name in the board file.
  public var chip: String
  public var request: Request
  public var outcome: Outcome
  /// On the clock of the samples.
  public var begin: Timestamp
  public var end: Timestamp

  public init(
    chip: String, request: Request, outcome: Outcome, begin: Timestamp, end: Timestamp
  ) {
    self.chip = chip
    self.request = request
    self.outcome = outcome
    self.begin = begin
    self.end = end
  }
}
