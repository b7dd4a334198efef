// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The places of bytes on a chip's wire among its registers: follows the bank that it shows by what
/// is written to its selector.
public struct RegisterPlaces: Equatable, Sendable {
  /// The registers of which one bank is seen at a time; `nil`: there is but one.
  public let window: RegisterWindow?
  /// Each address is of two bytes.
  public let countsWords: Bool
  /// The bank that is seen.
  public private(set) var bank: UInt8 = 0

  public init(_ window: RegisterWindow? = nil, countsWords: Bool = false) {
    self.window = window
    self.countsWords = countsWords
  }

  /// The register that byte `index` of a transfer from `register` on is of.
  public func place(of register: UInt8, _ index: Int = 0) -> FlatAddress {
    let address = register &+ UInt8(truncatingIfNeeded: countsWords ? index / 2 : index)
    return window?.place(of: address, in: bank) ?? FlatAddress(address)
  }

  /// A number of that byte's own among all bytes of the chip's registers.
  public func index(of register: UInt8, _ index: Int = 0) -> Int {
    let place = Int(place(of: register, index).number)
    return countsWords ? place * 2 + index % 2 : place
  }

  /// The number of bytes that the chip's registers could have.
  public var count: Int {
    (window.map { Int($0.bank(selectedBy: 0xFF)) + 1 } ?? 1) * (countsWords ? 512 : 256)
  }

  /// Takes note of what was written to `register` and those behind it.
  public mutating func note(_ bytes: some Collection<UInt8>, writtenTo register: UInt8) {
    guard let window else { return }
    for (index, byte) in bytes.enumerated()
    where register &+ UInt8(truncatingIfNeeded: index) == window.selector {
      bank = window.bank(selectedBy: byte)
    }
  }
}
