// SPDX-License-Identifier: Apache-2.0
package import CLinux

/// The messages of one I2C_RDWR (kernel Documentation/i2c/dev-interface). The functions only lay
/// out memory and make no system call.
package enum I2CMessages {
  /// Returns the I2C message for START, address + W, `bytes`, STOP.
  package static func write(_ bytes: UnsafeBufferPointer<UInt8>, to address: UInt8)
    -> InlineArray<1, i2c_msg>
  {
    // The kernel does not write through the mutable pointer, because it only reads a message
    // without I2C_M_RD.
    let start = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
    // The message holds a pointer; the caller keeps the memory at that pointer alive.
    return unsafe [i2c_msg(addr: UInt16(address), flags: 0, len: UInt16(bytes.count), buf: start)]
  }

  /// Returns the messages for START, address + W, register, repeated START, address + R, `bytes`,
  /// STOP.
  package static func read(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, after register: UnsafeMutablePointer<UInt8>,
    from address: UInt8
  ) -> InlineArray<2, i2c_msg> {
    // The messages hold pointers; the caller keeps the memory at these pointers alive.
    return unsafe [
      i2c_msg(addr: UInt16(address), flags: 0, len: 1, buf: register),
      i2c_msg(
        addr: UInt16(address), flags: UInt16(I2C_M_RD), len: UInt16(bytes.count),
        buf: bytes.baseAddress),
    ]
  }

  /// Returns the I2C message for START, address + R, one byte, STOP.
  package static func probe(_ byte: UnsafeMutablePointer<UInt8>, at address: UInt8)
    -> InlineArray<1, i2c_msg>
  {
    // The message holds a pointer; the caller keeps the memory at that pointer alive.
    return unsafe [i2c_msg(addr: UInt16(address), flags: UInt16(I2C_M_RD), len: 1, buf: byte)]
  }
}
