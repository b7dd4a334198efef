// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog

/// The firmware of a chip, recovered from the writes in a trace with which a driver loaded it.
enum RecordedFirmware {
  /// Returns the firmware that `writes` loaded. If the recording ended before the firmware was
  /// complete, the rest is zeros.
  static func bytes(
    loadedBy writes: [(register: UInt8, bytes: [UInt8])], _ firmware: FirmwareDescription
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for write in writes where bytes.count < firmware.size {
      if write.register == firmware.register {
        bytes += write.bytes
      } else if !firmware.addressRegisters.contains(write.register) {
        // A write to another register ends an attempt to load the firmware. The next attempt starts
        // at the beginning.
        bytes = []
      }
    }
    return Array((bytes + firmware.standIn).prefix(firmware.size))
  }
}
