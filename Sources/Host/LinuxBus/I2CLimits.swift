// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The longest transfers that the kernel accepts.
package enum I2CLimits {
  /// Bytes of one message of I2C_RDWR.
  package static var message: Int { OTOLITH_I2C_MESSAGE_MAX }
  /// Bytes after the register in one SMBus block.
  package static var block: Int { OTOLITH_SMBUS_BLOCK_MAX }
}
