// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Sensors
import Testing

/// The model is tested with addresses typed by hand, without a driver.
@Suite struct BMP280ModelTests {
  let world = World.weather()
  let model: BMP280Model

  init() { model = BMP280Model(world, part: .bme280) }

  func at(_ milliseconds: Double) {
    model.advance(to: Timestamp(nanoseconds: Int64(milliseconds * 1e6)))
  }

  func word(_ register: UInt8) -> UInt32 {
    UInt32(model.read(register)) << 12 | UInt32(model.read(register + 1)) << 4
      | UInt32(model.read(register + 2)) >> 4
  }

  @Test func `each register has its reset value`() {
    let plain = BMP280Model(world, part: .bmp280)
    #expect(plain.read(0xD0) == 0x58)
    #expect(model.read(0xD0) == 0x60)
    for register: UInt8 in [0xE0, 0xF2, 0xF3, 0xF4, 0xF5, 0xF8, 0xF9, 0xFB, 0xFC, 0xFE] {
      #expect(model.read(register) == 0x00)
    }
    for register: UInt8 in [0xF7, 0xFA, 0xFD] { #expect(model.read(register) == 0x80) }
    #expect(plain.read(0xFD) == 0x00)
    // After the reset the model sleeps.
    at(10_000)
    #expect(world.times.isEmpty)
    // The calibration words of the example, low bytes first.
    for index in 0..<24 {
      #expect(model.read(0x88 + UInt8(index)) == BMP280DecodingTests.trimBytes[index])
    }
    #expect(model.read(0xA1) == 75)
    for index in 0..<7 {
      #expect(model.read(0xE1 + UInt8(index)) == BMP280DecodingTests.trimBytes[25 + index])
    }
    for register: UInt8 in [0xA1, 0xE1, 0xE4, 0xE7] { #expect(plain.read(register) == 0) }
  }

  @Test func `only 0xB6 resets, and the trim is there again`() {
    model.write(0x57, to: 0xF4)
    at(100)
    model.write(0xB5, to: 0xE0)
    #expect(model.read(0xF4) == 0x57)
    model.write(0xB6, to: 0xE0)
    #expect(model.read(0xF3) == 0x01)
    #expect(model.read(0xF4) == 0x00)
    #expect(word(0xF7) == 0x80000)
    // The calibration words are not readable before they have been copied.
    #expect(model.read(0x88) == 0x00)
    at(102)
    #expect(model.read(0xF3) == 0x00)
    #expect(model.read(0x88) == 0x70)
  }

  @Test func `a forced conversion is busy for its time, then asleep with a result`() {
    at(10)
    model.write(0x25, to: 0xF4)
    #expect(model.read(0xF3) == 0x08)
    at(15.4)
    #expect(model.read(0xF3) == 0x08)
    #expect(word(0xF7) == 0x80000)
    at(15.6)
    #expect(model.read(0xF3) == 0x00)
    #expect(model.read(0xF4) == 0x24)
    #expect(word(0xF7) != 0x80000 && word(0xFA) != 0x80000)
    // Humidity was not enabled.
    #expect(model.read(0xFD) == 0x80 && model.read(0xFE) == 0x00)
    at(10_000)
    #expect(world.times.count == 1)
  }

  @Test func `normal mode is busy and idle in turn, for ever`() {
    model.write(0x20, to: 0xF5)
    model.write(0x57, to: 0xF4)
    at(37.4)
    #expect(model.read(0xF3) == 0x08)
    at(37.6)
    #expect(model.read(0xF3) == 0x00)
    at(99.9)
    #expect(model.read(0xF3) == 0x00)
    at(100.1)
    #expect(model.read(0xF3) == 0x08)
    at(10_000)
    #expect(world.times.count == 100)
    #expect(model.read(0xF4) == 0x57)
    // The configuration is ignored during a conversion; sleep mode starts after it.
    model.write(0xA0, to: 0xF5)
    #expect(model.read(0xF5) == 0x20)
    model.write(0x00, to: 0xF4)
    at(20_000)
    #expect(world.times.count <= 101)
  }

  @Test func `standby codes 6 and 7 of a BME280 are 10 and 20 ms`() {
    model.write(0xC0, to: 0xF5)
    model.write(0x27, to: 0xF4)
    at(1550)
    #expect(world.times.count == 100)
  }

  @Test func `humidity control counts from the next write of 0xF4 on`() {
    model.write(0x25, to: 0xF4)
    at(10)
    model.write(0x01, to: 0xF2)
    #expect(model.read(0xF2) == 0x01)
    #expect(model.read(0xFD) == 0x80)
    model.write(0x25, to: 0xF4)
    // A conversion with humidity takes 8 ms.
    at(17.9)
    #expect(model.read(0xF3) == 0x08)
    at(18.1)
    #expect(model.read(0xF3) == 0x00)
    #expect(UInt16(model.read(0xFD)) << 8 | UInt16(model.read(0xFE)) != 0x8000)
  }

  @Test func `skipped quantities say 0x80000`() {
    model.write(0x21, to: 0xF4)
    at(10)
    #expect(word(0xF7) == 0x80000 && word(0xFA) != 0x80000)
    model.write(0x05, to: 0xF4)
    at(20)
    #expect(word(0xF7) != 0x80000 && word(0xFA) == 0x80000)
  }

  @Test func `the filter's first value is unfiltered`() {
    model.write(0x10, to: 0xF5)
    model.write(0x25, to: 0xF4)
    at(10)
    let first = word(0xF7)
    let plain = BMP280Model(world, part: .bmp280)
    plain.write(0x25, to: 0xF4)
    plain.advance(to: Timestamp(nanoseconds: 10_000_000))
    #expect(
      UInt32(plain.read(0xF7)) << 12 | UInt32(plain.read(0xF8)) << 4
        | UInt32(plain.read(0xF9)) >> 4 == first)
    world.held.pressure = 90
    model.write(0x25, to: 0xF4)
    at(20)
    let second = word(0xF7)
    #expect(second > first && second < first + 5000)
  }

  @Test func `writes in one transfer are pairs, on both wires`() {
    let format = BMP280Chip.wireFormat
    let port = ModelPort(model, format: format)
    let i2c: InlineArray<4, UInt8> = [0xF2, 0x01, 0xF5, 0x24]
    port.write(i2c.span)
    #expect(model.read(0xF2) == 0x01 && model.read(0xF5) == 0x24)
    // On SPI, 0x75 is a write to 0xF5 and 0x72 a write to 0xF2: the read flag is clear.
    let spi: InlineArray<4, UInt8> = [0x75, 0x48, 0x72, 0x02]
    port.frame(spi.span)
    #expect(model.read(0xF2) == 0x02 && model.read(0xF5) == 0x48)
    // Reserved bits keep their values.
    let all: InlineArray<4, UInt8> = [0xF5, 0xFF, 0xF2, 0xFF]
    port.write(all.span)
    #expect(model.read(0xF2) == 0x07 && model.read(0xF5) == 0xFD)
    // With the read flag set nothing is written.
    let read: InlineArray<2, UInt8> = [0xF5, 0x00]
    port.frame(read.span)
    #expect(model.read(0xF5) == 0xFD)
  }
}
