// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

// Bytes are typed from BST-BMP280-DS001 revision 1.26, section 4, and BST-BME280-DS002, section 5.
@Suite struct BMP280ModesTests {
  static let names = ["bosch,bmp280", "bosch,bme280"]

  /// osrs_t 001 and osrs_p 001 with mode 00 are 0x24; with mode 01, which starts a conversion,
  /// 0x25.
  @Test(arguments: names)
  func `low power is a forced conversion at any rate up to 50 Hz`(name: String) throws {
    for (asked, taken) in [(120.0, 50.0), (50, 50), (25, 25), (3, 3), (0.5, 0.5)] {
      let bench = try BMP280Bench(name, clockError: -0.02)
      bench.world.climb(0.0005)
      try bench.start(rate: min(asked, 117), power: .low)
      #expect(bench.settings.rate == taken && bench.settings.power == .low)
      let samples = bench.run(max(4, 5 / taken))
      #expect(bench.errors == [])
      #expect(bench.log.count { $0 == [0xF4, 0x25] } == bench.world.times.count)
      #expect(bench.log.allSatisfy { $0.first != 0xF4 || [0x24, 0x25].contains($0[1]) })
      #expect(bench.log.contains([0xF2, 0x01]) == (name == "bosch,bme280"))
      #expect(Double(samples.count) >= max(4, 5 / taken) * taken - 1)
      // One conversion may still be running.
      #expect(bench.world.times.count - samples.count <= 1)
      #expect(BMP280DriverTests.repeats(samples) == 0)
      for (sample, truth) in zip(samples, bench.world.times) {
        // Half of the difference between the shortest and the longest conversion at x 1 in the data
        // sheet.
        #expect(abs((sample.time - truth).seconds) < 0.0015)
      }
    }
  }

  @Test func `low power can be filtered too`() throws {
    let bench = try BMP280Bench("bosch,bmp280")
    try bench.start(rate: 25, bandwidth: 1, power: .low)
    #expect(abs((bench.settings.bandwidth ?? 0) - 0.5325) < 1e-9)
    _ = bench.run(0.5)
    #expect(bench.log.contains([0xF5, 0x0C]))
  }

  @Test(arguments: names)
  func `a frame is what the chip measured and nothing else`(name: String) throws {
    let bench = try BMP280Bench(name)
    try bench.start(rate: 25)
    _ = bench.run(1)
    let size = name == "bosch,bme280" ? 8 : 6
    // Each read has one address byte and one frame.
    #expect(bench.log.contains { $0.first == 0xF7 && $0.count == size + 1 })
    #expect(bench.log.allSatisfy { $0.first != 0xF7 || $0.count == size + 1 })
  }

  @Test(arguments: names)
  func `there is no pin, no detection and nothing behind the chip`(name: String) throws {
    let bench = try BMP280Bench(name)
    var settings = SensorSettings(rate: 25, acquisition: .dataReady)
    settings.passesThrough = true
    settings.detection.kinds = .motion
    settings.interruptPin = InterruptPin(number: 2, isActiveLow: true)
    let taken = try bench.driver.configure(settings)
    #expect(taken.acquisition == .polling && !taken.passesThrough)
    #expect(taken.detection.kinds == [] && taken.interruptPin == InterruptPin())
    settings.acquisition = .detections
    #expect(throws: ChipError.unsupportedSetting) { try bench.driver.configure(settings) }
    #expect(throws: ChipError.unsupportedSetting) { try bench.driver.startSelfTest() }
    #expect(try #require(ChipCatalog.entry(named: name)).description.interruptPins == 0)
  }

  @Test(
    .sweep,
    arguments: names,
    [PowerMode.normal, .low])
  func `for a long time each conversion comes once, or is counted`(name: String, power: PowerMode)
    throws
  {
    let rates = try #require(ChipCatalog.entry(named: name)).description.rates
    for rate in rates where rate > 0.05 && (power == .normal || rate <= 50) {
      for clockError in [-0.05, 0.013, 0.05] {
        let bench = try BMP280Bench(name, clockError: clockError)
        bench.world.climb(0.0005)
        try bench.start(rate: rate, power: power)
        let samples = bench.run(max(20, 100 / rate))
        let health = bench.driver.health
        let reported = Int64(health.received + health.missing)
        let note = "\(rate) Hz, \(clockError): \(health) of \(bench.model.samplesTaken)"
        #expect(bench.errors == [], "\(note)")
        #expect((0...1).contains(Int64(bench.model.samplesTaken) - reported), "\(note)")
        #expect(health.missing == 0, "\(note)")
        #expect(BMP280DriverTests.repeats(samples) == 0, "\(note)")
        #expect(UInt64(samples.count) == health.received)
      }
    }
  }

  @Test(.sweep, arguments: names, [PowerMode.normal, .low])
  func `where one transaction in a hundred fails every loss is counted`(
    name: String, power: PowerMode
  ) throws {
    for rate in [100.0, 44, 25, 8, 1] where power == .normal || rate <= 50 {
      let bench = try BMP280Bench(name, clockError: 0.01)
      bench.world.climb(0.0005)
      var state: UInt64 = 5
      bench.failing = { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % 100 == 0
      }
      try bench.start(rate: rate, power: power)
      let samples = bench.run(60)
      let health = bench.driver.health
      let reported = Int64(health.received + health.missing)
      let note = "\(rate) Hz: \(health) of \(bench.model.samplesTaken)"
      #expect(bench.errors.count > 1)
      #expect(bench.errors.allSatisfy { $0.busError == .noAcknowledge })
      #expect(health.busErrors == UInt64(bench.errors.count))
      #expect(abs(reported - Int64(bench.model.samplesTaken)) <= 1, "\(note)")
      #expect(BMP280DriverTests.repeats(samples) == 0, "\(note)")
      #expect(Double(health.received) > 0.9 * Double(bench.model.samplesTaken), "\(note)")
    }
  }

  @Test(
    .sweep,
    arguments: names,
    [PowerMode.normal, .low])
  func `a chip that lost its supply samples again within 200 ms and its start`(
    name: String, power: PowerMode
  ) throws {
    for rate in [100.0, 44, 10, 1, 0.25] where power == .normal || rate <= 50 {
      // Try twelve moments of the cycle and of the configuration check.
      for part in 0..<12 {
        let bench = try BMP280Bench(name)
        try bench.start(rate: rate, power: power)
        _ = bench.run(2 + 2 / rate + Double(part) * 0.017)
        #expect(bench.errors == [])
        bench.brownOut()
        let then = bench.now
        let samples = bench.run(1 + 2 / rate)
        let note = "\(rate) Hz, \(part)"
        let first = try #require(samples.first, "\(note)")
        // 10 ms after an error, at least 2 ms of start, a conversion, and a period until whose end
        // the chip sleeps.
        #expect((first.time - then).seconds <= 0.26 + 1 / bench.settings.rate, "\(note)")
        if bench.settings.rate > 1, power == .normal {
          let noticed = try #require(bench.errorTimes.first, "\(note)")
          #expect(noticed - then <= .milliseconds(200), "\(note)")
        }
        #expect(bench.errors.count <= 1, "\(note)")
        #expect(samples.allSatisfy { abs($0.reading.pressure - 101.325) < 0.001 }, "\(note)")
        #expect(
          samples.allSatisfy { $0.reading.channels == bench.driver.channels }, "\(note)")
      }
    }
  }

  @Test func `a forced conversion that cannot be read is counted`() throws {
    let bench = try BMP280Bench("bosch,bmp280")
    try bench.start(rate: 1)
    _ = bench.run(2.5)
    // From the next conversion on three transactions fail: 0xF5, 0xF4 with the trigger, and the
    // status.
    let next = bench.log.count + 3
    bench.failing = { (next..<(next + 3)).contains($0) }
    let samples = bench.run(4)
    #expect(bench.errors.count == 3)
    #expect(bench.driver.health.restarts == 1)
    #expect(samples.first?.missing == 1)
    #expect(bench.driver.health.missing == 1)
    let reported = bench.driver.health.received + bench.driver.health.missing
    #expect(reported == bench.model.samplesTaken)
  }
}
