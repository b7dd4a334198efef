// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The mapping of a chip's transferred bytes to registers. It keeps track of the selected bank, or
/// of the selected inner register, by the writes that select it.
public struct RegisterPlaces: Equatable, Sendable {
  /// The banked address window; `nil` for a chip with one bank.
  public let window: RegisterWindow?
  /// The access to the chip's inner registers; `nil` for a chip without such registers.
  public let indirect: IndirectWindow?
  /// True if each register address refers to two bytes.
  public let countsWords: Bool
  /// The addresses of registers at which a burst does not advance.
  public let queues: Set<UInt8>
  /// The currently selected register bank.
  public private(set) var bank: UInt8 = 0
  /// The selected inner register, in bank 0 if no declared bank is selected.
  private var inner = FlatAddress(0)

  public init(
    _ window: RegisterWindow? = nil, indirect: IndirectWindow? = nil, countsWords: Bool = false,
    queues: Set<UInt8> = []
  ) {
    self.window = window
    self.indirect = indirect
    self.queues = queues
    self.countsWords = countsWords
  }

  /// Returns the register of byte `index` in a transfer that starts at `register`.
  public func place(of register: UInt8, _ index: Int = 0) -> FlatAddress {
    let offset = UInt8(truncatingIfNeeded: countsWords ? index / 2 : index)
    let address = queues.contains(register) ? register : register &+ offset
    if let indirect, address == indirect.data, inner.bank != 0 { return inner }
    return window?.place(of: address, in: bank) ?? FlatAddress(address)
  }

  /// Returns a number that identifies a transferred byte among all bytes of the chip's registers.
  public func index(of register: UInt8, _ index: Int = 0) -> Int {
    let place = Int(place(of: register, index).number)
    return countsWords ? place * 2 + index % 2 : place
  }

  /// The number of bytes in all registers, an upper limit of `index(of:_:)`.
  public var count: Int {
    let banks = indirect == nil ? window?.bank(selectedBy: 0xFF) ?? 0 : IndirectWindow.banks
    return (Int(banks) + 1) * (countsWords ? 512 : 256)
  }

  /// Updates the selected bank after a read of `bytes` from the register that selects it.
  public mutating func note(_ bytes: some Collection<UInt8>, readFrom register: UInt8) {
    guard let window, register == window.selector, let byte = bytes.first else { return }
    bank = window.bank(selectedBy: byte)
  }

  /// Updates the selected bank after a write of `bytes` that starts at `register`.
  public mutating func note(_ bytes: some Collection<UInt8>, writtenTo register: UInt8) {
    if let indirect {
      for (index, byte) in bytes.enumerated() {
        let place = register &+ UInt8(truncatingIfNeeded: index)
        if place == indirect.first { inner.bank = indirect.bank(of: byte) ?? 0 }
        if place == indirect.first &+ 1 { inner.register = byte }
      }
    }
    guard let window, !queues.contains(register) else { return }
    for (index, byte) in bytes.enumerated()
    where register &+ UInt8(truncatingIfNeeded: index) == window.selector {
      bank = window.bank(selectedBy: byte)
    }
  }
}
