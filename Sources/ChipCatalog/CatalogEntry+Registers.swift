// SPDX-License-Identifier: Apache-2.0
internal import Registers

extension CatalogEntry {
  /// The registers that can be read without changing anything, of all banks.
  public var quietRegisters: [RegisterRow] {
    registers().filter { $0.isReadable && $0.effect == .none }
  }

  /// The addresses behind which a queue is: a burst does not go on to the next register.
  public var queueRegisters: Set<UInt8> {
    Set(registers().filter { $0.effect == .popsQueue }.map(\.address))
  }

  /// The places of bytes on the wire among the registers, of a chip whose selected bank is not
  /// known.
  public var places: RegisterPlaces {
    RegisterPlaces(
      registers().first?.window, countsWords: description.words != nil)
  }
}
