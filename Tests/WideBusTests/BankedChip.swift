// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers

/// A chip with four banks, after the data sheet of the ICM-20948 (TDK DS-000189, sections 7 to 11):
/// the selector REG_BANK_SEL 0x7F, bits 5:4, is in every bank. The chip is made up for tests and
/// measures nothing.
struct FourBanksMap: BankedMap {
  static let window = RegisterWindow(selector: 0x7F, field: 0x30, 0x00...0x7E)

  enum GyroFullScale: UInt8, FieldValue, CaseIterable { case dps250, dps500, dps1000, dps2000 }

  struct Power: Sendable {
    let reset = Bit(7)
    let sleep = Bit(6)
    let clock = Bits(0...2)
  }

  struct GyroConfiguration: Sendable {
    let filter = Bits(3...5)
    let range = Bits<GyroFullScale>(1...2)
    let filters = Bit(0)
  }

  struct Selector: Sendable {
    let bank = Bits(4...5)
  }

  let whoAmI = RO(0x00, reset: 0xEA)
  let userControl = RW(0x03)
  let power1 = RW(0x06, reset: 0x41, Power())
  let offsetHigh = RW.bank(1, 0x14, reset: nil)
  let gyroDivider = RW.bank(2, 0x00)
  let gyroConfig1 = RW.bank(2, 0x01, reset: 0x01, GyroConfiguration())
  let slave0Address = RW.bank(3, 0x03)
  let bankSelect = RW(0x7F, Selector())
  init() {}
}

final class BankedModel: QuietModel {
  private(set) var file = RegisterFile(FourBanksMap())

  override func read(_ register: UInt8) -> UInt8 { file[register] }

  /// All bytes that were written except to the selector, with the bank that the chip showed then;
  /// also those to places without a register.
  private(set) var writes: [Written] = []

  override func write(_ value: UInt8, to register: UInt8) {
    if register != FourBanksMap.window.selector {
      writes.append(Written(FlatAddress(bank: bank, register), value))
    }
    file.store(value, at: register)
    // The bit of a reset clears itself (section 8.4).
    if file[FourBanksMap().power1]({ $0.reset }) == true { file.reset() }
  }

  override func powerCycle() { file.reset() }

  /// The bank that the chip shows.
  var bank: UInt8 { file[FourBanksMap().bankSelect]({ $0.bank }) ?? 0 }
}

/// A byte that was written to a register of any bank.
struct Written: Hashable {
  var place: FlatAddress
  var value: UInt8

  init(_ place: FlatAddress, _ value: UInt8) {
    self.place = place
    self.value = value
  }
}

/// A connection like `BankedBus`, with a deliberate fault: it takes a bank for selected even if the
/// write of the selector failed. Tests must find the fault.
struct CarelessBus<Base: RegisterBus & ~Copyable>: RegisterBus, ~Copyable {
  var base: Base
  var shown: UInt8?

  init(_ base: consuming Base) { self.base = base }

  var now: Timestamp { base.now }
  var longestWrite: Int { base.longestWrite }

  mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    try read(&bytes, at: FlatAddress(register))
  }

  mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    let bytes: InlineArray<1, UInt8> = [value]
    try write(bytes.span, at: FlatAddress(register))
  }

  mutating func read(_ bytes: inout MutableSpan<UInt8>, at address: FlatAddress)
    throws(BusError)
  {
    try show(address.bank)
    try base.read(&bytes, from: address.register)
  }

  mutating func write(_ bytes: Span<UInt8>, at address: FlatAddress) throws(BusError) {
    try show(address.bank)
    try base.write(bytes, to: address.register)
  }

  private mutating func show(_ bank: UInt8) throws(BusError) {
    guard shown != bank else { return }
    shown = bank
    try base.write(bank << 4, to: 0x7F)
  }
}
