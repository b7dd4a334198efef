// SPDX-License-Identifier: Apache-2.0

/// The reason why a driver gave up on its chip. Numbers only; programs that show them to people
/// turn them into names.
public enum ChipError: Error, Equatable, Sendable {
  /// A transaction on `register` failed; where a chip has banks, that is its address in any of
  /// them.
  case bus(BusError, register: UInt8)
  /// The identity register holds none of the chip's known values.
  case identity(found: UInt8, register: UInt8)
  /// The reset bit did not clear in the time the chip's document allows.
  case resetTimedOut
  /// A configuration register does not hold what was written.
  case rejected(register: UInt8, wrote: UInt8, readBack: UInt8)
  /// The same of a register of 16 bits or of another bank than the first.
  case rejectedWord(WordRejection)
  /// The chip cannot sample that fast, that wide or that way.
  case unsupportedSetting

  /// Creates the error of a register at `place`, of 16 bits or of another bank, that does not hold
  /// what was written.
  public static func rejectedWord(_ place: FlatAddress, wrote: UInt16, readBack: UInt16)
    -> ChipError
  {
    .rejectedWord(WordRejection(place, wrote: wrote, readBack: readBack))
  }

  /// The bus error inside, where there is one.
  public var busError: BusError? {
    if case .bus(let error, _) = self { error } else { nil }
  }
}

/// A register of 16 bits, or of another bank than the first, that does not hold what was written.
public struct WordRejection: Equatable, Sendable, BitwiseCopyable {
  /// The number of a bank in few bits. `ChipError` keeps its case in bits that no case needs: with
  /// none left it would be a byte longer, and each function of a driver that can throw some bytes
  /// of code.
  private enum Bank: UInt8, BitwiseCopyable { case b0, b1, b2, b3, b4, b5, b6, b7 }

  private let words: UInt32
  private let bank: Bank
  private let register: UInt8

  /// Creates a place and values; of more than eight banks the last are reported as the eighth.
  public init(_ place: FlatAddress, wrote: UInt16, readBack: UInt16) {
    words = UInt32(readBack) << 16 | UInt32(wrote)
    bank = Bank(rawValue: place.bank) ?? .b7
    register = place.register
  }

  public var place: FlatAddress { FlatAddress(bank: bank.rawValue, register) }
  public var wrote: UInt16 { UInt16(truncatingIfNeeded: words) }
  public var readBack: UInt16 { UInt16(truncatingIfNeeded: words &>> 16) }
}
