// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// The driver's transactions one by one. Addresses and bytes are typed from ST's data sheets of the
/// LSM6DS3 (section 9) and the LSM6DS3TR-C (revision 3, section 9).
@Suite struct LSM6DS3Tests {
  static func settings(
    _ acquisition: Acquisition, rate: Double = 208, g: Double = 4, dps: Double = 500,
    interval: TimeSpan = .milliseconds(50)
  ) -> SensorSettings {
    SensorSettings(
      rate: rate, accelerationRange: g, rotationRateRange: dps * degree,
      acquisition: acquisition, batchInterval: interval)
  }

  // MARK: - Start

  @Test func `a start of a 0x69 part is the transactions typed by hand`() throws {
    let bench = LSM6DS3Bench(.lsm6ds3)
    let run = try LSM6DS3Run(bench, Self.settings(.fifo))
    run.start()
    // 208 Hz is code 5, 4 g code 2, 500 dps code 1 above bit 1; 10 sets of 6 words are 60 = 0x3C.
    // The analogue filter is selected (0x13 bit 7); 100 Hz is code 2.
    let table: [(UInt8, UInt8)] = [
      (0x12, 0x44), (0x0E, 0x00), (0x0D, 0x08), (0x14, 0x00), (0x15, 0x00), (0x16, 0x00),
      (0x17, 0x00), (0x13, 0x80), (0x0B, 0x00), (0x06, 0x3C), (0x07, 0x00),
      (0x08, 0x09), (0x09, 0x00), (0x19, 0x38), (0x18, 0x38), (0x11, 0x54), (0x10, 0x5A),
    ]
    #expect(Array(bench.log.prefix(Self.count(table))) == Self.start(table))
    #expect(run.family == .lsm6ds3)
    #expect(run.errors.isEmpty)
    #expect(!run.readings.isEmpty)
  }

  @Test func `a start of a 0x6A part is the transactions typed by hand`() throws {
    let bench = LSM6DS3Bench(.lsm6ds3trc)
    let run = try LSM6DS3Run(bench, Self.settings(.fifo))
    run.start()
    // 0x19 with the other part's byte would start a timer and a pedometer; 0x18 is not written.
    let table: [(UInt8, UInt8)] = [
      (0x12, 0x44), (0x0E, 0x00), (0x0D, 0x08), (0x14, 0x00), (0x15, 0x00), (0x16, 0x00),
      (0x17, 0x00), (0x13, 0x00), (0x0B, 0x00), (0x06, 0x3C), (0x07, 0x00), (0x08, 0x09),
      (0x09, 0x00), (0x19, 0x00), (0x11, 0x54), (0x10, 0x58),
    ]
    #expect(Array(bench.log.prefix(Self.count(table))) == Self.start(table))
    #expect(run.family == .lsm6ds3trc)
    #expect(!run.readings.isEmpty)
  }

  /// Page, identity, reset and its end, the table and its comparison, bypass, continuous mode at
  /// code 5.
  static func start(_ table: [(UInt8, UInt8)]) -> [LSM6DS3Bench.Transaction] {
    [.write(0x01, 0x00), .read(0x0F, 1), .write(0x12, 0x05), .read(0x12, 1)]
      + table.map { .write($0.0, $0.1) } + table.map { .read($0.0, 1) }
      + [.write(0x0A, 0x28), .write(0x0A, 0x2E)]
  }

  static func count(_ table: [(UInt8, UInt8)]) -> Int { 4 + 2 * table.count + 2 }

  @Test func `data-ready is pulsed where the part supports it`() throws {
    for (family, pulse) in [(LSM6DS3Family.lsm6ds3, UInt8(0)), (.lsm6ds3trc, 0x80)] {
      let bench = LSM6DS3Bench(family)
      let run = try LSM6DS3Run(bench, Self.settings(.dataReady), isWired: true)
      run.start()
      #expect(bench.log.contains(.write(0x0D, 0x02)))
      #expect(bench.log.contains(.write(0x0B, pulse)))
      #expect(!bench.log.contains { if case .write(0x0A, _) = $0 { true } else { false } })
    }
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `an open page of embedded functions is closed first`(_ family: LSM6DS3Family) throws {
    let bench = LSM6DS3Bench(family)
    bench.model.write(0x80, to: 0x01)
    #expect(bench.model.read(0x0F) != family.rawValue)
    let run = try LSM6DS3Run(bench, Self.settings(.polling))
    run.start()
    #expect(run.errors.isEmpty && !run.readings.isEmpty)
  }

  @Test func `a stranger is an error, and only its page is written`() throws {
    let bench = LSM6DS3Bench(.lsm6ds3)
    // An LSM6DSO, whose FIFO has another format.
    bench.identity = 0x6C
    let run = try LSM6DS3Run(bench, Self.settings(.polling))
    run.turn()
    #expect(run.errors == [.identity(found: 0x6C, register: 0x0F)])
    // Only the page register was written to the unknown chip.
    #expect(bench.log == [.write(0x01, 0x00), .read(0x0F, 1)])
  }

  @Test func `an absent chip is an error until it is there`() throws {
    let bench = LSM6DS3Bench(.lsm6ds3)
    bench.isAbsent = true
    let run = try LSM6DS3Run(bench, Self.settings(.polling))
    run.turn()
    #expect(run.errors == [.bus(.noAcknowledge, register: 0x01)])
    #expect(run.health.busErrors == 1)
    bench.isAbsent = false
    run.start()
    #expect(!run.readings.isEmpty)
  }

  @Test func `a reset that never ends is given up`() throws {
    let bench = LSM6DS3Bench(.lsm6ds3trc)
    bench.stuckControl3 = 0x01
    let run = try LSM6DS3Run(bench, Self.settings(.polling))
    let begin = bench.now
    while run.errors.isEmpty, bench.log.count < 1000 { run.turn() }
    #expect(run.errors == [.resetTimedOut])
    // The start is limited: page, identity, reset, and 51 polls 1 ms apart.
    #expect(bench.log.count == 54)
    #expect(bench.now - begin < .milliseconds(70))
  }

  @Test(.sweep, arguments: LSM6DS3Family.allCases, [Acquisition.dataReady, .fifo, .polling])
  func `an error at any transaction is survived`(
    _ family: LSM6DS3Family, _ acquisition: Acquisition
  ) throws {
    for index in 0..<60 {
      let bench = LSM6DS3Bench(family)
      bench.failing = index
      let run = try LSM6DS3Run(bench, Self.settings(acquisition), isWired: acquisition != .polling)
      run.run(.milliseconds(700))
      #expect(run.errors.count == 1, "transaction \(index)")
      #expect(run.health.busErrors == 1)
      #expect(run.readings.count > 60, "transaction \(index)")
      #expect(run.smallestStep > .zero)
      let wrong = run.readings.count { abs($0.specificForce.z - 0.97) > 0.001 }
      #expect(wrong == 0)
    }
  }

  @Test func `stopping powers both sensors down`() throws {
    let bench = LSM6DS3Bench(.lsm6ds3)
    let run = try LSM6DS3Run(bench, Self.settings(.polling))
    run.start()
    bench.log = []
    try run.stop()
    #expect(bench.log == [.write(0x10, 0x00), .write(0x11, 0x00)])
    bench.isAbsent = true
    #expect(throws: ChipError.self) { try run.stop() }
    // The second chip is started nevertheless.
    #expect(bench.log.count == 4)
    run.turn()
    #expect(bench.log.count == 4)
  }

  // MARK: - Settings

  static let rates: [(Double, UInt8)] = [
    (12.5, 1), (26, 2), (52, 3), (104, 4), (208, 5), (416, 6), (833, 7), (1660, 8),
  ]

  @Test(.sweep, arguments: LSM6DS3Family.allCases)
  func `every rate goes with every range`(_ family: LSM6DS3Family) throws {
    let gs: [(Double, UInt8)] = [(2, 0x0), (4, 0x8), (8, 0xC), (16, 0x4)]
    let dps: [(Double, UInt8)] = [(125, 0x2), (245, 0x0), (500, 0x4), (1000, 0x8), (2000, 0xC)]
    for (rate, code) in Self.rates {
      for (g, accel) in gs {
        for (turn, gyro) in dps {
          let bench = LSM6DS3Bench(family)
          let run = try LSM6DS3Run(bench, Self.settings(.polling, rate: rate, g: g, dps: turn))
          run.start()
          // The older part's analogue filters of 50, 100, 200 and 400 Hz are codes 3 to 0.
          let filter: UInt8 = family == .lsm6ds3 ? code <= 4 ? 3 : code >= 7 ? 0 : 7 - code : 0
          #expect(bench.model.read(0x10) == code << 4 | accel | filter)
          #expect(bench.model.read(0x11) == code << 4 | gyro)
          let reading = try #require(run.readings.first)
          // Half a step of 0.061 mg per 2 g, and of 4.375 mdps per 125 dps; 245 dps has the step of
          // 250.
          let step = 0.000061 * g / 2
          let turnStep = 0.004375 * (turn == 245 ? 250 : turn) / 125 * degree
          #expect(abs(reading.specificForce.x - 0.1) <= step * 0.501)
          #expect(abs(reading.specificForce.y + 0.2) <= step * 0.501)
          #expect(abs(reading.specificForce.z - 0.97) <= step * 0.501)
          #expect(abs(reading.rotationRate.x - 0.5) <= turnStep * 0.501)
          #expect(abs(reading.rotationRate.y + 0.25) <= turnStep * 0.501)
          #expect(abs(reading.rotationRate.z - 1) <= turnStep * 0.501)
          #expect(abs(reading.temperature - 31.5) < 0.04)
        }
      }
    }
  }

  @Test func `settings are the nearest that there are, or refused`() throws {
    var driver = LSM6DS3(LSM6DS3Bus(bench: LSM6DS3Bench(.lsm6ds3)))
    let taken = try driver.configure(Self.settings(.fifo, rate: 100, g: 3, dps: 245.1))
    #expect(taken.rate == 104 && taken.accelerationRange == 4)
    #expect(abs(taken.rotationRateRange - 245 * degree) < 1e-9)
    #expect(try driver.configure(Self.settings(.fifo, rate: 1)).rate == 12.5)
    for wrong in [
      Self.settings(.fifo, rate: 3330), Self.settings(.fifo, rate: 0),
      Self.settings(.fifo, rate: .nan), Self.settings(.fifo, g: 17),
      Self.settings(.fifo, g: -1), Self.settings(.fifo, dps: 2500), Self.settings(.detections),
    ] {
      do {
        _ = try driver.configure(wrong)
        Issue.record("\(wrong) was taken")
      } catch { #expect(error == .unsupportedSetting) }
    }
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `minus full scale to plus comes out in counts`(_ family: LSM6DS3Family) throws {
    let held = World(ChipReading(channels: [.acceleration, .rotationRate, .temperature]))
    for count in stride(from: -32768, through: 32767, by: 2521) {
      let value = Double(count)
      held.held.specificForce = Vector3(value, -value / 2, value / 4) * 0.000122
      held.held.rotationRate = Vector3(-value / 4, value, -value / 2) * (0.0175 * degree)
      held.held.temperature = 25 + value / 1000
      let bench = LSM6DS3Bench(family, held.held)
      let run = try LSM6DS3Run(bench, Self.settings(.fifo))
      run.start()
      let reading = try #require(run.readings.last)
      let force = reading.specificForce * (1 / 0.000122)
      let turn = reading.rotationRate * (1 / (0.0175 * degree))
      #expect(abs(force.x - value) < 0.51 && abs(force.y + value / 2) < 0.51)
      #expect(abs(force.z - value / 4) < 0.51 && abs(turn.x + value / 4) < 0.51)
      #expect(abs(turn.y - value) < 0.51 && abs(turn.z + value / 2) < 0.51)
      // The FIFO contains no temperatures.
      #expect(reading.channels == [.acceleration, .rotationRate])
    }
  }

  @Test func `a burst decodes as worked out by hand`() {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 14
    // 16 g is accelerometer code 1; 125 dps is code 1 of three bits; the temperature is one count
    // of 1/16 above.
    for (index, code) in [UInt8](arrayLiteral: 1, 1, 0x69).enumerated() {
      batch.format[index] = code
    }
    let bytes: [UInt8] = [
      0x01, 0x00, 0xE8, 0x03, 0x18, 0xFC, 0x00, 0x80, 0xFF, 0x7F, 0xFF, 0xFF, 0x02, 0x08,
    ]
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    var reading = LSM6DS3Decoder.decode(batch, frame: 0)
    #expect(reading.temperature == 25.0625)
    #expect(abs(reading.rotationRate.x - 4.375 * degree) < 1e-12)
    #expect(abs(reading.rotationRate.y + 4.375 * degree) < 1e-12)
    #expect(abs(reading.rotationRate.z + 143.36 * degree) < 1e-12)
    #expect(abs(reading.specificForce.x - 15.990296) < 1e-9)
    #expect(abs(reading.specificForce.y + 0.000488) < 1e-12)
    #expect(abs(reading.specificForce.z - 1.0004) < 1e-9)
    for (index, code) in [UInt8](arrayLiteral: 1, 1, 0x6A).enumerated() {
      batch.format[index] = code
    }
    reading = LSM6DS3Decoder.decode(batch, frame: 0)
    #expect(reading.temperature == 25.00390625)
  }
}
