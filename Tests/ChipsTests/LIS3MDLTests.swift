// SPDX-License-Identifier: Apache-2.0
import Buses
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// The driver seen from the wire. Every address and byte is typed again here from the data sheet (DocID024204).
@Suite struct LIS3MDLTests {
  private func chip() -> FakeChip {
    let chip = FakeChip()
    chip.bytes[0x0F] = 0x3D
    chip.bytes[0x20] = 0x10
    chip.bytes[0x22] = 0x03
    // SOFT_RST clears itself.
    chip.onWrite = { register, value in register == 0x21 ? value & ~0x04 : nil }
    return chip
  }

  private func started(
    _ chip: FakeChip, rate: Double, range: Double, _ acquisition: Acquisition = .polling
  ) throws -> LIS3MDL<FakeBus> {
    var driver = LIS3MDL(FakeBus(chip: chip))
    _ = try driver.configure(
      SensorSettings(rate: rate, magneticFieldRange: range, acquisition: acquisition))
    driver.start()
    var batch = RawBatch()
    for _ in 0..<2 {
      if case .after(let span) = try driver.step(.due, into: &batch) { chip.now = chip.now + span }
    }
    return driver
  }

  @Test("Start-up, byte by byte: 80 Hz, 4 gauss")
  func startUp() throws {
    let chip = chip()
    _ = try started(chip, rate: 80, range: 400)
    #expect(
      chip.log == [
        "R 0F 1", "W 21 04", "R 21 1",
        // Ultra-high performance, 80 Hz; 4 gauss; Z alike; block update; continuous.
        "W 20 7C", "W 21 00", "W 23 0C", "W 24 40", "W 22 00",
        "R 20 1", "R 21 1", "R 23 1", "R 24 1", "R 22 1", "R 27 7",
      ])
  }

  @Test(
    "Rates and ranges as register contents",
    arguments: [
      (0.625, 400.0, UInt8(0x60), UInt8(0x00), UInt8(0x0C)),
      (1.25, 800, 0x64, 0x20, 0x0C), (2.5, 1200, 0x68, 0x40, 0x0C), (5, 1600, 0x6C, 0x60, 0x0C),
      (10, 400, 0x70, 0x00, 0x0C), (20, 400, 0x74, 0x00, 0x0C), (40, 400, 0x78, 0x00, 0x0C),
      // FAST_ODR: the rate is that of the performance, X, Y and Z alike.
      (155, 400, 0x62, 0x00, 0x0C), (300, 400, 0x42, 0x00, 0x08), (560, 400, 0x22, 0x00, 0x04),
      (1000, 400, 0x02, 0x00, 0x00),
    ])
  func settings(
    rate: Double, range: Double, control1: UInt8, control2: UInt8, control4: UInt8
  ) throws {
    let chip = chip()
    _ = try started(chip, rate: rate, range: range)
    #expect(chip.bytes[0x20] == control1)
    #expect(chip.bytes[0x21] == control2)
    #expect(chip.bytes[0x23] == control4)
  }

  @Test("Status and outputs in one burst, low bytes first, 6842 counts a gauss")
  func decode() throws {
    let chip = chip()
    var driver = try started(chip, rate: 80, range: 400)
    // ZYXDA; +1, -1 gauss and the most negative count.
    let frame: [UInt8] = [0x08, 0xBA, 0x1A, 0x46, 0xE5, 0x00, 0x80]
    for (index, byte) in frame.enumerated() { chip.bytes[0x27 + index] = byte }
    chip.log = []
    var batch = RawBatch()
    _ = try driver.step(.due, into: &batch)
    #expect(chip.log.first == "R 27 7")
    let field = driver.decode(batch, frame: 0).magneticField
    #expect(abs(field.x - 100) < 1e-9)
    #expect(abs(field.y + 100) < 1e-9)
    #expect(abs(field.z + 32768 / 68.42) < 1e-9)
  }

  @Test("Without a new sample there is no frame, and the next look comes soon")
  func notReady() throws {
    let chip = chip()
    var driver = try started(chip, rate: 80, range: 400)
    var batch = RawBatch()
    let wake = try driver.step(.due, into: &batch)
    #expect(batch.frames == 0)
    // An eighth of 12.5 ms.
    #expect(wake == .after(TimeSpan(nanoseconds: 1_562_500)))
  }

  @Test("The identity of a stranger, and of nobody")
  func identity() throws {
    let chip = chip()
    chip.bytes[0x0F] = 0x40
    var driver = LIS3MDL(FakeBus(chip: chip))
    driver.start()
    var batch = RawBatch()
    #expect(throws: ChipError.identity(found: 0x40, register: 0x0F)) {
      try driver.step(.due, into: &batch)
    }
    chip.failure = (1, .noAcknowledge)
    #expect(throws: ChipError.bus(.noAcknowledge, register: 0x0F)) {
      try driver.step(.due, into: &batch)
    }
  }

  @Test("A reset that never ends is given up")
  func endlessReset() throws {
    let chip = chip()
    chip.onWrite = { _, _ in nil }
    var driver = LIS3MDL(FakeBus(chip: chip))
    driver.start()
    var batch = RawBatch()
    #expect(throws: ChipError.resetTimedOut) {
      for _ in 0..<30 { _ = try driver.step(.due, into: &batch) }
    }
  }

  @Test("Stopping powers it down")
  func stop() throws {
    let chip = chip()
    var driver = try started(chip, rate: 80, range: 400)
    try driver.stop()
    #expect(chip.log.last == "W 22 03")
  }
}
