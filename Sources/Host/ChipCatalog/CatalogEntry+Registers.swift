// SPDX-License-Identifier: Apache-2.0
internal import Registers

extension CatalogEntry {
  /// The registers of all banks that can be read without side effects.
  public var quietRegisters: [RegisterRow] {
    registers().filter { $0.isReadable && $0.effect == .none }
  }

  /// The addresses of FIFO data registers, at which a burst does not advance.
  public var queueRegisters: Set<UInt8> {
    Set(registers().filter { $0.effect == .popsQueue }.map(\.address))
  }

  /// The mapping of transferred bytes to registers. The mapping starts without knowledge of the
  /// selected bank.
  public var places: RegisterPlaces {
    RegisterPlaces(
      registers().first?.window, indirect: registers().first?.indirect,
      countsWords: description.words != nil, queues: queueRegisters)
  }
}
