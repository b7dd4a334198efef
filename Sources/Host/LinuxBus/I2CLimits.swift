// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The longest I2C transfers that the kernel accepts.
package enum I2CLimits {
  /// The largest number of bytes in a message for I2C_RDWR.
  package static var message: Int { OTOLITH_I2C_MESSAGE_MAX }
  /// The largest number of bytes after the register in an SMBus block.
  package static var block: Int { OTOLITH_SMBUS_BLOCK_MAX }
}
