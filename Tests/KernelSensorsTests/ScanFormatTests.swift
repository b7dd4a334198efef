// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KernelSensors

struct ScanFormatTests {
  /// Formats of drivers in Linux 6.12: bmi160, mpu6050, kxcjk-1013 (12 of 16 bits), adxl367, mma8452,
  /// bmp280, a quaternion of hid-sensor-rotation.
  @Test(
    arguments: [
      ("le:s16/16>>0", [0x18, 0xFC], -1000),
      ("be:s16/16>>0", [0xFC, 0x18], -1000),
      ("le:s12/16>>4", [0x80, 0xC1], -1000),
      ("be:s14/16>>2", [0xF0, 0x60], -1000),
      ("be:s12/16>>4", [0x3E, 0x8F], 1000),
      ("be:u24/32>>0", [0xAA, 0x07, 0xA1, 0x20], 500_000),
      ("le:u24/32>>8", [0xFF, 0x20, 0xA1, 0x07], 500_000),
      ("le:s32/32>>0", [0x18, 0xFC, 0xFF, 0xFF], -1000),
      ("le:u8/8>>0", [0xFF], 255),
      ("le:s8/8>>0", [0xFF], -1),
      ("be:s24/24>>0", [0xFF, 0xFC, 0x18], -1000),
      ("le:s64/64>>0", [0x15, 0xCD, 0x5B, 0x07, 0, 0, 0, 0], 123_456_789),
    ] as [(String, [UInt8], Int64)])
  func `a value is read as the kernel says`(_ text: String, _ bytes: [UInt8], _ value: Int64) throws
  {
    let format = try #require(ScanFormat(text))
    #expect(format.size == bytes.count)
    // Not at the beginning, so that the place counts.
    #expect(format.value(([0x55, 0x55] + bytes).span, at: 2) == value)
  }

  @Test func `a value that is not wholly there is zero`() throws {
    let format = try #require(ScanFormat("le:s32/32>>0"))
    for start in [-1, 1, 2, 4, Int.max] {
      #expect(format.value([1, 2, 3, 4].span, at: start) == 0)
    }
  }

  @Test(arguments: [
    "", "le", "le:", "xe:s16/16>>0", "le:x16/16>>0", "le:s16/16", "le:s16>>0", "le:s17/16>>0",
    "le:s16/12>>0", "le:s16/16>>1", "le:s0/16>>0", "le:s-1/16>>0", "le:s16/16X0>>0",
    "le:s16/16X4X4>>0", "le:s16/16>>-1", "le:s16/16>0", "le:s16/16>>", "le:s16/16>>0:",
    "le:s99999999999999999999/16>>0", "le:\u{0}16/16>>0",
  ])
  func `another text is no format`(_ text: String) { #expect(ScanFormat(text) == nil) }

  @Test func `a quaternion has four values of one format`() throws {
    let format = try #require(ScanFormat("le:s32/32X4>>0"))
    #expect(format.count == 4 && format.size == 4)
  }

  /// The kernel's documentation of buffers gives this example: two channels of 16 bits, then the
  /// time stamp at byte 8.
  @Test func `each value is aligned to its size and a scan to its largest`() throws {
    func element(_ name: String, _ index: Int, _ type: String) throws -> ScanElement {
      ScanElement(name: name, index: index, format: try #require(ScanFormat(type)))
    }
    let layout = ScanLayout([
      try element("in_timestamp", 3, "le:s64/64>>0"), try element("in_accel_x", 0, "le:s16/16>>0"),
      try element("in_accel_y", 1, "le:s16/16>>0"),
    ])
    #expect(layout.offsets == ["in_accel_x": 0, "in_accel_y": 2, "in_timestamp": 8])
    #expect(layout.size == 16)
    let three = ScanLayout([
      try element("a", 0, "be:s16/16>>0"), try element("b", 1, "be:u24/32>>0"),
      try element("c", 2, "le:u8/8>>0"),
    ])
    #expect(three.offsets == ["a": 0, "b": 4, "c": 8] && three.size == 12)
    #expect(ScanLayout([]).size == 0)
  }
}
