// SPDX-License-Identifier: Apache-2.0
import ChipModels
import Quantities
import Registers
import Sensors
import Testing

/// The model as anybody's driver would see it: addresses and values typed by hand from the data sheet.
@Suite struct LIS3MDLModelTests {
  private let feeling = Feeling()
  private let chip: LIS3MDLModel

  init() {
    chip = LIS3MDLModel(feeling)
    feeling.reading.magneticField = Vector3(20, -100, 45)
  }

  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: milliseconds * 1_000_000)
  }

  private func word(_ address: UInt8) -> Int16 {
    let low = UInt16(chip.read(address))
    return Int16(bitPattern: UInt16(chip.read(address + 1)) << 8 | low)
  }

  @Test("Powered down after power-up")
  func reset() {
    chip.advance(to: time(1000))
    #expect(chip.read(0x0F) == 0x3D)
    #expect(chip.read(0x20) == 0x10)
    #expect(chip.read(0x22) == 0x03)
    #expect(chip.read(0x27) == 0)
    #expect(word(0x28) == 0)
  }

  @Test("Continuous: 6842 counts a gauss, ready until read, overrun if not")
  func continuous() {
    chip.advance(to: time(0))
    chip.write(0x7C, to: 0x20)
    chip.write(0x00, to: 0x22)
    chip.advance(to: time(13))
    #expect(chip.read(0x27) == 0x0F)
    #expect([word(0x28), word(0x2A), word(0x2C)] == [1368, -6842, 3079])
    #expect(chip.read(0x27) == 0)
    #expect(chip.takeEdges().count == 1)
    chip.advance(to: time(38))
    #expect(chip.read(0x27) == 0xFF)
    // The pin has been high since the first of the two: one edge.
    #expect(chip.takeEdges().count == 1)
  }

  @Test("16 gauss, high byte first on demand")
  func range() {
    chip.advance(to: time(0))
    chip.write(0x60, to: 0x21)
    chip.write(0x02, to: 0x23)
    chip.write(0x00, to: 0x22)
    chip.advance(to: time(200))
    #expect(chip.read(0x28) == UInt8(342 >> 8))
    #expect(chip.read(0x29) == UInt8(342 & 0xFF))
  }

  @Test(
    "Output data rates",
    arguments: [
      (UInt8(0x60), 0.625), (0x70, 10), (0x7C, 80), (0x62, 155), (0x42, 300), (0x22, 560),
      (0x02, 1000),
    ])
  func rates(control: UInt8, hertz: Double) {
    chip.advance(to: time(0))
    chip.write(control, to: 0x20)
    chip.write(0x00, to: 0x22)
    var count = 0
    for ms in Int64(1)...8000 {
      chip.advance(to: time(ms))
      count += chip.takeEdges().count
      for address in UInt8(0x28)...0x2D { _ = chip.read(address) }
    }
    #expect(abs(Double(count) - 8 * hertz) <= 1)
  }

  @Test("A single conversion, then power-down")
  func single() {
    chip.advance(to: time(0))
    chip.write(0x01, to: 0x22)
    chip.advance(to: time(1000))
    #expect(chip.read(0x22) & 0x03 >= 2)
    #expect(chip.takeEdges().count == 1)
  }

  @Test("A burst advances with the increment bit, and without, as silicon does")
  func bursts() {
    chip.advance(to: time(0))
    chip.write(0x00, to: 0x22)
    chip.advance(to: time(200))
    let port = ModelPort(chip, format: WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40))
    for pointer in [UInt8(0x28), 0xA8] {
      let sent: InlineArray<1, UInt8> = [pointer]
      port.write(sent.span)
      var bytes: InlineArray<6, UInt8> = [0, 0, 0, 0, 0, 0]
      var span = bytes.mutableSpan
      port.read(&span)
      #expect(bytes[0] == 0x58 && bytes[1] == 0x05 && bytes[3] == 0xE5)
    }
    // SPI: bit 6 asks for several bytes; without it the first repeats.
    var bytes: InlineArray<2, UInt8> = [0, 0]
    var span = bytes.mutableSpan
    port.frame(&span, after: 0xE8, dummyBytes: 0)
    #expect(bytes[0] == 0x58 && bytes[1] == 0x05)
    span = bytes.mutableSpan
    port.frame(&span, after: 0xA8, dummyBytes: 0)
    #expect(bytes[0] == 0x58 && bytes[1] == 0x58)
  }
}
