// SPDX-License-Identifier: Apache-2.0
public import Registers
public import Quantities

/// A transaction between a driver and its chip: request, result and times.
public struct TraceTransaction: Equatable, Sendable {
  public enum Request: Equatable, Sendable {
    /// The request is a read of `count` bytes starting at a register.
    case read(register: UInt8, count: Int)
    /// The request is a write of these bytes starting at a register.
    case write(register: UInt8, bytes: [UInt8])

    /// The first register of the request.
    public var register: UInt8 {
      switch self {
      case .read(let register, _), .write(let register, _): register
      }
    }

    /// Creates a transaction that writes one byte.
    public static func write(register: UInt8, value: UInt8) -> Request {
      .write(register: register, bytes: [value])
    }
  }

  public enum Outcome: Equatable, Sendable {
    /// The bytes that the transaction read; empty for a write.
    case bytes([UInt8])
    case failure(BusError)
  }

  /// The name of the chip in the board file.
  public var chip: String
  public var request: Request
  public var outcome: Outcome
  /// The start of the transaction, on the clock of the samples.
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
