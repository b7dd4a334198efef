// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

// Addresses are typed from DocID023722 revision 6, section 7, and DocID027083 revision 6, section
// 8.
@Suite struct LPS2xModelTests {
  static func bench(_ part: LPS2xPart) -> ModelBench {
    let format =
      part == .lps25h ? WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40) : WireFormat()
    let bench = ModelBench(format) { LPS2xModel($0, part: part) }
    bench.world.held.pressure = 100
    bench.at(0)
    return bench
  }

  @Test(
    arguments: [
      (.lps25h, 0x0F, 0xBD), (.lps25h, 0x10, 0x05), (.lps25h, 0x20, 0x00), (.lps25h, 0x21, 0x00),
      (.lps25h, 0x23, 0x00), (.lps25h, 0x27, 0x00), (.lps25h, 0x2F, 0x20), (.lps22hb, 0x0F, 0xB1),
      (.lps22hb, 0x10, 0x00), (.lps22hb, 0x11, 0x10), (.lps22hb, 0x12, 0x00),
      (.lps22hb, 0x1A, 0x00), (.lps22hb, 0x27, 0x00),
    ] as [(LPS2xPart, UInt8, UInt8)])
  func `each register has its reset value`(part: LPS2xPart, register: UInt8, value: UInt8) {
    #expect(Self.bench(part).read(register) == [value])
  }

  @Test(
    arguments: [
      (.lps25h, 0x10, 0x0F), (.lps25h, 0x20, 0xFF), (.lps25h, 0x22, 0xC3), (.lps22hb, 0x10, 0x7F),
      (.lps22hb, 0x1A, 0x01), (.lps22hb, 0x12, 0xFF), (.lps22hb, 0x28, 0x00),
    ] as [(LPS2xPart, UInt8, UInt8)])
  func `each register takes only the bits that can be written`(
    part: LPS2xPart, register: UInt8, holds: UInt8
  ) {
    let bench = Self.bench(part)
    bench.write(register, 0xFF)
    #expect(bench.read(register) == [holds])
  }

  /// 1000 hPa are 4096000 counts, 0x3E8000; 25 degrees are 0xDF30 and 0x09C4.
  static let samples: [LPS2xPart: [UInt8]] = [
    .lps25h: [0x00, 0x80, 0x3E, 0x30, 0xDF], .lps22hb: [0x00, 0x80, 0x3E, 0xC4, 0x09],
  ]

  /// Starts sampling at 25 Hz with data-ready.
  static func start(_ bench: ModelBench, _ part: LPS2xPart) {
    if part == .lps25h {
      bench.write(0x23, 0x01)
      bench.write(0x20, 0xC0)
    } else {
      bench.write(0x12, 0x04)
      bench.write(0x10, 0x30)
    }
  }

  @Test(arguments: LPS2xPart.allCases)
  func `flags and pin stay until the outputs are read`(part: LPS2xPart) throws {
    let bench = Self.bench(part)
    #expect(bench.model.nextEdge == nil)
    Self.start(bench, part)
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 40_000_000))
    bench.at(41)
    #expect(bench.edges() == 1 && bench.model.nextEdge == nil)
    let burst: UInt8 = part == .lps25h ? 0xA7 : 0x27
    #expect(bench.read(burst, 6) == [0x03] + (try #require(Self.samples[part])))
    #expect(bench.read(0x27) == [0x00])
    // After two more samples the first of them is lost.
    bench.at(121)
    #expect(bench.edges() == 1)
    #expect(bench.read(0x27) == [0x33])
    // The flags of the pressure are bits 1 and 5 of the LPS25H, and bits 0 and 4 of the LPS22HB.
    _ = bench.read(0x2A)
    #expect(bench.read(0x27) == [part == .lps25h ? 0x11 : 0x22])
    _ = bench.read(0x2C)
    #expect(bench.read(0x27) == [0x00])
    #expect(bench.model.samplesTaken == 3)
  }

  @Test func `the LPS22HB's addresses advance only when its bit is set`() {
    let bench = Self.bench(.lps22hb)
    #expect(bench.read(0x0F, 3) == [0xB1, 0x00, 0x10])
    // Adafruit's driver sets bit 7 of the address, as for an LPS25H.
    #expect(bench.read(0x8F, 3) == [0xB1, 0x00, 0x10])
    bench.write(0x11, 0x00)
    #expect(bench.read(0x0F, 3) == [0xB1, 0xB1, 0xB1])
  }

  @Test(
    arguments: [(.lps25h, 0x20, 0x80, 0x21, 0x01), (.lps22hb, 0x10, 0x00, 0x11, 0x11)]
      as [(LPS2xPart, UInt8, UInt8, UInt8, UInt8)])
  func `one conversion is taken when asked for`(
    part: LPS2xPart, mode: UInt8, active: UInt8, control: UInt8, value: UInt8
  ) {
    let bench = Self.bench(part)
    bench.write(mode, active)
    bench.at(1000)
    #expect(bench.read(0x27) == [0x00])
    bench.write(control, value)
    // AN4450, section 6.2: 62 us for each of 32 and 16 averages and 975 us, 3.95 ms, as in NuttX's
    // driver; the LPS22HB's is shorter than the period of its fastest rate, 13.3 ms.
    bench.at(part == .lps25h ? 1003 : 1013)
    #expect(bench.read(0x27) == [0x00] && bench.read(control) == [value])
    bench.at(part == .lps25h ? 1004 : 1014)
    #expect(bench.read(0x27) == [0x03] && bench.read(control) == [value & 0xFE])
    bench.at(3000)
    #expect(bench.model.samplesTaken == 1)
  }

  /// DocID023722, section 5.1.1: several bytes need bit 7 of the sub-address
  /// (STMems_Standard_C_drivers issue 127: "six copies of OUT_X_L").
  @Test func `the LPS25H advances only with bit 7`() {
    let bench = Self.bench(.lps25h)
    #expect(bench.read(0x0F, 3) == [0xBD, 0xBD, 0xBD])
    #expect(bench.read(0x8F, 2) == [0xBD, 0x05])
  }

  /// BDU, bit 2 of the LPS25H's CTRL_REG1 and bit 1 of the LPS22HB's.
  @Test(
    arguments: [
      (.lps25h, 0x20, 0xC0, false), (.lps25h, 0x20, 0xC4, true), (.lps22hb, 0x10, 0x30, false),
      (.lps22hb, 0x10, 0x32, true),
    ] as [(LPS2xPart, UInt8, UInt8, Bool)])
  func `block update holds a pressure until its last byte is read`(
    part: LPS2xPart, control: UInt8, value: UInt8, isHeld: Bool
  ) {
    let bench = Self.bench(part)
    bench.write(control, value)
    bench.at(41)
    #expect(bench.read(0x28) == [0x00])
    // 1010 hPa are 0x3F2000.
    bench.world.held.pressure = 101
    bench.at(81)
    let rest: UInt8 = part == .lps25h ? 0xA9 : 0x29
    #expect(bench.read(rest, 2) == (isHeld ? [0x80, 0x3E] : [0x20, 0x3F]))
    #expect(bench.read(rest - 1, 3) == [0x00, 0x20, 0x3F])
  }

  /// FIFO_EN is bit 6 of CTRL_REG2, 2 is the stream mode; the level is in the low bits of FIFO_STATUS.
  @Test(
    arguments: [
      (.lps25h, 0x21, 0x40, 0x2E, 0x2F, 0x20, 0xC0), (.lps22hb, 0x11, 0x50, 0x14, 0x26, 0x10, 0x30),
    ] as [(LPS2xPart, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)])
  func `the queue keeps samples until they are read`(
    part: LPS2xPart, enable: UInt8, enabled: UInt8, mode: UInt8, status: UInt8, rate: UInt8,
    running: UInt8
  ) throws {
    let bench = Self.bench(part)
    bench.write(enable, enabled)
    // A watermark of 2.
    bench.write(mode, 0x42)
    bench.write(rate, running)
    bench.at(41)
    #expect(bench.read(status) == [0x01])
    bench.world.held.pressure = 101
    bench.at(81)
    #expect(bench.read(status) == [0x82])
    let sample = try #require(Self.samples[part])
    let burst: UInt8 = part == .lps25h ? 0xA8 : 0x28
    // After the last byte the address returns to the first.
    #expect(bench.read(burst, 10) == sample + [0x00, 0x20, 0x3F] + sample[3...])
    #expect(bench.read(status) == [part == .lps25h ? 0x20 : 0x00])
    bench.at(2000)
    #expect(bench.read(status) == [part == .lps25h ? 0xDF : 0xE0])
  }

  @Test(arguments: [(.lps25h, 0x21, 0x20), (.lps22hb, 0x11, 0x10)] as [(LPS2xPart, UInt8, UInt8)])
  func `a soft reset restores the registers`(part: LPS2xPart, control: UInt8, mode: UInt8) {
    let bench = Self.bench(part)
    Self.start(bench, part)
    bench.write(control, 0x04)
    #expect(bench.read(control)[0] & 0x04 == 0x04)
    bench.at(10)
    #expect(bench.read(control) == [part == .lps25h ? 0x00 : 0x10])
    #expect(bench.read(mode) == [0x00])
    bench.at(1000)
    #expect(bench.model.samplesTaken == 0)
  }

  /// RPDS counts in 1/16 hPa: 16 steps subtract one hPa, 4096 counts.
  @Test(arguments: [(.lps25h, 0x39), (.lps22hb, 0x18)] as [(LPS2xPart, UInt8)])
  func `the offset is subtracted`(part: LPS2xPart, register: UInt8) {
    let bench = Self.bench(part)
    bench.write(register, 0x10)
    Self.start(bench, part)
    bench.at(41)
    #expect(bench.read(part == .lps25h ? 0xA8 : 0x28, 3) == [0x00, 0x70, 0x3E])
  }

  @Test func `the filter follows a step slowly and starts again on LPFP_RES`() {
    let bench = Self.bench(.lps22hb)
    // The filter is ODR/20 at 25 Hz.
    bench.write(0x10, 0x3C)
    bench.at(41)
    #expect(bench.read(0x28, 3) == [0x00, 0x80, 0x3E])
    bench.world.held.pressure = 101
    bench.at(81)
    let next = bench.read(0x28, 3)
    let counts = Int(next[2]) << 16 | Int(next[1]) << 8 | Int(next[0])
    #expect(counts > 4_096_000 && counts < 4_096_000 + 20_480)
    _ = bench.read(0x33)
    bench.at(121)
    #expect(bench.read(0x28, 3) == [0x00, 0x20, 0x3F])
  }
}
