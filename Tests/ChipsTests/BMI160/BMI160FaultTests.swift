// SPDX-License-Identifier: Apache-2.0
import Simulation
import ChipCatalog
import Quantities
import Registers
import Sensors
import Boards
import Testing

private let fast = SensorSettings(
  rate: 1600, accelerationRange: 2, rotationRateRange: radians(fromDegrees: 2000),
  acquisition: .fifo, batchInterval: .milliseconds(10))

/// A generator of pseudo-random numbers with a fixed seed.
private struct Dice {
  var state: UInt64
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(UInt64(1) << 53)
  }
}

/// Every sample that the model takes is delivered, counted as missing, or still in its FIFO.
@Suite struct BMI160FaultTests {
  /// Tries sixty phases. The FIFO counts up to 255 lost frames; above that the time is used.
  @Test(.sweep, arguments: [true, false], [100, 190, 400])
  func `an overflow at any phase is counted`(_ isWired: Bool, _ stall: Int64) throws {
    let rig = try BMI160Rig(fast, clockError: 0.02, isWired: isWired)
    rig.run(.milliseconds(2500))
    let before = rig.unaccounted(frameSize: 13)
    for phase in 0..<16 {
      rig.clock.advance(to: rig.clock.now + .milliseconds(stall) + .microseconds(39) * Int64(phase))
      rig.run(.milliseconds(150))
      #expect(rig.unaccounted(frameSize: 13) == before, "phase \(phase)")
    }
    #expect(rig.driver.health.overflows == 16)
    #expect(rig.errors == [])
    #expect(rig.isStrictlyIncreasing)
  }

  @Test(arguments: [true, false])
  func `a queue that is overrun at any phase loses nothing uncounted`(_ isWired: Bool) throws {
    let rig = try BMI160Rig(fast, clockError: -0.01, isWired: isWired)
    rig.run(.milliseconds(2500))
    let before = rig.unaccounted(frameSize: 13)
    for phase in 0..<16 {
      rig.run(.microseconds(3000 + 39 * Int64(phase)))
      rig.model.advance(to: rig.clock.now)
      rig.model.overrunQueue()
      rig.run(.milliseconds(100))
      #expect(rig.unaccounted(frameSize: 13) == before, "phase \(phase)")
    }
    #expect(rig.missing > 16)
    #expect(rig.isStrictlyIncreasing)
  }

  /// An address that is not acknowledged removes nothing from the FIFO, so no loss is reported.
  @Test(.sweep, arguments: [true, false])
  func `one refusal in a hundred takes nothing out of the queue`(_ isWired: Bool) throws {
    let rig = try BMI160Rig(fast, wire: .i2c, clockError: 0.01, isWired: isWired)
    rig.run(.seconds(2))
    let before = rig.unaccounted(frameSize: 13)
    let missed = rig.driver.health.missing
    var dice = Dice(state: 7)
    rig.port.failure = { _ in dice.next() < 0.01 ? .noAcknowledge : nil }
    rig.run(.seconds(8))
    rig.port.failure = { _ in nil }
    rig.run(.milliseconds(200))
    #expect(rig.errors.count > 4)
    #expect(rig.driver.health.restarts == 0)
    #expect(rig.driver.health.missing == missed)
    #expect(rig.unaccounted(frameSize: 13) == before)
    #expect(rig.isStrictlyIncreasing)
  }

  /// A transfer that is interrupted removes frames from the FIFO.
  @Test(.sweep, arguments: [true, false])
  func `a transfer that breaks off takes counted frames with it`(_ isWired: Bool) throws {
    let rig = try BMI160Rig(fast, clockError: 0.01, isWired: isWired)
    rig.run(.milliseconds(2500))
    let before = rig.unaccounted(frameSize: 13)
    var dice = Dice(state: 8)
    rig.port.failure = { _ in dice.next() < 0.01 ? .timeout : nil }
    rig.run(.seconds(10))
    rig.port.failure = { _ in nil }
    rig.run(.milliseconds(200))
    #expect(rig.errors.count > 10)
    #expect(rig.driver.health.restarts == 0)
    #expect(rig.driver.health.missing > 0)
    #expect(rig.unaccounted(frameSize: 13) == before)
    #expect(rig.isStrictlyIncreasing)
  }

  @Test(arguments: [Acquisition.dataReady, .polling])
  func `a refused read of registers costs counted samples`(_ way: Acquisition) throws {
    var settings = fast
    settings.rate = 400
    settings.acquisition = way
    let rig = try BMI160Rig(settings, wire: .i2c, clockError: 0.01)
    rig.run(.seconds(3))
    let before = rig.unaccounted(frameSize: 13)
    var dice = Dice(state: 9)
    rig.port.failure = { _ in dice.next() < 0.01 ? .noAcknowledge : nil }
    rig.run(.seconds(5))
    rig.port.failure = { _ in nil }
    rig.run(.milliseconds(200))
    #expect(rig.errors.count > 10)
    #expect(rig.driver.health.restarts == 0)
    #expect(abs(rig.unaccounted(frameSize: 13) - before) <= 1)
  }

  /// After the power cycle the chip is suspended and, on SPI, in I2C mode. It is detected within
  /// 100 ms plus 10 ms after an error, and started within 100 ms.
  @Test(
    arguments: [Acquisition.fifo, .dataReady, .polling], [Wire.spi, .i2c])
  func `a chip that lost its supply is started again`(_ way: Acquisition, _ wire: Wire) throws {
    var settings = fast
    settings.rate = 400
    settings.acquisition = way
    let rig = try BMI160Rig(settings, wire: wire)
    rig.run(.seconds(1))
    for shift in 0..<8 {
      rig.run(.milliseconds(301 + 7 * Int64(shift)))
      let died = rig.clock.now
      let count = rig.samples.count
      rig.model.advance(to: died)
      rig.model.powerCycle()
      rig.run(.milliseconds(310))
      let next = try #require(rig.samples.dropFirst(count).first { $0.missing > 0 })
      #expect((next.timestamp - died).seconds < 0.3)
    }
    #expect(rig.driver.health.restarts == 8)
    #expect(rig.isStrictlyIncreasing)
    #expect(rig.samples.allSatisfy { abs($0.acceleration.y - 0.5) < 0.001 })
    // Time continues across each gap; the count of missing samples may be off by one at each.
    let settled = rig.samples.dropFirst(200)
    let first = try #require(settled.first)
    let last = try #require(settled.last)
    let periods = (last.timestamp - first.timestamp).seconds * 400
    let said = settled.dropFirst().reduce(0) { $0 + 1 + Int($1.missing) }
    #expect(abs(Int(periods.rounded()) - said) <= 4)
  }

  /// Without samples a poll each second detects it.
  @Test(arguments: [Wire.spi, .i2c], [PowerMode.normal, .low])
  func `a power cycle while only detections are awaited is found`(_ wire: Wire, _ power: PowerMode)
    throws
  {
    var settings = SensorSettings(rate: 100, acquisition: .detections)
    settings.power = power
    settings.detection.kinds = .motion
    let rig = try BMI160Rig(settings, wire: wire)
    rig.world.held.specificForce = Vector3(0, 0, 1)
    rig.run(.milliseconds(700))
    rig.model.advance(to: rig.clock.now)
    rig.model.powerCycle()
    rig.run(.milliseconds(1100))
    #expect(rig.errors.count == 1)
    rig.world.held.specificForce.x = 1
    rig.run(.milliseconds(20))
    #expect(rig.detections.map(\.detail) == [1])
  }

  /// The same test as for both sensors, with only the accelerometer.
  @Test(.sweep, arguments: [Acquisition.fifo, .dataReady, .polling, .detections])
  func `an error at each transaction is got over in low power`(_ way: Acquisition) throws {
    for index in 0..<50 {
      var settings = SensorSettings(rate: 200, acquisition: way)
      settings.power = .low
      settings.detection.kinds = .motion
      let rig = try BMI160Rig(settings, wire: .i2c)
      rig.port.failing = index
      rig.run(.milliseconds(800))
      rig.world.held.specificForce.x = 1
      rig.run(.milliseconds(200))
      #expect(rig.errors.count <= 1, "transaction \(index)")
      #expect(rig.detections.contains { $0.kind == .motion && $0.detail == 1 }, "\(index)")
      if way != .detections { #expect(rig.samples.count > 120, "transaction \(index)") }
      #expect(rig.isStrictlyIncreasing)
    }
  }

  /// Runs for a minute at the highest rate.
  @Test(.sweep) func `at the highest rate no sample is lost, and overhead is small`() throws {
    let rig = try BMI160Rig(fast)
    rig.run(.milliseconds(100))
    let (bytes, transactions) = (rig.bus.bytes, rig.bus.transactions)
    let before = rig.unaccounted(frameSize: 13)
    rig.run(.seconds(20))
    #expect(rig.unaccounted(frameSize: 13) == before)
    #expect(rig.missing == 0)
    #expect(rig.errors == [])
    let ratio = Double(rig.bus.bytes - bytes) / Double(rig.samples.count * 12)
    let perThousand = (rig.bus.transactions - transactions) * 1000 / rig.samples.count
    print(
      "BMI160, 1600 Hz, batches of 10 ms: \(rig.samples.count) samples, \(ratio) bytes a byte,",
      "\(perThousand) transactions in 1000 samples")
    #expect(rig.samples.count > 31_960)
    #expect(ratio < 1.10)
    #expect(perThousand < 90)
  }
}
