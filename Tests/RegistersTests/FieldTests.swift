// SPDX-License-Identifier: Apache-2.0
import Registers
import Testing

@Suite struct FieldTests {
  enum Speed: UInt8, FieldValue, CaseIterable {
    case slow = 1
    case fast = 2
  }

  @Test(
    arguments: [
      (0, 0, 0x01), (7, 7, 0x80), (0, 7, 0xFF), (3, 4, 0x18), (5, 6, 0x60), (0, 2, 0x07),
    ] as [(UInt8, UInt8, UInt8)])
  func `the mask covers the range`(lowest: UInt8, highest: UInt8, mask: UInt8) {
    #expect(Bits<UInt8>(lowest...highest).mask == mask)
  }

  @Test func `a value goes into its place and comes back`() {
    let field = Bits<UInt8>(3...5)
    #expect(field(5) == Change(mask: 0x38, bits: 0x28))
    for value: UInt8 in 0...7 { #expect(field.value(in: field(value).bits | 0xC7) == value) }
  }

  @Test func `a value too wide does not touch its neighbours`() {
    #expect(Bits<UInt8>(3...5)(0xFF) == Change(mask: 0x38, bits: 0x38))
  }

  @Test func `an undefined code is nil`() {
    let field = Bits<Speed>(0...1)
    #expect(field.value(in: 0b01) == .slow)
    #expect(field.value(in: 0b110) == .fast)
    #expect(field.value(in: 0b11) == nil)
    #expect(field.value(in: 0b00) == nil)
  }

  @Test func `changes combine and the second holds`() {
    let low = Bits<UInt8>(0...3)(0xA)
    let high = Bits<UInt8>(4...7)(0x5)
    #expect(low | high == Change(mask: 0xFF, bits: 0x5A))
    #expect(Bit(2)(true) | Bit(2)(false) == Change(mask: 0x04, bits: 0))
    #expect(Bits<UInt8>(0...3)(0xF) | Bit(1)(false) == Change(mask: 0x0F, bits: 0x0D))
    #expect(low | .nothing == low)
  }

  @Test func `a change leaves other bits`() {
    let change = Bits<UInt8>(2...3)(0b01)
    #expect(change.applied(to: 0xFF) == 0xF7)
    #expect(change.applied(to: 0x00) == 0x04)
    #expect(change.holds(in: 0xF7))
    #expect(!change.holds(in: 0xFF))
    #expect(Change.nothing.holds(in: 0x55))
  }

  @Test func `contents are read by field`() {
    struct Layout: Sendable {
      let speed = Bits<Speed>(4...5)
      let flag = Bit(7)
    }
    let contents = Contents(raw: 0xA0, Layout())
    #expect(contents { $0.speed } == .fast)
    #expect(contents { $0.flag } == true)
    #expect(Contents(raw: 0x30, Layout())({ $0.speed }) == nil)
  }
}
