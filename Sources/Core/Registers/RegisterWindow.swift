// SPDX-License-Identifier: Apache-2.0

/// The address of a register on a chip with banks, as one number that includes the bank.
public struct FlatAddress: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The bank of the register. Bank 0 is selected after a reset.
  public var bank: UInt8
  /// The address of the register within its bank.
  public var register: UInt8

  public init(bank: UInt8 = 0, _ register: UInt8) {
    self.bank = bank
    self.register = register
  }

  /// The bank and the address as one number: the bank in the high byte, the address in the low
  /// byte.
  public var number: UInt16 { UInt16(bank) << 8 | UInt16(register) }

  public static func < (a: FlatAddress, b: FlatAddress) -> Bool { a.number < b.number }
}

/// The range of addresses at which a chip has several banks, and the register that selects a bank.
/// All other addresses are the same in every bank. (Linux's regmap calls this a range window.)
public struct RegisterWindow: Equatable, Sendable, BitwiseCopyable {
  /// The address of the register that selects the bank. This register is the same in all banks.
  public let selector: UInt8
  /// The mask of the bank number in the register that selects the bank. The register's other bits
  /// are written as 0.
  public let field: UInt8
  /// The first and the last address at which the chip has several banks.
  public let first: UInt8
  public let last: UInt8

  public init(selector: UInt8, field: UInt8, _ addresses: ClosedRange<UInt8>) {
    self.selector = selector
    self.field = field
    first = addresses.lowerBound
    last = addresses.upperBound
  }

  /// An empty window of banked addresses, for a chip without banks.
  public static var none: RegisterWindow {
    RegisterWindow(selector: 0, field: 0, first: 0xFF, last: 0)
  }

  private init(selector: UInt8, field: UInt8, first: UInt8, last: UInt8) {
    self.selector = selector
    self.field = field
    self.first = first
    self.last = last
  }

  /// Returns true if the address `register` is a different register in each bank.
  public func contains(_ register: UInt8) -> Bool {
    register >= first && register <= last && register != selector
  }

  /// Returns true if one of the `count` registers starting at `register` is in the window of banked
  /// addresses.
  func isTouched(from register: UInt8, count: Int) -> Bool {
    if count == 1 { return contains(register) }
    return register <= last && Int(register) + count > Int(first)
  }

  /// Returns the contents of the bank-select register that select `bank`.
  public func contents(selecting bank: UInt8) -> UInt8 {
    (bank &<< UInt8(field.trailingZeroBitCount)) & field
  }

  /// Returns the bank that `contents` of the bank-select register select.
  public func bank(selectedBy contents: UInt8) -> UInt8 {
    (contents & field) &>> UInt8(field.trailingZeroBitCount)
  }

  /// Returns the address, including the bank, of `register` while `bank` is selected.
  public func place(of register: UInt8, in bank: UInt8) -> FlatAddress {
    FlatAddress(bank: contains(register) ? bank : 0, register)
  }
}

/// The register map of a chip with banks. Registers of bank 0, and registers outside the address
/// window of the banks, are plain registers; all other registers are `Banked`.
public protocol BankedMap: RegisterMap {
  static var window: RegisterWindow { get }
}

/// A register in a bank other than the one that is selected after a reset.
public struct Banked<Layout: Sendable, Access: RegisterAccess>: Sendable {
  public let bank: UInt8
  public let register: Register<Layout, Access>

  @inline(__always)
  public init(_ bank: UInt8, _ register: Register<Layout, Access>) {
    self.bank = bank
    self.register = register
  }

  public var address: FlatAddress { FlatAddress(bank: bank, register.address) }
}

extension Register {
  /// Creates a register in bank `bank`.
  @inline(__always)
  public static func bank(
    _ bank: UInt8, _ address: UInt8, reset: UInt8? = 0, effect: ReadEffect = .none,
    _ layout: Layout
  ) -> Banked<Layout, Access> {
    Banked(bank, Register(address, reset: reset, effect: effect, layout))
  }
}

extension Register where Layout == WholeByte {
  /// Creates a register of one whole byte in bank `bank`.
  @inline(__always)
  public static func bank(
    _ bank: UInt8, _ address: UInt8, reset: UInt8? = 0, effect: ReadEffect = .none
  ) -> Banked<WholeByte, Access> {
    Banked(bank, Register(address, reset: reset, effect: effect))
  }
}
