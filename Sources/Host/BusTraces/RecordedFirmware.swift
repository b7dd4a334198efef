// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog

/// The firmware of a chip as a trace contains it: the writes with which a driver loaded it.
enum RecordedFirmware {
  /// Returns the firmware that `writes` loaded completely. If the recording ended earlier, the rest
  /// of the firmware is zeros.
  static func bytes(
    loadedBy writes: [(register: UInt8, bytes: [UInt8])], _ firmware: FirmwareDescription
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for write in writes where bytes.count < firmware.size {
      if write.register == firmware.register {
        bytes += write.bytes
      } else if !firmware.addressRegisters.contains(write.register) {
        // A write to another register ends an attempt; the next attempt starts at the beginning.
        bytes = []
      }
    }
    return Array((bytes + firmware.standIn).prefix(firmware.size))
  }
}
