// SPDX-License-Identifier: Apache-2.0

/// The reason why a driver stopped using its chip. The error holds only numbers; programs turn
/// these numbers into text.
public enum ChipError: Error, Equatable, Sendable {
  /// A transaction on `register` failed. On a chip with banks, `register` is the address within its
  /// bank, and the bank is unknown.
  case bus(BusError, register: UInt8)
  /// The identity register contains none of the chip's identities.
  case identity(found: UInt8, register: UInt8)
  /// The reset bit did not clear within the time that the chip's document gives.
  case resetTimedOut
  /// A configuration register does not contain what was written.
  case rejected(register: UInt8, wrote: UInt8, readBack: UInt8)
  /// A 16-bit register, or a register outside bank 0, does not contain what was written.
  case rejectedWord(WordRejection)
  /// A register that only the chip writes, such as a status register, does not contain what it has
  /// on a working chip: the bits in `wanted`, or at most `wanted` if the register holds a count.
  case unexpected(register: UInt8, wanted: UInt8, found: UInt8)
  /// The chip does not support the requested rate, range or mode.
  case unsupportedSetting
  /// The connection has no firmware of the size that the chip needs, or the chip refused the
  /// firmware.
  case firmware

  /// Creates the error for a 16-bit register, or a register outside bank 0, whose contents differ
  /// from what was written. `place` is the register's address, including the bank.
  public static func rejectedWord(_ place: FlatAddress, wrote: UInt16, readBack: UInt16)
    -> ChipError
  {
    .rejectedWord(WordRejection(place, wrote: wrote, readBack: readBack))
  }

  /// The bus error that caused this error; `nil` if the error is not a bus error.
  public var busError: BusError? {
    if case .bus(let error, _) = self { error } else { nil }
  }
}

/// The contents of a 16-bit register, or of a register outside bank 0, that differ from what was
/// written.
public struct WordRejection: Equatable, Sendable, BitwiseCopyable {
  /// The bank number as an enum, which leaves some bit patterns unused. `ChipError` uses these
  /// patterns to store which of its cases the error is. Otherwise the error would be a byte larger,
  /// and each throwing function of a driver some bytes longer.
  private enum Bank: UInt8, BitwiseCopyable { case b0, b1, b2, b3, b4, b5, b6, b7 }

  private let words: UInt32
  private let bank: Bank
  private let register: UInt8

  /// Creates the error for a register whose contents differ from what was written. A bank above 7
  /// is reported as bank 7.
  public init(_ place: FlatAddress, wrote: UInt16, readBack: UInt16) {
    words = UInt32(readBack) << 16 | UInt32(wrote)
    bank = Bank(rawValue: place.bank) ?? .b7
    register = place.register
  }

  public var place: FlatAddress { FlatAddress(bank: bank.rawValue, register) }
  public var wrote: UInt16 { UInt16(truncatingIfNeeded: words) }
  public var readBack: UInt16 { UInt16(truncatingIfNeeded: words &>> 16) }
}
