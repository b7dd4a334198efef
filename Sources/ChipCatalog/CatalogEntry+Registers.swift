// SPDX-License-Identifier: Apache-2.0
internal import RegisterTools
internal import Registers

extension CatalogEntry {
  /// The addresses of the registers that can be read without changing anything.
  public var quietRegisters: [UInt8] {
    registers().filter { $0.isReadable && $0.effect == .none }.map(\.address)
  }

  /// The addresses behind which a queue is: a burst does not go on to the next register.
  public var queueRegisters: Set<UInt8> {
    Set(registers().filter { $0.effect == .popsQueue }.map(\.address))
  }
}
