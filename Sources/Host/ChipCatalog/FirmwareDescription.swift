// SPDX-License-Identifier: Apache-2.0

/// The firmware of a chip: a program by its manufacturer that the driver loads into the chip after
/// each reset. otolith does not contain it.
public struct FirmwareDescription: Equatable, Sendable {
  /// The name of the file in Linux's folders for firmware.
  public var file: String
  /// The size of the firmware in bytes.
  public var size: Int
  /// The publication from which users get the firmware.
  public var source: String
  /// The register to which the driver writes the firmware in bursts, and the registers that it
  /// writes before each burst. Writes to other registers are not part of loading.
  public var register: UInt8
  public var addressRegisters: ClosedRange<UInt8>

  public init(
    file: String, size: Int, source: String, register: UInt8, addressRegisters: ClosedRange<UInt8>
  ) {
    self.file = file
    self.size = size
    self.source = source
    self.register = register
    self.addressRegisters = addressRegisters
  }

  /// Zero bytes of the firmware's size, for simulated chips, which accept any bytes as their
  /// firmware.
  public var standIn: [UInt8] { [UInt8](repeating: 0, count: size) }
}
