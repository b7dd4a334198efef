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

// The particularities of SPI, and the bus time on either wire.
@Suite struct MPU6050WireTests {
  /// I2C_IF_DIS (0x6A bit 4) is set before and after the reset and stays set; SIGNAL_PATH_RESET = 7
  /// follows, with 100 ms each.
  @Test func `a start on SPI switches I2C off and resets the signal path`() throws {
    let bench = Rig.mpu6050(0x68, isSPI: true)
    var driver = MPU6050(bench.wire())
    _ = try driver.configure(MPU6050RunningTests.settings(.fifo))
    driver.start()
    bench.run(&driver, for: .milliseconds(310))
    #expect(
      Array(bench.log.transactions.prefix(7)) == [
        .read(0x75, [0x68]), .write(0x6A, 0x10), .write(0x6B, 0xC0), .read(0x6B, [0x40]),
        .write(0x6A, 0x10), .write(0x68, 0x07), .write(0x6B, 0x01),
      ])
    let waits = Array(bench.outcome.wakes.prefix(4))
    #expect(
      waits == [
        .after(.milliseconds(100)), .after(.milliseconds(100)), .after(.milliseconds(20)),
        .after(.milliseconds(70)),
      ])
    #expect(bench.written(0x6A) == [0x10, 0x10, 0x10, 0x14, 0x50])
    #expect(bench.register(0x6A) == 0x50)
  }

  /// The ICM-20602 has this bit in another register: 0x70 bit 6.
  @Test func `a part with its own switch for I2C is switched by that`() throws {
    let bench = Rig.mpu6050(0x12, isSPI: true)
    var driver = MPU6050(bench.wire())
    _ = try driver.configure(MPU6050RunningTests.settings(.fifo))
    driver.start()
    bench.run(&driver, for: .milliseconds(310))
    #expect(bench.written(0x70) == [0x40, 0x40])
    #expect(bench.written(0x6A) == [0x00, 0x04, 0x40])
  }

  /// On an MPU-6050 it could not be undone.
  @Test func `over I2C the switch for I2C is never written`() throws {
    let bench = Rig.mpu6050(0x68)
    var driver = MPU6050(bench.wire())
    _ = try driver.configure(MPU6050RunningTests.settings(.fifo))
    driver.start()
    bench.run(&driver, for: .seconds(1))
    #expect(bench.written(0x6A).allSatisfy { $0 & 0x10 == 0 })
    #expect(bench.written(0x68) == [])
  }

  /// Each transaction fails in turn, on either wire and in each acquisition: samples continue, and
  /// each is delivered or counted as missing.
  @Test(
    .sweep,
    arguments: [0x68, 0x70] as [UInt8],
    [
      (true, Acquisition.dataReady), (true, .fifo), (true, .polling), (false, .fifo),
      (false, .dataReady),
    ])
  func `an error in any transaction is reported`(
    identity: UInt8, way: (isSPI: Bool, acquisition: Acquisition)
  ) throws {
    for index in 0..<56 {
      let bench = Rig.mpu6050(identity, isSPI: way.isSPI)
      // All samples are within one second, and x shows the time of each.
      bench.world.changes = { time, _, reading in
        reading.specificForce.x = MPU6050FaultTests.saw(time)
      }
      var driver = MPU6050(bench.wire(failingAt: index..<(index + 1), throwing: .timeout))
      _ = try driver.configure(MPU6050RunningTests.settings(way.acquisition, rate: 200))
      driver.start()
      bench.run(&driver, for: .milliseconds(900))
      let health = driver.health
      #expect(bench.outcome.errors.count == 1, "\(index)")
      #expect(health.busErrors == 1, "\(index)")
      #expect(bench.outcome.frames.count > 50, "\(index): \(bench.outcome.frames.count)")
      #expect(bench.outcome.isOrdered, "\(index)")
      let frames = bench.outcome.frames
      #expect(
        frames.allSatisfy {
          $0.reading.specificForce.y == -1 && $0.reading.specificForce.z == 1
        }, "\(index)")
      if let first = frames.first, let last = frames.last {
        // 3.8 g per second, at 200 samples per second.
        let span = (last.reading.specificForce.x - first.reading.specificForce.x) / 3.8 * 200
        let reported = Double(frames.count + bench.outcome.missing)
        #expect(abs(span.rounded() + 1 - reported) <= 1, "\(index): \(span + 1) \(reported)")
      }
    }
  }

  /// In a minute at 1 kHz nothing is lost, and less than a tenth of the traffic is overhead.
  @Test(.sweep, arguments: [false, true])
  func `a minute at full rate loses nothing, and overhead is small`(isSPI: Bool) throws {
    let bench = Rig.mpu6050(0x68, isSPI: isSPI, clockError: 0.013)
    var driver = MPU6050(bench.wire())
    _ = try driver.configure(MPU6050RunningTests.settings(.fifo))
    driver.start()
    bench.run(&driver, for: .seconds(1))
    _ = bench.takeOutcome()
    let (bytes, transactions) = (bench.bus.bytes, bench.bus.transactions)
    let waiting = Self.waiting(bench)
    let taken = bench.model.samplesTaken
    bench.run(&driver, for: .seconds(60))
    let outcome = bench.takeOutcome()
    #expect(outcome.errors == [] && outcome.missing == 0 && outcome.isOrdered)
    let health = driver.health
    #expect(health.overflows == 0 && health.missing == 0)
    let left = Self.waiting(bench)
    let sent = Int(bench.model.samplesTaken - taken) + waiting - left
    #expect(outcome.frames.count == sent)
    #expect(sent > 60_700 && sent < 60_850)
    let cost = Double(bench.bus.bytes - bytes) / Double(outcome.frames.count * 14)
    #expect(cost > 1 && cost < 1.07, "\(cost)")
    let calls = Double(bench.bus.transactions - transactions) * 1000 / Double(outcome.frames.count)
    #expect(calls < 225, "\(calls)")
  }

  /// Returns the number of frames in the model's FIFO, from FIFO_COUNT.
  static func waiting(_ bench: Rig) -> Int {
    (Int(bench.register(0x72)) << 8 | Int(bench.register(0x73))) / 14
  }
}
