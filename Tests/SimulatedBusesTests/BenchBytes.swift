// SPDX-License-Identifier: Apache-2.0

/// Records written byte by byte from the comments of otolith_bench.h, without its structures.
enum BenchBytes {
  static func half(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  static func word(_ value: Int) -> [UInt8] {
    half(value) + half(value >> 16)
  }

  /// Returns one message of a transaction: address, flags, length and two bytes of zero.
  static func message(_ address: Int, _ flags: Int, _ length: Int) -> [UInt8] {
    half(address) + half(flags) + half(length) + [0, 0]
  }

  /// Returns a record of an I2C transaction of `messages`, of which the writing ones send `bytes`.
  static func i2c(id: Int = 1, unit: Int = 0, _ messages: [[UInt8]], _ bytes: [UInt8] = [])
    -> [UInt8]
  {
    let body = Array(messages.joined()) + bytes
    return word(16 + body.count) + [1, 0] + half(unit) + word(id) + word(messages.count) + body
  }

  /// Returns a record that reads `count` registers from `register` on, as drivers do.
  static func read(_ address: Int, _ register: UInt8, _ count: Int, id: Int = 1) -> [UInt8] {
    i2c(id: id, [message(address, 0, 1), message(address, 1, count)], [register])
  }

  static func write(_ address: Int, _ bytes: [UInt8], id: Int = 1) -> [UInt8] {
    i2c(id: id, [message(address, 0, bytes.count)], bytes)
  }

  /// Returns a record of an SPI frame at a chip select, with 1 MHz.
  static func spi(id: Int = 1, select: Int, mode: Int = 0, bits: Int = 8, _ bytes: [UInt8])
    -> [UInt8]
  {
    // The record is made in two parts, as the compiler takes too long for one expression.
    let header: [UInt8] = word(32 + bytes.count) + [2, 0] + half(select) + word(id) + word(0)
    let frame: [UInt8] = word(mode) + [0x40, 0x42, 0x0F, 0] + word(bits) + word(bytes.count)
    return header + frame + bytes
  }

  /// Returns the answer to record `id`.
  static func answer(id: Int = 1, _ status: Int = 0, _ bytes: [UInt8] = []) -> [UInt8] {
    word(16 + bytes.count) + [3, 0, 0, 0] + word(id) + word(status) + bytes
  }
}
