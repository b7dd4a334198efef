// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

/// The model as another driver uses it. All addresses are from the vendor's documents.
@Suite struct BMI160ModelTests {
  private let world = World.bmi160
  private let model: BMI160Model
  private var now = Timestamp.zero

  init() { model = BMI160Model(world) }

  private mutating func pass(_ span: TimeSpan) {
    now = now + span
    model.advance(to: now)
  }

  private func read(_ count: Int, from register: UInt8) -> [UInt8] {
    model.advance(to: now)
    return (0..<count).map { _ in model.read(register) }
  }

  private var fill: Int { Int(model.read(0x22)) | Int(model.read(0x23)) << 8 }

  private mutating func startBoth() {
    model.write(0x11, to: 0x7E)
    pass(.milliseconds(4))
    model.write(0x15, to: 0x7E)
    pass(.milliseconds(80))
  }

  @Test mutating func `a change of power mode takes its time`() {
    #expect(model.read(0x00) == 0xD1)
    #expect(model.read(0x03) == 0x00)
    model.write(0x11, to: 0x7E)
    pass(.microseconds(3700))
    #expect(model.read(0x03) == 0x00)
    // The model accepts one command at a time.
    model.write(0x15, to: 0x7E)
    #expect(model.read(0x02) == 0x40)
    #expect(model.read(0x02) == 0x00)
    pass(.microseconds(100))
    #expect(model.read(0x03) == 0x10)
    model.write(0x15, to: 0x7E)
    pass(.milliseconds(79))
    #expect(model.read(0x03) == 0x10)
    pass(.milliseconds(1))
    #expect(model.read(0x03) == 0x14)
    model.write(0x14, to: 0x7E)
    model.write(0x10, to: 0x7E)
    #expect(model.read(0x03) == 0x00)
  }

  @Test mutating func `data-ready rises with a sample and falls when it is read`() {
    #expect(model.read(0x1B) == 0x01)
    #expect([model.read(0x20), model.read(0x21)] == [0x00, 0x80])
    startBoth()
    pass(.milliseconds(10))
    #expect(model.read(0x1B) & 0xC0 == 0xC0)
    // 0.25 g of 2 g is 4096.
    #expect([model.read(0x12), model.read(0x13)] == [0x00, 0x10])
    #expect(model.read(0x1B) & 0xC0 == 0x40)
    _ = model.read(0x0C)
    #expect(model.read(0x1B) & 0xC0 == 0x00)
    // 4.5 degrees below 23 are -2304 counts.
    #expect([model.read(0x20), model.read(0x21)] == [0x00, 0xF7])
    // While suspended, the model keeps the last value.
    model.write(0x10, to: 0x7E)
    world.held.specificForce = .zero
    pass(.milliseconds(50))
    #expect(model.read(0x13) == 0x10)
  }

  @Test mutating func `a reset leaves I2C and no settings`() {
    let port = ModelPort(model, format: WireFormat())
    func ask(_ register: UInt8) -> UInt8 {
      var byte: InlineArray<1, UInt8> = [0]
      var span = byte.mutableSpan
      port.frame(&span, after: register | 0x80, dummyBytes: 0)
      return byte[0]
    }
    #expect(ask(0x00) != 0xD1)
    #expect(ask(0x00) == 0xD1)
    model.write(0x29, to: 0x40)
    #expect(model.read(0x40) == 0x29)
    // While suspended, a write needs 450 us after the previous one.
    model.write(0x2A, to: 0x40)
    #expect(model.read(0x40) == 0x29)
    pass(.microseconds(450))
    model.write(0xB6, to: 0x7E)
    pass(.milliseconds(1))
    let bytes: InlineArray<2, UInt8> = [0x41, 0x05]
    // The model ignores SPI until chip select has risen once: this write is lost, but selects SPI.
    port.frame(bytes.span)
    #expect(ask(0x41) == 0x03)
    #expect(ask(0x40) == 0x28)
  }

  @Test mutating func `the queue's frames have headers`() {
    startBoth()
    model.write(0xD0, to: 0x47)
    model.write(0xB0, to: 0x7E)
    #expect(fill == 0)
    pass(.milliseconds(30))
    #expect(fill == 39)
    // A frame that was read in part is returned again.
    #expect(read(5, from: 0x24) == [0x8C, 0x54, 0xFC, 0xD6, 0x01])
    #expect(fill == 39)
    #expect(read(13, from: 0x24).first == 0x8C)
    #expect(fill == 26)
    #expect(read(28, from: 0x24).suffix(2) == [0x80, 0x80])
    #expect(fill == 0)
    // After the last frame the sensor time is returned once, if it is enabled.
    model.write(0xD2, to: 0x47)
    #expect(read(6, from: 0x24).first == 0x44)
    #expect(read(6, from: 0x24).suffix(2) == [0x80, 0x80])
    // Changing the mode empties the FIFO.
    pass(.milliseconds(30))
    #expect(fill > 0)
    model.write(0xC0, to: 0x47)
    #expect(fill == 0)
    pass(.milliseconds(30))
    #expect(fill == 36)
  }

  @Test mutating func `a full queue counts the frames that it lost`() {
    startBoth()
    model.write(0xD0, to: 0x47)
    model.write(0xB0, to: 0x7E)
    pass(.milliseconds(1000))
    // Of 100 frames, 78 fit into 1024 bytes together with two bytes that count the skipped ones.
    #expect(fill == 78 * 13 + 2)
    #expect(read(3, from: 0x24) == [0x40, 22, 0x8C])
    #expect(fill == 78 * 13)
    model.write(0xB0, to: 0x7E)
    #expect(fill == 0)
  }

  @Test mutating func `a change of the queue is reported in its header`() {
    startBoth()
    model.write(0xD0, to: 0x47)
    model.write(0xB0, to: 0x7E)
    model.write(0x05, to: 0x41)
    #expect(read(1, from: 0x24) == [0x48])
    #expect(fill == 2)
  }

  @Test mutating func `the rates of the two sensors may differ`() {
    startBoth()
    // With the accelerometer at 100 Hz and the gyroscope at 200 Hz, every other frame has both.
    model.write(0x29, to: 0x42)
    model.write(0xD0, to: 0x47)
    model.write(0xB0, to: 0x7E)
    pass(.milliseconds(20))
    let bytes = read(40, from: 0x24)
    #expect([bytes[0], bytes[7], bytes[20], bytes[27]] == [0x88, 0x8C, 0x88, 0x8C])
  }

  @Test mutating func `the watermark raises the pin once`() {
    startBoth()
    model.write(0xD0, to: 0x47)
    model.write(10, to: 0x46)
    model.write(0x40, to: 0x51)
    model.write(0x40, to: 0x56)
    model.write(0x0A, to: 0x53)
    model.write(0xB0, to: 0x7E)
    let began = now
    #expect(model.nextEdge == began + .milliseconds(40))
    pass(.milliseconds(100))
    // The 40th byte is in the fourth frame. The pin stays active until the bytes are read.
    var edges = model.takeEdges()
    #expect(edges.count == 1)
    #expect(edges.newest == began + .milliseconds(40))
    #expect(model.read(0x1D) == 0x40)
    _ = read(130, from: 0x24)
    #expect(model.read(0x1D) == 0x00)
    pass(.milliseconds(50))
    edges = model.takeEdges()
    #expect(edges.count == 1)
  }

  @Test mutating func `the data-ready pin pulses at each sample`() {
    startBoth()
    model.write(0x10, to: 0x51)
    model.write(0x80, to: 0x56)
    model.write(0x0A, to: 0x53)
    pass(.milliseconds(100))
    #expect(model.takeEdges().count == 10)
    // In latched mode there is one edge until the status is read.
    model.write(0x0F, to: 0x54)
    pass(.milliseconds(100))
    #expect(model.takeEdges().count == 1)
    #expect(model.read(0x1D) == 0x10)
    pass(.milliseconds(100))
    #expect(model.takeEdges().count == 1)
    model.write(0xB1, to: 0x7E)
    pass(.milliseconds(10))
    #expect(model.takeEdges().count == 1)
  }

  @Test mutating func `a second is 25600 ticks of the sensor time`() {
    pass(.seconds(1))
    // 25600 ticks are 0x6400.
    #expect([model.read(0x18), model.read(0x19), model.read(0x1A)] == [0x00, 0x64, 0x00])
  }

  /// The model ignores a command while another is executed, and one too soon after another write in
  /// suspend mode.
  @Test mutating func `a command that comes too soon is dropped`() {
    model.write(0x28, to: 0x40)
    model.write(0x11, to: 0x7E)
    #expect(model.read(0x02) == 0x40)
    pass(.milliseconds(10))
    #expect(model.read(0x03) == 0x00)
    startBoth()
    // The change from normal to low power is immediate; after it writes need 450 us again.
    model.write(0x14, to: 0x7E)
    model.write(0x12, to: 0x7E)
    #expect(model.read(0x03) == 0x20)
    pass(.microseconds(440))
    model.write(0x05, to: 0x41)
    #expect(model.read(0x41) == 0x03)
    pass(.microseconds(450))
    model.write(0x05, to: 0x41)
    #expect(model.read(0x41) == 0x05)
  }

  /// Offsets: 0x71 to 0x73 in steps of 3.9 mg, 0x74 to 0x77 in steps of 0.061 deg/s with ten bits;
  /// bits of 0x77 enable them.
  @Test mutating func `offsets are added where they are switched on`() {
    world.held.specificForce = .zero
    world.held.rotationRate = .zero
    startBoth()
    model.write(0x80, to: 0x71)
    model.write(0x7F, to: 0x73)
    // -512 is the offset of the gyroscope's y axis.
    model.write(0x00, to: 0x75)
    model.write(0x08, to: 0x77)
    pass(.milliseconds(20))
    #expect([model.read(0x12), model.read(0x13)] == [0, 0])
    model.write(0xC8, to: 0x77)
    pass(.milliseconds(20))
    func word(_ low: UInt8) -> Int16 {
      Int16(bitPattern: UInt16(model.read(low + 1)) << 8 | UInt16(model.read(low)))
    }
    // -128 times 3.9 mg at 16384 counts per g, then +127; -512 times 0.061 deg/s at 16.4 counts.
    #expect(word(0x12) == -8179)
    #expect(word(0x14) == 0)
    #expect(word(0x16) == 8115)
    #expect(word(0x0E) == -512)
    #expect(word(0x0C) == 0)
  }

  /// The two accelerometer stimuli differ by 2.5 g, and the second is greater; the gyroscope
  /// reports success after 20 ms.
  @Test mutating func `the self-test pushes both ways, and the gyroscope says yes`() {
    startBoth()
    model.write(0x08, to: 0x41)
    model.write(0x2C, to: 0x40)
    model.write(0x0D, to: 0x6D)
    pass(.milliseconds(50))
    let pushed = Int16(bitPattern: UInt16(model.read(0x13)) << 8 | UInt16(model.read(0x12)))
    model.write(0x09, to: 0x6D)
    pass(.milliseconds(50))
    let pulled = Int16(bitPattern: UInt16(model.read(0x13)) << 8 | UInt16(model.read(0x12)))
    #expect(pulled - pushed == 10240)
    model.write(0x10, to: 0x6D)
    pass(.milliseconds(19))
    #expect(model.read(0x1B) & 0x02 == 0x00)
    pass(.milliseconds(2))
    #expect(model.read(0x1B) & 0x02 == 0x02)
  }

  /// INT2 has the watermark. INT1 has detections, latched until the status is read; otherwise it
  /// resets by itself.
  @Test mutating func `each pin has what is mapped to it, latched or not`() {
    startBoth()
    model.write(0xD0, to: 0x47)
    model.write(10, to: 0x46)
    model.write(0x04, to: 0x56)
    model.write(0x40, to: 0x51)
    model.write(0x04, to: 0x55)
    model.write(0x07, to: 0x50)
    model.write(0xA8, to: 0x53)
    model.write(0x0F, to: 0x54)
    model.write(0xB0, to: 0x7E)
    pass(.milliseconds(100))
    #expect(model.takeEdges(of: 1).count == 0)
    #expect(model.takeEdges(of: 2).count == 1)
    world.held.specificForce.y += 1
    pass(.milliseconds(100))
    #expect(model.takeEdges(of: 1).count == 1)
    #expect(model.read(0x1C) == 0x04)
    #expect(model.read(0x1C) == 0x00)
    // The status keeps the axis.
    #expect(model.read(0x1E) == 0x02)
    world.held.specificForce.y -= 1
    pass(.milliseconds(100))
    #expect(model.takeEdges(of: 1).count == 1)
    #expect(model.read(0x1E) == 0x0A)
    model.write(0xB1, to: 0x7E)
    #expect(model.read(0x1C) == 0x00)
    model.write(0x00, to: 0x54)
    world.held.specificForce.y += 1
    pass(.milliseconds(100))
    #expect(model.takeEdges(of: 1).count == 1)
    #expect(model.read(0x1C) == 0x00)
    // The interrupt is now latched for 160 ms.
    model.write(0x0A, to: 0x54)
    world.held.specificForce.y -= 1
    pass(.milliseconds(100))
    #expect(model.read(0x1C) == 0x04)
    world.held.specificForce.y += 1
    pass(.milliseconds(10))
    pass(.milliseconds(165))
    #expect(model.read(0x1C) == 0x00)
  }
}
