// SPDX-License-Identifier: Apache-2.0

/// A transaction between a driver and its chip.
public enum Transaction: Equatable, Sendable {
  /// One register was written.
  case write(_ register: UInt8, _ value: UInt8)
  /// The transaction wrote several bytes, starting at a register or into a FIFO.
  case writeBlock(_ register: UInt8, _ bytes: [UInt8])
  /// The transaction read one or several registers; `bytes` is what the chip returned.
  case read(_ register: UInt8, _ bytes: [UInt8])
}

extension Transaction: CustomStringConvertible {
  public var description: String {
    switch self {
    case .write(let register, let value): "write \(hex(register)): \(hex(value))"
    case .writeBlock(let register, let bytes):
      "write \(hex(register)): \(bytes.map { hex($0) }.joined(separator: " "))"
    case .read(let register, let bytes):
      "read \(hex(register)): \(bytes.map { hex($0) }.joined(separator: " "))"
    }
  }
}

extension Transaction {
  /// Returns the transaction that writes `bytes`. A block of one byte is the same as a single
  /// write.
  static func write(_ register: UInt8, _ bytes: Span<UInt8>) -> Transaction {
    bytes.count == 1
      ? .write(register, bytes[0]) : .writeBlock(register, bytes.indices.map { bytes[$0] })
  }
}

func hex(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.count == 1 ? "0\(digits)" : digits
}
