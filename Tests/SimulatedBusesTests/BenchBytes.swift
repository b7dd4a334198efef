// SPDX-License-Identifier: Apache-2.0

/// Records typed byte by byte after the comments of otolith_bench.h: nothing here knows its structures.
enum BenchBytes {
  static func half(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  static func word(_ value: Int) -> [UInt8] {
    half(value) + half(value >> 16)
  }

  /// One message: address, flags, length and two bytes of nothing.
  static func message(_ address: Int, _ flags: Int, _ length: Int) -> [UInt8] {
    half(address) + half(flags) + half(length) + [0, 0]
  }

  /// An I2C transaction of `messages`, whose writing ones send `bytes`.
  static func i2c(id: Int = 1, unit: Int = 0, _ messages: [[UInt8]], _ bytes: [UInt8] = [])
    -> [UInt8]
  {
    let body = Array(messages.joined()) + bytes
    return word(16 + body.count) + [1, 0] + half(unit) + word(id) + word(messages.count) + body
  }

  /// A read of `count` registers from `register` on, as drivers do it.
  static func read(_ address: Int, _ register: UInt8, _ count: Int, id: Int = 1) -> [UInt8] {
    i2c(id: id, [message(address, 0, 1), message(address, 1, count)], [register])
  }

  static func write(_ address: Int, _ bytes: [UInt8], id: Int = 1) -> [UInt8] {
    i2c(id: id, [message(address, 0, bytes.count)], bytes)
  }

  /// A frame at a chip select; 1 MHz.
  static func spi(id: Int = 1, select: Int, mode: Int = 0, bits: Int = 8, _ bytes: [UInt8])
    -> [UInt8]
  {
    // In two parts: the compiler has a limit for what it makes of one.
    let header: [UInt8] = word(32 + bytes.count) + [2, 0] + half(select) + word(id) + word(0)
    let frame: [UInt8] = word(mode) + [0x40, 0x42, 0x0F, 0] + word(bits) + word(bytes.count)
    return header + frame + bytes
  }

  /// The answer to record `id`.
  static func answer(id: Int = 1, _ status: Int = 0, _ bytes: [UInt8] = []) -> [UInt8] {
    word(16 + bytes.count) + [3, 0, 0, 0] + word(id) + word(status) + bytes
  }
}
