// SPDX-License-Identifier: Apache-2.0
import ChipModels
import Quantities
import Sensors
import Testing

/// The model as anybody's driver would see it: addresses and values typed by hand from the register map, no use of the
/// declarations that model and driver share.
@Suite struct MPU6050ModelTests {
  private let feeling = Feeling()
  private let chip: MPU6050Model

  init() { chip = MPU6050Model(feeling) }

  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: milliseconds * 1_000_000)
  }

  private func word(_ address: UInt8) -> Int16 {
    let high = UInt16(chip.read(address))
    return Int16(bitPattern: high << 8 | UInt16(chip.read(address + 1)))
  }

  /// Awake on the gyroscope's clock, 1 kHz, filter 1.
  private func wake() {
    chip.advance(to: time(0))
    chip.write(0x01, to: 0x6B)
    chip.write(0x01, to: 0x1A)
  }

  @Test("Asleep after power-up: an identity, and nothing else")
  func asleep() {
    chip.advance(to: time(1000))
    #expect(chip.read(0x75) == 0x68)
    #expect(chip.read(0x6B) == 0x40)
    for address in UInt8(0x3B)...0x48 { #expect(chip.read(address) == 0) }
    #expect(chip.takeEdges().count == 0)
  }

  @Test("Awake it converts: 16384 counts a g, 131 a degree per second, 340 a degree")
  func converts() {
    feeling.reading.specificForce = Vector3(0.5, -1, 1.5)
    feeling.reading.rotationRate = Vector3(1, -2, 100) * (Double.pi / 180)
    feeling.reading.temperature = 36.53 + 10
    wake()
    chip.advance(to: time(100))
    #expect([word(0x3B), word(0x3D), word(0x3F)] == [8192, -16384, 24576])
    #expect(word(0x41) == 3400)
    #expect([word(0x43), word(0x45), word(0x47)] == [131, -262, 13100])
  }

  @Test("Full scales: 16 g is 2048 counts a g, 2000 deg/s is 16.4 counts; beyond, the end")
  func ranges() {
    feeling.reading.specificForce = Vector3(1, 20, -20)
    feeling.reading.rotationRate = Vector3(10, 0, 0) * (Double.pi / 180)
    wake()
    chip.write(0x18, to: 0x1B)
    chip.write(0x18, to: 0x1C)
    chip.advance(to: time(100))
    #expect([word(0x3B), word(0x3D), word(0x3F)] == [2048, 32767, -32768])
    #expect(word(0x43) == 164)
  }

  @Test("The rate is the base over one more than the divider; filter 0 has a base of 8 kHz")
  func rates() {
    wake()
    chip.write(0x01, to: 0x38)
    chip.write(9, to: 0x19)
    chip.advance(to: time(20))
    _ = chip.takeEdges()
    var edges: [Timestamp] = []
    for ms in Int64(21)...70 {
      chip.advance(to: time(ms))
      let queue = chip.takeEdges()
      if queue.count > 0 { edges.append(queue.newest) }
    }
    #expect(edges.count == 5)
    #expect(edges[1] - edges[0] == .milliseconds(10))
    chip.write(0, to: 0x1A)
    chip.write(0, to: 0x19)
    _ = chip.takeEdges()
    chip.advance(to: time(71))
    #expect(chip.takeEdges().count == 8)
  }

  @Test("INT_STATUS is set by a sample while enabled, and cleared by being read")
  func status() {
    wake()
    chip.advance(to: time(50))
    #expect(chip.read(0x3A) & 1 == 0)
    chip.write(0x01, to: 0x38)
    chip.advance(to: time(52))
    #expect(chip.read(0x3A) & 1 == 1)
    #expect(chip.read(0x3A) & 1 == 0)
  }

  @Test("The queue: accelerometer, temperature, gyroscope; 14 bytes a sample, high bytes first")
  func queue() {
    feeling.reading.specificForce = Vector3(1, 0, 0)
    feeling.reading.rotationRate = Vector3(0, 0, -1) * (Double.pi / 180)
    feeling.reading.temperature = 36.53
    wake()
    chip.write(0x40, to: 0x6A)
    chip.write(0xF8, to: 0x23)
    chip.advance(to: time(13))
    #expect(chip.read(0x72) == 0)
    #expect(chip.read(0x73) == 42)
    let frame = (0..<14).map { _ in chip.read(0x74) }
    #expect(frame == [0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0x7D])
    // The port does not advance in a burst; everything else does.
    #expect(chip.successor(of: 0x74) == 0x74)
    #expect(chip.successor(of: 0x3B) == 0x3C)
  }

  @Test("A full queue loses its oldest bytes and says so; an empty one repeats its last")
  func overflow() {
    wake()
    chip.write(0x40, to: 0x6A)
    chip.write(0x08, to: 0x23)
    feeling.reading.specificForce = Vector3(0, 0, 1)
    chip.advance(to: time(2000))
    #expect(Int(chip.read(0x72)) << 8 | Int(chip.read(0x73)) == 1024)
    #expect(chip.read(0x3A) & 0x10 == 0x10)
    // 1024 is no multiple of six: the first byte is from the middle of a frame.
    let bytes = (0..<1024).map { _ in chip.read(0x74) }
    #expect(bytes.suffix(6) == [0, 0, 0, 0, 0x40, 0])
    #expect(bytes.prefix(6) != [0, 0, 0, 0, 0x40, 0])
    #expect(chip.read(0x74) == 0)
    #expect(chip.read(0x73) == 0)
  }

  @Test("FIFO_RST is heeded only while FIFO_EN is clear")
  func fifoReset() {
    wake()
    chip.write(0x40, to: 0x6A)
    chip.write(0x08, to: 0x23)
    chip.advance(to: time(20))
    chip.write(0x44, to: 0x6A)
    #expect(Int(chip.read(0x72)) << 8 | Int(chip.read(0x73)) > 0)
    chip.write(0x04, to: 0x6A)
    #expect(Int(chip.read(0x72)) << 8 | Int(chip.read(0x73)) == 0)
    #expect(chip.read(0x6A) & 0x04 == 0)
  }

  @Test("The count's low byte is the one that belonged to the high byte read before")
  func countLatch() {
    wake()
    chip.write(0x40, to: 0x6A)
    chip.write(0x08, to: 0x23)
    chip.advance(to: time(15))
    _ = chip.read(0x72)
    chip.advance(to: time(16))
    #expect(chip.read(0x73) == 30)
  }

  @Test("DEVICE_RESET brings back every reset value, and sleep")
  func deviceReset() {
    wake()
    chip.write(0x18, to: 0x1B)
    chip.write(0x80, to: 0x6B)
    #expect(chip.read(0x6B) & 0x80 == 0x80)
    chip.advance(to: time(100))
    #expect(chip.read(0x6B) == 0x40)
    #expect(chip.read(0x1B) == 0)
  }

  @Test("Read-only registers and reserved bits cannot be written")
  func readOnly() {
    chip.write(0x12, to: 0x75)
    chip.write(0x12, to: 0x3B)
    chip.write(0xFF, to: 0x1A)
    #expect(chip.read(0x75) == 0x68)
    #expect(chip.read(0x3B) == 0)
    #expect(chip.read(0x1A) == 0x3F)
  }
}

/// What the chip under test feels.
final class Feeling: Surroundings {
  var reading = ChipReading(channels: [.acceleration, .rotationRate, .magneticField, .temperature])

  func reading(at time: Timestamp) -> ChipReading { reading }
}
