// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// The models are tested through their bus and pins, with addresses and bytes typed from ST's data
/// sheets, without a driver.
@Suite struct LSM6DS3ModelTests {
  let start = Timestamp(nanoseconds: 1_000_000_000)

  func model(_ family: LSM6DS3Family) -> LSM6DS3Model {
    let model = LSM6DS3Model(World(LSM6DS3Bench.held), family: family)
    model.advance(to: start)
    return model
  }

  func word(_ model: LSM6DS3Model, _ low: UInt8) -> Int16 {
    let first = model.read(low)
    return Int16(bitPattern: UInt16(model.read(low + 1)) << 8 | UInt16(first))
  }

  /// Returns the number of words in the FIFO, from 0x3A and 0x3B.
  func count(_ model: LSM6DS3Model) -> Int {
    Int(model.read(0x3B) & 0x0F) << 8 | Int(model.read(0x3A))
  }

  /// Starts both sensors at 104 Hz with a continuous FIFO.
  func queue(_ model: LSM6DS3Model, mode: UInt8 = 6, watermark: UInt8 = 0) {
    model.write(watermark, to: 0x06)
    model.write(0x09, to: 0x08)
    model.write(0x20 | mode, to: 0x0A)
    model.write(0x40, to: 0x11)
    model.write(0x40, to: 0x10)
  }

  @Test func `each family has its identity, and a reset its time`() {
    #expect(model(.lsm6ds3).read(0x0F) == 0x69)
    #expect(model(.lsm6ds3trc).read(0x0F) == 0x6A)
    for family in LSM6DS3Family.allCases {
      let model = model(family)
      #expect(model.read(0x12) == 0x04)
      #expect(model.read(0x10) == 0 && model.read(0x11) == 0)
      #expect(model.read(0x19) == (family == .lsm6ds3 ? 0x38 : 0x00))
      // The identity register cannot be written.
      model.write(0x00, to: 0x0F)
      #expect(model.read(0x0F) == family.rawValue)
      // In power-down mode there are no samples.
      model.advance(to: start + .seconds(1))
      #expect(model.read(0x1E) == 0 && word(model, 0x28) == 0 && model.nextEdge == nil)
      // SW_RESET ends after 50 us, and resets all registers.
      model.write(0x50, to: 0x10)
      model.write(0x05, to: 0x12)
      #expect(model.read(0x12) & 0x01 == 1)
      model.advance(to: start + .seconds(1) + .microseconds(60))
      #expect(model.read(0x12) == 0x04 && model.read(0x10) == 0)
    }
  }

  @Test func `outputs are the world's, and the status tells them`() {
    for (family, degree) in [(LSM6DS3Family.lsm6ds3, Int16(16)), (.lsm6ds3trc, 256)] {
      let model = model(family)
      model.write(0x50, to: 0x10)  // 208 Hz, 2 g
      model.write(0x5C, to: 0x11)  // 208 Hz, 2000 dps
      model.advance(to: start + .milliseconds(4))
      #expect(model.read(0x1E) == 0)
      model.advance(to: start + .milliseconds(5))
      #expect(model.read(0x1E) == 0x07)
      // The gyroscope's ninth sample is the first after its start.
      model.advance(to: start + .milliseconds(44))
      #expect(word(model, 0x20) == 13 * degree / 2)  // 31.5 degC
      // 28.648, -14.324 and 57.296 dps in steps of 70 mdps.
      #expect([word(model, 0x22), word(model, 0x24), word(model, 0x26)] == [409, -205, 819])
      #expect(model.read(0x1E) == 0x01)
      // 0.1, -0.2 and 0.97 g in steps of 0.061 mg.
      #expect([word(model, 0x28), word(model, 0x2A), word(model, 0x2C)] == [1639, -3279, 15902])
      #expect(model.read(0x1E) == 0)
      // With BLE set, the high byte comes first.
      model.write(0x06, to: 0x12)
      model.advance(to: start + .milliseconds(49))
      #expect(word(model, 0x28) == Int16(1639).byteSwapped)
    }
  }

  @Test func `bits 3 to 5 of 0x18 and 0x19 are axes on 0x69 parts only`() {
    for family in LSM6DS3Family.allCases {
      let model = model(family)
      model.write(0x00, to: 0x18)
      model.write(0x08, to: 0x19)
      model.write(0x50, to: 0x10)
      model.write(0x50, to: 0x11)
      model.advance(to: start + .milliseconds(44))
      let isOlder = family == .lsm6ds3
      #expect((word(model, 0x28) == 0) == isOlder && (word(model, 0x2C) == 0) == isOlder)
      #expect(word(model, 0x22) != 0 && (word(model, 0x24) == 0) == isOlder)
    }
  }

  @Test func `an open page hides the main registers`() {
    for (family, open) in [(LSM6DS3Family.lsm6ds3, UInt8(0x80)), (.lsm6ds3trc, 0xA0)] {
      let model = model(family)
      model.write(open, to: 0x01)
      model.write(0x15, to: 0x0F)  // the pedometer's threshold
      #expect(model.read(0x0F) == 0x15)
      model.write(0x00, to: 0x01)
      #expect(model.read(0x0F) == family.rawValue)
    }
    // 0x20 selects a register page of the newer part; the older part has no such bit.
    let older = model(.lsm6ds3)
    older.write(0x20, to: 0x01)
    #expect(older.read(0x0F) == 0x69)
  }

  @Test func `addresses advance, and turn over in the queue`() {
    let model = model(.lsm6ds3)
    #expect(model.successor(of: 0x20) == 0x21)
    #expect(model.successor(of: 0x3E) == 0x3F && model.successor(of: 0x3F) == 0x3E)
    model.write(0x00, to: 0x12)  // IF_INC off
    #expect(model.successor(of: 0x20) == 0x20 && model.successor(of: 0x3E) == 0x3E)
  }

  @Test func `BDU holds a word between its two bytes`() {
    for isHeld in [false, true] {
      let bench = World(LSM6DS3Bench.held)
      bench.held.specificForce.x = 0.000061 * 0x1234
      let model = LSM6DS3Model(bench, family: .lsm6ds3trc)
      model.advance(to: start)
      model.write(isHeld ? 0x44 : 0x04, to: 0x12)
      model.write(0x50, to: 0x10)
      // The fourth sample is the first after the accelerometer's start.
      model.advance(to: start + .milliseconds(20))
      #expect(model.read(0x28) == 0x34)
      bench.held.specificForce.x = 0.000061 * 0x2356
      model.advance(to: start + .milliseconds(25))
      #expect(model.read(0x29) == (isHeld ? 0x12 : 0x23))
      // After that the newest sample is read.
      #expect(word(model, 0x28) == 0x2356)
    }
  }

  @Test func `the queue has gyroscope and accelerometer in order`() {
    for family in LSM6DS3Family.allCases {
      let model = model(family)
      // Both sensors start before the FIFO does.
      model.write(0x40, to: 0x10)
      model.write(0x40, to: 0x11)
      model.advance(to: start + .milliseconds(60))
      queue(model)
      #expect(model.read(0x3B) & 0x10 != 0)
      model.advance(to: start + .milliseconds(80))  // two samples of 9.6 ms
      #expect(count(model) == 12 && model.read(0x3B) & 0xF0 == 0)
      var words: [Int16] = []
      for place in 0..<6 {
        #expect(model.read(0x3C) == UInt8(place) && model.read(0x3D) == 0)
        words.append(word(model, 0x3E))
      }
      // Gyroscope at 8.75 mdps (245 dps), then accelerometer.
      #expect(words == [3274, -1637, 6548, 1639, -3279, 15902])
      #expect(model.read(0x3C) == 0 && count(model) == 6)
      // Bypass mode empties the FIFO.
      model.write(0x20, to: 0x0A)
      #expect(count(model) == 0 && model.read(0x3C) == 0)
    }
  }

  @Test func `the FIFO decimates by its setting`() {
    let model = model(.lsm6ds3)
    queue(model)
    // With the gyroscope at half the rate, the pattern is 3 + 3 + 3 words.
    model.write(0x20, to: 0x0A)
    model.write(0x11, to: 0x08)
    model.write(0x26, to: 0x0A)
    model.advance(to: start + .milliseconds(39))  // four samples
    #expect(count(model) == 18)
    var places: [UInt8] = []
    for _ in 0..<18 {
      places.append(model.read(0x3C))
      _ = word(model, 0x3E)
    }
    #expect(places == [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func `a full queue counts as 0 and overruns`() {
    for (family, words) in [(LSM6DS3Family.lsm6ds3, 4096), (.lsm6ds3trc, 2048)] {
      let model = model(family)
      queue(model)
      // As many samples as fit, and one that overwrites the oldest words.
      let period = 1 / 104.0
      model.advance(to: start + TimeSpan(seconds: period * (Double(words / 6) + 0.5)))
      #expect(count(model) == words / 6 * 6)
      #expect(model.read(0x3B) & 0x60 == 0x20)
      model.advance(to: start + TimeSpan(seconds: period * (Double(words / 6) + 1.5)))
      #expect(count(model) == 0 && model.read(0x3B) & 0x70 == 0x60)
      // 4096 and 2048 words are 4 and 2 words more than whole sets, so 2 and 4 words were
      // overwritten.
      #expect(model.read(0x3C) == (family == .lsm6ds3 ? 2 : 4))
      _ = word(model, 0x3E)
      #expect(model.read(0x3B) & 0x40 == 0)
    }
    // In mode 1 the FIFO stops when it is full.
    let model = model(.lsm6ds3trc)
    queue(model, mode: 1)
    model.advance(to: start + .seconds(30))
    #expect(model.read(0x3B) & 0x40 == 0 && model.read(0x3C) == 0)
  }

  @Test func `the watermark's line rises once, and again after it was read`() {
    for family in LSM6DS3Family.allCases {
      let model = model(family)
      model.write(0x08, to: 0x0D)
      queue(model, watermark: 24)
      let predicted = model.nextEdge
      model.advance(to: start + .milliseconds(38))
      #expect(model.takeEdges().count == 0 && model.read(0x3B) & 0x80 == 0)
      model.advance(to: start + .milliseconds(100))
      let edges = model.takeEdges()
      // One edge at the fourth sample; the line then stays active.
      #expect(edges.count == 1 && model.read(0x3B) & 0x80 != 0)
      let fourth = start + TimeSpan(seconds: 4 / 104.0)
      #expect(abs((edges.newest - fourth).nanoseconds) <= 2)
      #expect(abs(((predicted ?? start) - fourth).nanoseconds) <= 8)
      while count(model) >= 24 { _ = word(model, 0x3E) }
      model.advance(to: start + .milliseconds(200))
      #expect(model.takeEdges().count == 1)
    }
  }

  @Test func `data-ready is a pulse where 0x0B asks for it, else up until a read`() {
    for (family, pulse) in [
      (LSM6DS3Family.lsm6ds3, UInt8(0x80)), (.lsm6ds3trc, 0x80), (.lsm6ds3trc, 0x00),
    ] {
      let model = model(family)
      model.write(0x02, to: 0x0D)
      model.write(pulse, to: 0x0B)
      model.write(0x40, to: 0x11)
      #expect(model.nextEdge != nil)
      model.advance(to: start + .milliseconds(30))  // three samples
      let isPulsed = family == .lsm6ds3trc && pulse != 0
      #expect(model.takeEdges().count == (isPulsed ? 3 : 1))
      #expect((model.nextEdge != nil) == isPulsed)
      _ = word(model, 0x22)
      model.advance(to: start + .milliseconds(39))
      #expect(model.takeEdges().count == 1)
    }
  }

  @Test func `the bits in which the maps collide do what each map says`() {
    let older = model(.lsm6ds3)
    let newer = model(.lsm6ds3trc)
    for model in [older, newer] { model.write(0x0F, to: 0x07) }
    #expect(older.read(0x07) == 0x0F && newer.read(0x07) == 0x0F)
    // STOP_ON_FTH is bit 0 of 0x13 on one part, and bit 7 of 0x09 on the other.
    for model in [older, newer] {
      model.write(0x01, to: 0x13)
      model.write(0x80, to: 0x09)
    }
    #expect(older.read(0x13) == 0x01 && newer.read(0x13) == 0x00)
    #expect(older.read(0x09) == 0x00 && newer.read(0x09) == 0x80)
    // Only the newer part has user offsets.
    for model in [older, newer] { model.write(0x11, to: 0x73) }
    #expect(older.read(0x73) == 0x00 && newer.read(0x73) == 0x11)
  }

  // MARK: - Functions, pins and modes

  @Test func `sources are latched where LIR asks for it and a pin has them`() {
    for (lir, route, isLatched) in [
      (UInt8(0x01), UInt8(0x20), true), (0x01, 0x00, false), (0x00, 0x20, false),
    ] {
      let world = World(LSM6DS3Bench.held)
      let model = LSM6DS3Model(world, family: .lsm6ds3trc)
      model.advance(to: start)
      model.write(0x80 | lir, to: 0x58)
      model.write(0x02, to: 0x5B)  // 2 of 2 g / 64: a slope of 62.5 mg
      model.write(route, to: 0x5F)
      model.write(0x50, to: 0x10)
      model.advance(to: start + .milliseconds(100))
      _ = model.read(0x1B)
      _ = model.takeEdges(of: 2)
      // 130 mg on y are a slope of 65 mg.
      world.held.specificForce.y += 0.130
      model.advance(to: start + .milliseconds(104))
      #expect(model.read(0x1B) == 0x0A)
      world.held.specificForce.y -= 0.130
      model.advance(to: start + .milliseconds(150))
      // A latched source keeps its value until it is read, and so does the line.
      #expect(model.read(0x1B) == (isLatched ? 0x0A : 0x00))
      #expect(model.read(0x1B) == 0)
      #expect(model.takeEdges(of: 2).count == (route == 0 ? 0 : 2))
      #expect(model.takeEdges(of: 1).count == 0)
      // 120 mg do not exceed the threshold.
      world.held.specificForce.y += 0.120
      model.advance(to: start + .milliseconds(155))
      #expect(model.read(0x1B) == 0)
    }
  }

  @Test func `without INTERRUPTS_ENABLE the newer part detects nothing`() {
    for (family, tapCfg, detects) in [
      (LSM6DS3Family.lsm6ds3trc, UInt8(0x0E), false), (.lsm6ds3trc, 0x8E, true),
      (.lsm6ds3, 0x0E, true),
    ] {
      let world = World(LSM6DS3Bench.held)
      let model = LSM6DS3Model(world, family: family)
      model.advance(to: start)
      model.write(tapCfg, to: 0x58)
      model.write(0x08, to: 0x59)
      model.write(0x33, to: 0x5D)  // ST's example: 312 mg for 6 samples
      model.write(0x60, to: 0x10)
      model.advance(to: start + .milliseconds(100))
      world.held.specificForce = .zero
      model.advance(to: start + .milliseconds(113))  // five samples of 2.4 ms
      #expect(model.read(0x1B) & 0x20 == 0)
      model.advance(to: start + .milliseconds(120))
      #expect((model.read(0x1B) & 0x20 != 0) == detects)
    }
  }

  @Test func `the pedometer is where each map has it, and so is its reset`() {
    for (family, control, tapCfg) in [
      (LSM6DS3Family.lsm6ds3, UInt8(0x3C), UInt8(0x40)), (.lsm6ds3trc, 0x14, 0x00),
    ] {
      // Test each part with its own bytes and with those of the other part, where they mean
      // something else.
      for isOwn in [true, false] {
        let model = LSM6DS3Model(
          World.moved(LSM6DS3DetectionTests.walk(until: 20)),
          family: isOwn ? family : family == .lsm6ds3 ? .lsm6ds3trc : .lsm6ds3)
        model.advance(to: start)
        model.write(control, to: 0x19)
        model.write(tapCfg, to: 0x58)
        model.write(0x20, to: 0x10)
        model.advance(to: start + .seconds(10))
        // 0x3C includes the newer part's PEDO_EN; 0x14 does not include the older part's.
        let counts = isOwn || family == .lsm6ds3
        #expect((18...20).contains(Int(word(model, 0x4B))) == counts)
        model.write(control | 0x02, to: 0x19)
        #expect(word(model, 0x4B) == 0)
      }
    }
  }

  @Test func `only the newer part has the slowest rate, and in low power alone`() {
    for (family, low, samples) in [
      (LSM6DS3Family.lsm6ds3trc, UInt8(0x10), UInt64(16)), (.lsm6ds3trc, 0x00, 125),
      (.lsm6ds3, 0x10, 0),
    ] {
      let model = model(family)
      model.write(low, to: 0x15)
      model.write(0xB0, to: 0x10)
      model.advance(to: start + .milliseconds(10_010))
      #expect(model.samplesTaken == samples)
    }
  }

  @Test func `the bus passes through unless the hub itself is master`() {
    for family in LSM6DS3Family.allCases {
      let model = model(family)
      #expect(!model.passesThrough)
      model.write(0x04, to: 0x1A)
      #expect(model.passesThrough)
      model.write(0x05, to: 0x1A)
      #expect(!model.passesThrough)
    }
  }

  @Test func `each pin has the queue or the samples by itself`() {
    for family in LSM6DS3Family.allCases {
      let model = model(family)
      model.write(0x01, to: 0x0D)  // the accelerometer on INT1
      model.write(0x08, to: 0x0E)  // the watermark on INT2
      queue(model, watermark: 12)
      let first = model.nextEdge(of: 1) ?? .distantFuture
      #expect(first < model.nextEdge(of: 2) ?? .zero)
      model.advance(to: start + .milliseconds(25))
      #expect(model.takeEdges(of: 1).count == 1 && model.takeEdges(of: 2).count == 1)
      _ = word(model, 0x2C)
      model.advance(to: start + .milliseconds(30))
      #expect(model.takeEdges(of: 1).count == 1 && model.takeEdges(of: 2).count == 0)
      #expect(model.nextEdge(of: 3) == nil && model.takeEdges(of: 3).count == 0)
    }
  }
}
