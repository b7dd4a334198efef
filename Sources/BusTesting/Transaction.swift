// SPDX-License-Identifier: Apache-2.0

/// One transaction between a driver and its chip.
public enum Transaction: Equatable, Sendable {
  /// One register was written.
  case write(_ register: UInt8, _ value: UInt8)
  /// A register, or several from it on, were read, and this is what came back.
  case read(_ register: UInt8, _ bytes: [UInt8])
}

extension Transaction: CustomStringConvertible {
  public var description: String {
    switch self {
    case .write(let register, let value): "write \(hex(register)): \(hex(value))"
    case .read(let register, let bytes):
      "read \(hex(register)): \(bytes.map { hex($0) }.joined(separator: " "))"
    }
  }
}

func hex(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.count == 1 ? "0\(digits)" : digits
}
