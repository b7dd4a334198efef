// SPDX-License-Identifier: Apache-2.0

/// The reason why a driver stopped using its chip. Numbers only; programs translate them for users.
public enum ChipError: Error, Equatable, Sendable {
  /// A transaction on `register` failed; on a chip with banks, `register` is the address within any
  /// bank.
  case bus(BusError, register: UInt8)
  /// The identity register holds none of the chip's known values.
  case identity(found: UInt8, register: UInt8)
  /// The reset bit did not clear within the time in the chip's document.
  case resetTimedOut
  /// A configuration register does not hold what was written.
  case rejected(register: UInt8, wrote: UInt8, readBack: UInt8)
  /// A 16-bit register, or a register outside bank 0, does not hold what was written.
  case rejectedWord(WordRejection)
  /// The chip does not support the requested rate, range or mode.
  case unsupportedSetting

  /// Creates the error for a 16-bit register, or a register outside bank 0, at `place` that does
  /// not hold what was written.
  public static func rejectedWord(_ place: FlatAddress, wrote: UInt16, readBack: UInt16)
    -> ChipError
  {
    .rejectedWord(WordRejection(place, wrote: wrote, readBack: readBack))
  }

  /// The underlying bus error; `nil` for all other errors.
  public var busError: BusError? {
    if case .bus(let error, _) = self { error } else { nil }
  }
}

/// A 16-bit register, or a register outside bank 0, that does not hold what was written.
public struct WordRejection: Equatable, Sendable, BitwiseCopyable {
  /// A bank number with unused bit patterns. `ChipError` stores its case in patterns that the
  /// payload leaves unused; without them it would be a byte larger, and each throwing function of a
  /// driver some bytes longer.
  private enum Bank: UInt8, BitwiseCopyable { case b0, b1, b2, b3, b4, b5, b6, b7 }

  private let words: UInt32
  private let bank: Bank
  private let register: UInt8

  /// Creates a rejection; banks above the eighth are reported as the eighth.
  public init(_ place: FlatAddress, wrote: UInt16, readBack: UInt16) {
    words = UInt32(readBack) << 16 | UInt32(wrote)
    bank = Bank(rawValue: place.bank) ?? .b7
    register = place.register
  }

  public var place: FlatAddress { FlatAddress(bank: bank.rawValue, register) }
  public var wrote: UInt16 { UInt16(truncatingIfNeeded: words) }
  public var readBack: UInt16 { UInt16(truncatingIfNeeded: words &>> 16) }
}
