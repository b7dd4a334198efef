// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

// Addresses are typed from BST-BMP581-DS004 revision 1.2, sections 4 and 7.
@Suite struct BMP581ModelTests {
  static func bench() -> ModelBench {
    let bench = ModelBench { BMP581Model($0) }
    // 0x607340 and 0x158000.
    bench.world.held.pressure = 98.765
    bench.world.held.temperature = 21.5
    bench.at(0)
    return bench
  }

  static let temperature: [UInt8] = [0x00, 0x80, 0x15]
  static let pressure: [UInt8] = [0x40, 0x73, 0x60]
  static let none: [UInt8] = [0x7F, 0x7F, 0x7F]

  @Test(
    arguments: [
      (0x01, 0x50), (0x02, 0x32), (0x14, 0x35), (0x15, 0x00), (0x16, 0x00), (0x17, 0x00),
      (0x18, 0x00), (0x1D, 0x7F), (0x22, 0x7F), (0x27, 0x10), (0x28, 0x02), (0x29, 0x7F),
      (0x31, 0x00), (0x36, 0x00), (0x37, 0x70),
    ] as [(UInt8, UInt8)])
  func `each register has its reset value`(register: UInt8, value: UInt8) {
    #expect(Self.bench().read(register) == [value])
  }

  @Test(
    arguments: [
      (0x01, 0x50), (0x15, 0x0F), (0x16, 0x3F), (0x18, 0x1F), (0x30, 0xFF), (0x31, 0x3F),
      (0x35, 0xC1), (0x36, 0x7F),
    ] as [(UInt8, UInt8)])
  func `each register takes only the bits that can be written`(register: UInt8, holds: UInt8) {
    let bench = Self.bench()
    bench.write(register, 0xFF)
    #expect(bench.read(register) == [holds])
  }

  /// One conversion of each quantity takes 1 ms; the chip sleeps afterwards. Without press_en the
  /// pressure has the code for "no data".
  @Test(arguments: [(0x40, 2.0, pressure), (0x00, 1.0, none)] as [(UInt8, Double, [UInt8])])
  func `a forced measurement is over in its time`(
    oversampling: UInt8, milliseconds: Double, pressure: [UInt8]
  ) {
    let bench = Self.bench()
    bench.write(0x15, 0x01)
    bench.write(0x36, oversampling)
    bench.write(0x37, 0xF2)
    #expect(bench.read(0x27) == [0x10])
    bench.at(milliseconds - 0.01)
    #expect(bench.read(0x27) == [0x00])
    bench.at(milliseconds + 0.01)
    #expect(bench.read(0x1D, 6) == Self.temperature + pressure)
    // A read clears the flag.
    #expect(bench.read(0x27) == [0x01] && bench.read(0x27) == [0x00])
    #expect(bench.read(0x37) == [0xF0])
    bench.at(1000)
    #expect(bench.model.samplesTaken == 1)
  }

  /// From 160 Hz on the chip averages 1 conversion where the period is too short, below 2 of each
  /// (section 4.3.4): OSR_EFF has odr_is_valid in bit 7, osr_p_eff in bits 5:3, osr_t_eff in bits
  /// 2:0.
  @Test(
    arguments: [
      // 240 Hz: 4 conversions of pressure take 3.9 ms, 8 take 6.4.
      (0x50, 0x81, 0x90), (0x58, 0x81, 0x00),
      // 50.056 Hz: 32 conversions of pressure and 2 of temperature take 21.5 ms.
      (0x60, 0xBD, 0xA0), (0x69, 0xBD, 0x09),
    ] as [(UInt8, UInt8, UInt8)])
  func `a rate that leaves no time averages less`(
    oversampling: UInt8, rate: UInt8, effective: UInt8
  ) {
    let bench = Self.bench()
    bench.write(0x36, oversampling, rate)
    #expect(bench.read(0x38) == [effective])
    bench.at(1000)
    #expect(abs(Int(bench.model.samplesTaken) - (rate == 0x81 ? 240 : 50)) <= 1)
    // Drivers that read the register in standby find the same.
    let standby = Self.bench()
    standby.write(0x36, oversampling, rate & 0xFC)
    #expect(standby.read(0x38) == [effective] && standby.model.samplesTaken == 0)
  }

  /// 8 conversions of pressure and 1 of temperature take 6.4 ms: 156 a second.
  @Test func `continuous mode measures without pauses`() {
    let bench = Self.bench()
    bench.write(0x36, 0x58, 0xF3)
    bench.at(1000)
    #expect(bench.model.samplesTaken == 156)
  }

  /// y += (x - y) / 2 from 0, in the outputs alone (0x2B): 0x607340 / 2 and 0x158000 / 2. A forced
  /// measurement with iir_flush_forced_en (0x2F) sets the filter.
  @Test func `the filter starts at 0 unless it is flushed, and is set in standby`() {
    let bench = Self.bench()
    bench.write(0x30, 0x2B, 0x09)
    bench.write(0x36, 0x40, 0xF1)
    // Not in normal mode.
    bench.write(0x30, 0x00, 0x00)
    #expect(bench.read(0x30, 2) == [0x2B, 0x09])
    bench.at(1001)
    #expect(bench.read(0x1D, 6) == [0x00, 0xC0, 0x0A, 0xA0, 0x39, 0x30])
    bench.write(0x37, 0xF0)
    bench.write(0x30, 0x2F)
    bench.write(0x37, 0xF2)
    bench.at(1010)
    #expect(bench.read(0x1D, 6) == Self.temperature + Self.pressure)
  }

  /// FIFO_SEL has the quantities in bits 1:0; a frame has the temperature first. An empty queue
  /// gives 0x7F, and the next read repeats a frame that was read in part.
  @Test(
    arguments: [
      (0x03, temperature + pressure, none + none), (0x01, temperature, none),
      (0x02, pressure, none),
    ] as [(UInt8, [UInt8], [UInt8])])
  func `the queue holds what its registers select`(
    selection: UInt8, frame: [UInt8], empty: [UInt8]
  ) {
    let bench = Self.bench()
    bench.write(0x36, 0x40)
    bench.write(0x18, selection)
    bench.write(0x37, 0xDD)
    bench.at(201)
    #expect(bench.read(0x17) == [2])
    #expect(bench.read(0x29, 2) == [frame[0], frame[1]])
    #expect(bench.read(0x17) == [2])
    #expect(bench.read(0x29, 2 * frame.count + empty.count) == frame + frame + empty)
    #expect(bench.read(0x17) == [0])
    // In streaming mode the queue keeps the newest 32 frames, or 16 of both quantities.
    bench.at(5000)
    #expect(bench.read(0x17) == [selection == 0x03 ? 16 : 32])
    // A change of the power mode empties it.
    bench.write(0x37, 0xDC)
    #expect(bench.read(0x17) == [0])
  }

  /// At 10 Hz one of four samples (0x0B) is kept; the third frame reaches the watermark, and only
  /// it gives a pulse. INT_STATUS has fifo_ths in bit 2.
  @Test func `the watermark pulses the pin when it is reached`() {
    let bench = Self.bench()
    bench.write(0x14, 0x3A, 0x04, 0x03)
    bench.write(0x18, 0x0B)
    bench.write(0x36, 0x40, 0xDD)
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 1_200_000_000))
    bench.at(1199)
    #expect(bench.edges() == 0 && bench.read(0x17) == [2] && bench.read(0x27) == [0x10])
    bench.at(1201)
    #expect(bench.edges() == 1 && bench.read(0x27) == [0x04])
    bench.at(3000)
    #expect(bench.edges() == 0 && bench.read(0x17) == [7])
  }

  /// Bosch's API reads once over SPI before it trusts the chip, after power-up and after a reset.
  @Test func `over SPI the first read only selects the interface`() {
    let bench = Self.bench()
    func identity() -> UInt8 {
      var bytes: [UInt8] = [0xEE]
      var span = bytes.mutableSpan
      bench.port.frame(&span, after: 0x81, dummyBytes: 0)
      return bytes[0]
    }
    #expect(identity() != 0x50 && identity() == 0x50)
    bench.port.frame([0x7E, 0xB6].span)
    bench.at(2.1)
    #expect(identity() != 0x50 && identity() == 0x50)
  }
}
