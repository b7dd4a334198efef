// SPDX-License-Identifier: Apache-2.0
package import LinuxSystem
package import CLinux

/// The system calls on an open I2C adapter; tests provide a fake kernel. Functions take this type
/// as a generic parameter, not an existential, so that the calls in a release build are direct and
/// allocate nothing. Results are 0 or more, or the negative errno.
package protocol I2CKernel: ~Copyable, Sendable {
  /// True if the adapter's device node still exists.
  var isPresent: Bool { get }
  /// Performs an I2C transaction of combined messages by I2C_RDWR.
  func transfer(_ messages: UnsafeMutableBufferPointer<i2c_msg>) -> Int32
  /// Selects a device address for SMBus calls by I2C_SLAVE.
  func select(_ address: UInt8) -> Int32
  func writeQuick() -> Int32
  func readByte() -> Int32
  func writeByte(_ value: UInt8) -> Int32
  func readByteData(_ command: UInt8) -> Int32
  func writeByteData(_ command: UInt8, _ value: UInt8) -> Int32
  func readWordData(_ command: UInt8) -> Int32
  func writeWordData(_ command: UInt8, _ word: UInt16) -> Int32
  func readBlock(_ command: UInt8, _ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int32
  func writeBlock(_ command: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32
}

/// The system calls of the real kernel. Each `unsafe` passes on pointers that the callers keep
/// valid for the call.
package struct SystemI2CKernel: I2CKernel, ~Copyable {
  private let descriptor: OwnedDescriptor

  package init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  package var isPresent: Bool {
    var node = otolith_node()
    // The node of an unplugged adapter is unlinked although the descriptor stays open. fstat(2)
    // does not keep the pointer.
    return unsafe otolith_node_of(descriptor.rawValue, &node) == 0 && node.links > 0
  }

  package func transfer(_ messages: UnsafeMutableBufferPointer<i2c_msg>) -> Int32 {
    unsafe otolith_i2c_transfer(
      descriptor.rawValue, messages.baseAddress, UInt32(messages.count))  // valid for the call
  }

  package func select(_ address: UInt8) -> Int32 {
    otolith_i2c_select(descriptor.rawValue, address)
  }

  package func writeQuick() -> Int32 { otolith_smbus_write_quick(descriptor.rawValue) }

  package func readByte() -> Int32 { otolith_smbus_read_byte(descriptor.rawValue) }

  package func writeByte(_ value: UInt8) -> Int32 {
    otolith_smbus_write_byte(descriptor.rawValue, value)
  }

  package func readByteData(_ command: UInt8) -> Int32 {
    otolith_smbus_read_byte_data(descriptor.rawValue, command)
  }

  package func writeByteData(_ command: UInt8, _ value: UInt8) -> Int32 {
    otolith_smbus_write_byte_data(descriptor.rawValue, command, value)
  }

  package func readWordData(_ command: UInt8) -> Int32 {
    otolith_smbus_read_word_data(descriptor.rawValue, command)
  }

  package func writeWordData(_ command: UInt8, _ word: UInt16) -> Int32 {
    otolith_smbus_write_word_data(descriptor.rawValue, command, word)
  }

  package func readBlock(_ command: UInt8, _ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int32 {
    unsafe otolith_smbus_read_block(
      descriptor.rawValue, command, bytes.baseAddress, UInt8(bytes.count))  // valid for the call
  }

  package func writeBlock(_ command: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    unsafe otolith_smbus_write_block(
      descriptor.rawValue, command, bytes.baseAddress, UInt8(bytes.count))  // valid for the call
  }
}
