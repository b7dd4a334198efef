// SPDX-License-Identifier: Apache-2.0
internal import Registers

extension CatalogEntry {
  /// The registers of all banks that can be read without side effects.
  public var quietRegisters: [RegisterRow] {
    registers().filter { $0.isReadable && $0.effect == .none }
  }

  /// The addresses of FIFO ports, at which a burst does not advance.
  public var queueRegisters: Set<UInt8> {
    Set(registers().filter { $0.effect == .popsQueue }.map(\.address))
  }

  /// Maps transferred bytes to registers, for a chip whose selected bank is unknown.
  public var places: RegisterPlaces {
    RegisterPlaces(
      registers().first?.window, countsWords: description.words != nil)
  }
}
