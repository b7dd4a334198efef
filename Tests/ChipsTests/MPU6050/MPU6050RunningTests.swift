// SPDX-License-Identifier: Apache-2.0
import Simulation
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Boards
import Testing

@Suite struct MPU6050RunningTests {
  static func settings(_ acquisition: Acquisition, rate: Double = 1000) -> SensorSettings {
    SensorSettings(
      rate: rate, accelerationRange: 2, rotationRateRange: radians(fromDegrees: 250),
      acquisition: acquisition)
  }

  func rig(attached: Bool = true) -> Rig {
    let rig = Rig(at: 0x68, WireFormat(), attached: attached) { MPU6050Model($0) }
    rig.world.held.specificForce = Vector3(0.5, -1, 1)
    rig.world.held.rotationRate = Vector3(1, -2, 3)
    rig.world.held.temperature = 25
    return rig
  }

  func isRight(_ reading: ChipReading) -> Bool {
    let force = reading.specificForce - Vector3(0.5, -1, 1)
    let turn = reading.rotationRate - Vector3(1, -2, 3)
    // Within one count: 1/16384 g, 1/131 dps, 1/340 degrees.
    return force.norm < 1.0 / 16384 && turn.norm < radians(fromDegrees: 1.0 / 131)
      && abs(reading.temperature - 25) < 1.0 / 340
  }

  @Test func `an absent chip does not acknowledge`() throws {
    let rig = rig(attached: false)
    var driver = MPU6050(rig.wire())
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .error(.bus(.noAcknowledge, register: 0x75)))
    let errors = driver.health.busErrors
    #expect(errors == 1)
  }

  @Test(arguments: [Acquisition.dataReady, .fifo, .polling])
  func `each way of reading delivers, and a stop puts the chip to sleep`(
    acquisition: Acquisition
  ) throws {
    let rig = rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(Self.settings(acquisition))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    let health = driver.health
    #expect(outcome.errors == [])
    #expect(outcome.frames.count >= 1785, "\(outcome.frames.count)")
    #expect(outcome.missing == 0)
    #expect(health.missing == 0)
    #expect(health.received == UInt64(outcome.frames.count))
    #expect(outcome.isOrdered)
    #expect(outcome.frames.allSatisfy { isRight($0.reading) })
    try driver.stop()
    #expect(rig.model.read(0x6B) == 0x40)
  }

  /// Each transaction fails in turn: the error is thrown with its register and counted, and then
  /// samples follow.
  @Test(.sweep, arguments: [Acquisition.dataReady, .fifo, .polling])
  func `a running driver recovers from an error in any transaction`(
    acquisition: Acquisition
  )
    throws
  {
    for index in 0..<45 {
      let rig = rig()
      var driver = MPU6050(
        rig.wire(failingAt: index..<(index + 1), throwing: .arbitrationLost))
      _ = try driver.configure(Self.settings(acquisition, rate: 200))
      driver.start()
      let outcome = rig.run(&driver, for: .milliseconds(700))
      let health = driver.health
      #expect(outcome.errors.count == 1, "\(index)")
      #expect(outcome.errors.first?.busError == .arbitrationLost, "\(index)")
      #expect(health.busErrors == 1, "\(index)")
      #expect(outcome.frames.count > 50, "\(index): \(outcome.frames.count)")
      #expect(outcome.isOrdered, "\(index)")
      #expect(outcome.frames.allSatisfy { isRight($0.reading) }, "\(index)")
      // Every sample since the first is delivered or counted as missing.
      if let first = outcome.frames.first, let last = outcome.frames.last {
        let span = (last.time - first.time).seconds * 200
        #expect(
          abs(span + 1 - Double(outcome.frames.count + outcome.missing)) <= 1, "\(index)")
      }
    }
  }

  @Test func `a bus that stays down is tried until it is back`() throws {
    let rig = rig()
    var driver = MPU6050(rig.wire(failingAt: 60..<90, throwing: .timeout))
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    let health = driver.health
    #expect(outcome.errors.count == 30)
    #expect(health.busErrors == 30)
    // The sixth failure in a row, and each after it, causes a restart with identity and reset.
    #expect(health.restarts == 25)
    #expect(outcome.isOrdered)
    let last = try #require(outcome.frames.last)
    #expect((rig.clock.now - last.time) < .milliseconds(20))
    #expect(isRight(last.reading))
  }

  static let tampering: [(UInt8, UInt8)] = [
    (0x6B, 0x41), (0x6B, 0x00), (0x6C, 0x3F), (0x19, 0x07), (0x1A, 0x06), (0x1B, 0x18),
    (0x1C, 0x18), (0x37, 0x02), (0x38, 0x00), (0x38, 0x01),
  ]

  @Test(.sweep, arguments: [Acquisition.dataReady, .fifo, .polling], tampering)
  func `tampering is repaired`(acquisition: Acquisition, change: (UInt8, UInt8)) throws {
    let rig = rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(Self.settings(acquisition))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    let right = rig.model.read(change.0)
    let earlier = driver.health.received
    guard right != change.1 else { return }
    let then = rig.clock.now
    rig.tamper(change.0, change.1)
    let outcome = rig.run(&driver, for: .seconds(2))
    let noticed = try #require(outcome.errorTimes.first)
    #expect(noticed - then <= .seconds(1))
    #expect(outcome.errors.count == 1)
    let health = driver.health
    #expect(health.misconfigurations == 1)
    #expect(rig.model.read(change.0) == right)
    let last = try #require(outcome.frames.last)
    #expect(rig.clock.now - last.time < .milliseconds(20))
    #expect(isRight(last.reading))
    #expect(outcome.isOrdered)
    // Samples read before the fault was detected are counted.
    #expect(health.received == earlier + UInt64(outcome.frames.count))
  }

  /// The FIFO's switches are compared too.
  @Test(arguments: [(0x23, 0x00), (0x6A, 0x00), (0x23, 0x08)] as [(UInt8, UInt8)])
  func `a queue that is switched off is noticed`(change: (UInt8, UInt8)) throws {
    let rig = rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    let then = rig.clock.now
    rig.tamper(change.0, change.1)
    let outcome = rig.run(&driver, for: .seconds(2))
    let noticed = try #require(outcome.errorTimes.first)
    #expect(noticed - then <= .seconds(1))
    let last = try #require(outcome.frames.last)
    #expect(rig.clock.now - last.time < .milliseconds(20))
    #expect(isRight(last.reading))
  }

  @Test func `an overflow is counted and left behind`() throws {
    let rig = rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    let before = rig.run(&driver, for: .seconds(5))
    let last = try #require(before.frames.last)
    rig.clock.advance(to: rig.clock.now + .seconds(2))
    rig.world.held.specificForce = Vector3(-0.25, 0.75, -1)
    let after = rig.run(&driver, for: .seconds(1))
    let health = driver.health
    #expect(health.overflows == 1)
    #expect(after.errors == [])
    let first = try #require(after.frames.first)
    // The model takes a sample exactly each millisecond.
    let skipped = ((first.time - last.time).seconds * 1000).rounded() - 1
    #expect(Double(first.missing) == skipped)
    #expect(first.missing > 1990 && first.missing < 2040)
    #expect(health.missing == UInt64(first.missing))
    #expect(after.missing == Int(first.missing))
    #expect(after.isOrdered && first.time > last.time)
    let wrong = after.frames.filter {
      ($0.reading.specificForce - Vector3(-0.25, 0.75, -1)).norm > 1.0 / 16384
    }
    #expect(wrong.isEmpty)
  }

  @Test func `bursts are whole frames`() throws {
    let rig = rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    _ = rig.run(&driver, for: .seconds(1))
    var bursts = 0
    for case .read(0x74, let bytes) in rig.log.transactions {
      #expect(bytes.count % 14 == 0 && !bytes.isEmpty)
      bursts += 1
    }
    #expect(bursts > 50)
    // The FIFO is never read byte by byte, and never without its count.
    let counts = rig.log.transactions.filter {
      if case .read(0x72, let bytes) = $0 { bytes.count == 2 } else { false }
    }
    #expect(counts.count >= bursts)
  }

  @Test func `a dead interrupt line is replaced by polling`() throws {
    let rig = rig()
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(Self.settings(.dataReady, rate: 100))
    driver.start()
    var batch = RawBatch()
    var frames = 0
    for _ in 0..<100 {
      if case .wake(let wake) = step(&driver, &batch) {
        frames += batch.frames
        var loop = DriverLoop()
        loop.take(wake, at: rig.clock.now)
        rig.clock.advance(to: loop.due)
      }
    }
    let health = driver.health
    #expect(frames > 80)
    #expect(health.missedInterrupts == UInt64(frames))
    // Three waits for edges of four periods each, then polls.
    #expect(health.missing < 10)
  }
}
