// SPDX-License-Identifier: Apache-2.0
internal import Startup

/// The board's first serial port (Arm's APB UART).
public enum SerialPort {
  private static var port: UInt { 0x4000_4000 }

  public static func start() {
    register_write(port + 16, 217)  // 25 MHz / 115200
    register_write(port + 8, 1)  // transmitter on
  }

  public static func write(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { write(text.utf8Start[index]) }
  }

  public static func write(_ byte: UInt8) {
    // Bit 0 of the state: the buffer is full.
    while register_read(port + 4) & 1 != 0 {}
    register_write(port, UInt32(byte))
  }

  /// `value` with this many decimals, in a field of at least `width`. No `String`: that would want
  /// an allocator.
  public static func write(_ value: Double, decimals: Int = 0, width: Int = 0) {
    var scaled = value < 0 ? -value : value
    for _ in 0..<decimals { scaled *= 10 }
    guard scaled < 1e15 else { return write("?") }
    var rest = UInt64(scaled + 0.5)
    let isNegative = value < 0 && rest > 0
    var digits = InlineArray<20, UInt8>(repeating: 0x30)
    var count = 0
    repeat {
      digits[count] = 0x30 + UInt8(rest % 10)
      rest /= 10
      count += 1
    } while rest > 0 || count <= decimals
    let length = count + (decimals > 0 ? 1 : 0) + (isNegative ? 1 : 0)
    if width > length { for _ in length..<width { write(0x20) } }
    if isNegative { write(0x2D) }
    for index in (0..<count).reversed() {
      write(digits[index])
      if index == decimals, decimals > 0 { write(0x2E) }
    }
  }

  /// As two hexadecimal digits.
  public static func write(hexadecimal byte: UInt8) {
    write(digit(byte >> 4))
    write(digit(byte & 15))
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
