// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

@Suite struct BMP280DriverTests {
  static let names = ["bosch,bmp280", "bosch,bme280"]

  @Test func `a start over I2C is the transactions typed by hand`() throws {
    let bench = try BMP280Bench("bosch,bmp280")
    try bench.start(rate: 26.3)
    _ = bench.run(0.03)
    let sent = bench.log.map { $0 }
    #expect(sent[0] == [0xD0, 0x58])
    #expect(sent[1] == [0xE0, 0xB6])
    #expect(sent[2] == [0xF3, 0x00])
    #expect(sent[3] == [0x88] + BMP280DecodingTests.trimBytes.prefix(24))
    // 0xF5: standby 0.5 ms and no filter; 0xF4: temperature x 2, pressure x 16, normal mode.
    #expect(sent[4] == [0xF5, 0x00])
    #expect(sent[5] == [0xF4, 0x57])
    #expect(sent[6] == [0xF5, 0x00])
    #expect(sent[7] == [0xF4, 0x57])
  }

  @Test func `a start over SPI has bit 7 for reads, clear for writes`() throws {
    let bench = try BMP280Bench("bosch,bme280", spi: true)
    try bench.start(rate: 24.6)
    let samples = bench.run(1)
    let sent = bench.log
    #expect(sent[0] == [0xD0, 0x60])
    #expect(sent[1] == [0x60, 0xB6])
    #expect(sent[2] == [0xF3, 0x00])
    #expect(sent[3] == [0x88] + BMP280DecodingTests.trimBytes.prefix(24))
    #expect(sent[4] == [0xA1, 75])
    #expect(sent[5] == [0xE1] + BMP280DecodingTests.trimBytes.suffix(7))
    #expect(sent[6] == [0x75, 0x00])
    #expect(sent[7] == [0x72, 0x01])
    #expect(sent[8] == [0x74, 0x57])
    #expect(sent[9...11] == [[0xF5, 0x00], [0xF2, 0x01], [0xF4, 0x57]])
    #expect(sent.contains { $0.first == 0xF7 && $0.count == 9 })
    #expect((22...25).contains(samples.count))
    #expect(samples.allSatisfy { $0.reading.channels == [.pressure, .temperature, .humidity] })
    #expect(bench.errors == [])
  }

  @Test func `a forced chip sleeps but for one conversion each period`() throws {
    let bench = try BMP280Bench("bosch,bmp280")
    try bench.start(rate: 0.5)
    let samples = bench.run(20.1)
    #expect(samples.count == 10 || samples.count == 11)
    #expect(bench.log.count { $0 == [0xF4, 0x55] } == samples.count)
    // Only the trigger and the comparison access 0xF4.
    #expect(bench.log.allSatisfy { $0.first != 0xF4 || [0x54, 0x55].contains($0[1]) })
    for (sample, truth) in zip(samples, bench.world.times) {
      #expect(abs((sample.time - truth).seconds) < 0.01)
    }
    try bench.driver.stop()
    #expect(bench.log.last == [0xF4, 0x00])
    let before = bench.log.count
    _ = bench.run(5)
    #expect(bench.log.count == before)
  }

  @Test func `stop puts normal mode to sleep`() throws {
    let bench = try BMP280Bench("bosch,bmp280")
    try bench.start(rate: 100)
    _ = bench.run(0.5)
    try bench.driver.stop()
    #expect(bench.log.last == [0xF4, 0x00])
    _ = bench.run(1)
    let conversions = bench.world.times.count
    _ = bench.run(5)
    #expect(bench.world.times.count == conversions)
  }

  @Test(arguments: [0x56, 0x57, 0x58, 0x60] as [UInt8])
  func `every id of the family selects its row`(id: UInt8) throws {
    for name in Self.names {
      let bench = try BMP280Bench(name, chip: id == 0x60 ? "bosch,bme280" : "bosch,bmp280")
      bench.overrides = [0xD0: id]
      try bench.start(rate: 20)
      let samples = bench.run(2)
      #expect(bench.errors == [])
      #expect(samples.count > 30)
      #expect(samples.allSatisfy { $0.reading.channels.contains(.humidity) == (id == 0x60) })
      #expect(bench.driver.channels.contains(.humidity) == (id == 0x60))
    }
  }

  @Test(arguments: [0x00, 0x55, 0x61, 0x68, 0xFF] as [UInt8])
  func `another chip is refused`(id: UInt8) throws {
    let bench = try BMP280Bench("bosch,bmp280")
    bench.overrides = [0xD0: id]
    try bench.start(rate: 25)
    #expect(bench.run(0.1).isEmpty)
    #expect(bench.errors.first == .identity(found: id, register: 0xD0))
    // Nothing is written to a chip with an unknown identity.
    #expect(bench.log.allSatisfy { $0.first == 0xD0 })
  }

  @Test func `an absent chip is asked for its id and nothing else`() throws {
    let bench = try BMP280Bench("bosch,bmp280")
    bench.failing = { _ in true }
    try bench.start(rate: 25)
    #expect(bench.run(1).isEmpty)
    #expect(bench.errors.count > 50)
    #expect(bench.errors.allSatisfy { $0 == .bus(.noAcknowledge, register: 0xD0) })
  }

  @Test func `a reset that never ends is given up, within 50 ms`() throws {
    let bench = try BMP280Bench("bosch,bmp280")
    bench.overrides = [0xF3: 0x01]
    try bench.start(rate: 25)
    #expect(bench.run(0.05).isEmpty)
    #expect(bench.errors == [.resetTimedOut])
    #expect(bench.log.count { $0.first == 0xF3 } == 21)
  }

  @Test func `a forced conversion that never ends is given up`() throws {
    let bench = try BMP280Bench("bosch,bmp280")
    bench.overrides = [0xF3: 0x08]
    try bench.start(rate: 1)
    #expect(bench.run(0.3).isEmpty)
    #expect(bench.errors.first == .unexpected(register: 0xF3, wanted: 0, found: 0x08))
  }

  @Test(arguments: [0x00, 0xFF] as [UInt8])
  func `trim words that are all 0 or all ones are no part's`(byte: UInt8) throws {
    let bench = try BMP280Bench("bosch,bmp280")
    for register: UInt8 in 0x88...0x9F { bench.overrides[register] = byte }
    try bench.start(rate: 25)
    #expect(bench.run(0.1).isEmpty)
    #expect(bench.errors.first == .identity(found: byte, register: 0x88))
  }

  @Test(arguments: [0xF4, 0xF5] as [UInt8])
  func `a configuration that does not hold is refused`(register: UInt8) throws {
    let bench = try BMP280Bench("bosch,bmp280")
    bench.overrides = [register: 0x03]
    try bench.start(rate: 25)
    _ = bench.run(0.05)
    guard case .rejected(register, _, readBack: 0x03) = bench.errors.first else {
      Issue.record("\(bench.errors)")
      return
    }
  }

  @Test(arguments: names, [25.0, 1])
  func `an error at any transaction is got over`(name: String, rate: Double) throws {
    for index in 0..<30 {
      let bench = try BMP280Bench(name)
      bench.world.climb(0.01)
      bench.failing = { $0 == index }
      try bench.start(rate: rate)
      let samples = bench.run(rate == 1 ? 6 : 2)
      #expect(bench.errors.count == 1 && bench.errors.first?.busError == .noAcknowledge)
      #expect(samples.count >= (rate == 1 ? 5 : 40), "\(index)")
      #expect(Self.repeats(samples) == 0)
      #expect(bench.driver.health.busErrors == 1)
    }
  }

  static func repeats(_ samples: [Outcome.Frame]) -> Int {
    zip(samples, samples.dropFirst()).count { $0.reading.pressure == $1.reading.pressure }
  }

  @Test func `settings beyond the chip are refused`() throws {
    for name in Self.names {
      let bench = try BMP280Bench(name)
      for rate in [0, -1, .nan, .infinity, 170.0] {
        #expect(throws: ChipError.unsupportedSetting) {
          try bench.driver.configure(SensorSettings(rate: rate))
        }
      }
      #expect(try bench.driver.configure(SensorSettings(rate: 1e-300)).rate == 1.0 / 60)
      #expect(try bench.driver.configure(SensorSettings(rate: 0.7)).rate == 0.7)
    }
  }

  @Test func `rates are those of the sheet's table 14, typed again`() throws {
    let bmp = try #require(ChipCatalog.entry(named: "bosch,bmp280")).description.rates
    let typed = [
      166.67, 125, 83.33, 50, 26.32, 10, 6.15, 3.48, 1.86, 1, 0.5, 0.2, 0.1, 0.0167,
    ]
    #expect(bmp.count == typed.count)
    for (rate, sheet) in zip(bmp, typed) { #expect(abs(rate - sheet) < sheet * 0.002 + 0.003) }
    let bme = try #require(ChipCatalog.entry(named: "bosch,bme280")).description.rates
    #expect(bme == bme.sorted(by: >))
    #expect(abs((bme.first ?? 0) - 1000 / 8.5) < 1e-9)
  }

  @Test(arguments: names, [-0.02, 0, 0.02])
  func `at every rate each conversion comes at most once, and in time`(
    name: String, clockError: Double
  ) throws {
    let rates = try #require(ChipCatalog.entry(named: name)).description.rates
    for rate in rates where rate > 0.05 {
      let bench = try BMP280Bench(name, clockError: clockError)
      bench.world.climb(0.0005)
      try bench.start(rate: rate)
      #expect(bench.settings.rate == rate)
      let samples = bench.run(max(3, 30 / rate))
      #expect(bench.errors == [])
      #expect(Self.repeats(samples) == 0)
      let missing = samples.reduce(0) { $0 + Int($1.missing) }
      let conversions = bench.world.times.count
      #expect(samples.count >= 20)
      // The last conversion may not have been read yet.
      #expect(
        (conversions - 1...conversions).contains(samples.count + missing),
        "\(rate) Hz: \(samples.count) and \(missing) of \(conversions)")
      #expect(missing == 0, "\(rate) Hz: \(missing) of \(conversions)")
      #expect(bench.driver.health.missing == UInt64(missing))
      #expect(bench.driver.health.received == UInt64(samples.count))
      var place = 0
      for (index, sample) in samples.enumerated() {
        place += Int(sample.missing)
        guard place < conversions else { break }
        let off = abs((sample.time - bench.world.times[place]).seconds) * rate
        if index > 5 { #expect(off < 0.05, "\(rate) Hz, sample \(index): \(off) periods") }
        place += 1
      }
      #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.time < $1.time })
    }
  }

  @Test(arguments: names)
  func `a thread that wakes late reads nothing twice and counts what it lost`(name: String) throws {
    for rate in [100.0, 25, 8] {
      let bench = try BMP280Bench(name, clockError: 0.01)
      bench.world.climb(0.0005)
      try bench.start(rate: rate)
      var state: UInt64 = 7
      let samples = bench.run(20) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // The delay is usually up to 0.1 ms, and once in 16 times up to 60 ms.
        let most: UInt64 = state >> 60 == 0 ? 60_000 : 100
        return .microseconds(Int64((state >> 33) % most))
      }
      #expect(bench.errors == [])
      #expect(Self.repeats(samples) == 0)
      let missing = samples.reduce(0) { $0 + Int($1.missing) }
      let conversions = bench.world.times.count
      let share = Double(samples.count + missing) / Double(conversions)
      #expect(abs(share - 1) < 0.02, "\(rate) Hz: \(samples.count) + \(missing) of \(conversions)")
      #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.time < $1.time })
    }
  }

  @Test(arguments: names)
  func `a driver that is called too often reads nothing twice`(name: String) throws {
    for rate in [100.0, 25, 10, 3, 1] {
      let bench = try BMP280Bench(name)
      bench.world.climb(0.0005)
      try bench.start(rate: rate)
      let samples = bench.run(10, eagerly: .milliseconds(1))
      #expect(bench.errors == [])
      #expect(Self.repeats(samples) == 0)
      let missing = samples.reduce(0) { $0 + Int($1.missing) }
      #expect(abs(samples.count + missing - bench.world.times.count) <= 1, "\(rate) Hz")
    }
  }

  @Test(arguments: names, [44.0, 10])
  func `a chip that was put to sleep is not read again`(name: String, rate: Double) throws {
    // Try twenty moments of the measurement cycle.
    for offset in 0..<20 {
      let bench = try BMP280Bench(name)
      bench.world.climb(0.0005)
      try bench.start(rate: rate)
      var samples = bench.run(2 + Double(offset) * 0.005)
      bench.model.write(0x54, to: 0xF4)
      samples += bench.run(1)
      #expect(bench.errors.count == 1)
      #expect(Self.repeats(samples) == 0)
      #expect(bench.driver.health.misconfigurations == 1)
    }
  }

  @Test(arguments: names, [50.0, 10, 1])
  func `a brown-out is found and the chip set up again`(name: String, rate: Double) throws {
    let bench = try BMP280Bench(name)
    // In forced mode a BMP280 loses only its filter setting, because the oversampling is written
    // each time.
    try bench.start(rate: min(rate, 44), bandwidth: rate == 1 ? 0.02 : nil)
    _ = bench.run(3)
    bench.brownOut()
    let samples = bench.run(4)
    #expect(bench.errors.count == 1)
    #expect(bench.driver.health.misconfigurations == 1)
    #expect(bench.driver.health.restarts == 1)
    // No reading of a chip in its reset state is delivered.
    #expect(samples.allSatisfy { abs($0.reading.pressure - 101.325) < 0.001 })
    #expect(Double(samples.count) > min(rate, 44) * 3 - 1)
  }

  @Test(arguments: names)
  func `the world comes out as it went in`(name: String) throws {
    for temperature in stride(from: -40.0, through: 85, by: 12.5) {
      for pressure in stride(from: 30.0, through: 110, by: 16) {
        for humidity in [5.0, 50, 95] {
          let bench = try BMP280Bench(
            name,
            world: World.weather(
              pressure: pressure, temperature: temperature, humidity: humidity))
          try bench.start(rate: 1)
          let reading = try #require(bench.run(0.2).first).reading
          // One code is 0.16 Pa, 0.3 mK and, at 100 percent, 0.006 percent; the temperature is
          // rounded to 10 mK.
          #expect(abs(reading.pressure - pressure) < 0.00035)
          #expect(abs(reading.temperature - temperature) < 0.0101)
          if name == "bosch,bme280" { #expect(abs(reading.humidity - humidity) < 0.02) }
        }
      }
    }
  }

  @Test func `a bandwidth chooses the filter, and the filter filters`() throws {
    let wanted: [(Double?, UInt8)] = [
      (nil, 0x00), (13.2, 0x00), (4, 0x04), (2, 0x08), (1, 0x0C), (0.3, 0x10), (0.01, 0x10),
    ]
    for (bandwidth, code) in wanted {
      let bench = try BMP280Bench("bosch,bmp280")
      try bench.start(rate: 26.3, bandwidth: bandwidth)
      _ = bench.run(1)
      #expect(bench.log.contains([0xF5, code]))
    }
    // With filter coefficient 16, 75 percent of a step are reached after 22 samples (data sheet,
    // table 6).
    let bench = try BMP280Bench("bosch,bmp280")
    try bench.start(rate: 26.3, bandwidth: 0.3)
    _ = bench.run(2)
    bench.world.held.pressure = 100.325
    let samples = bench.run(2)
    let after = samples[21].reading.pressure
    #expect(abs(101.325 - after - 0.758) < 0.05)
  }
}
