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

// Addresses, bits and scales are typed from DocID025715 revision 3 and from the drivers of ST,
// Linux and PX4.
@Suite struct LSM9DS1Tests {
  static func rig(isSPI: Bool = false) -> Rig {
    let rig = Rig(at: 0x6B, WireFormat(), isSPI: isSPI) { LSM9DS1Model($0) }
    rig.world.held = .inertial(Vector3(0.1, -0.2, 0.97), Vector3(0.5, -0.25, 1), temperature: 31.5)
    return rig
  }

  static func registers(_ settings: SensorSettings) throws -> (Rig, SensorSettings) {
    let rig = rig()
    var driver = LSM9DS1(rig.wire())
    let taken = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(800))
    #expect(outcome.errors.isEmpty)
    return (rig, taken)
  }

  // MARK: - Codes

  @Test func `codes do what settings do`() throws {
    let (rig, other) = (Self.rig(), Self.rig())
    let codes = LSM9DS1Configuration(
      ReadoutMode(.fifo, watermark: 11, batchInterval: TimeSpan(seconds: 11 / 238))
    ) {
      $0.rate = .hz238
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
      $0.antiAlias = .hz105
    }
    let made = Doings(try LSM9DS1(rig.wire(), configuration: codes), on: rig)
    var driver = LSM9DS1(other.wire())
    var settings = SensorSettings(rate: 238, acquisition: .fifo)
    settings.batchInterval = .milliseconds(50)
    settings.accelerationRange = 4
    settings.rotationRateRange = radians(fromDegrees: 500)
    _ = try driver.configure(settings)
    expectSame(made, Doings(driver, on: other))
  }

  /// The FIFO has 32 entries.
  @Test(
    arguments: [
      (.off, .fifo, 1), (.hz119, .detections, 1), (.hz119, .fifo, 0),
      (.hz119, .fifo, 17),
    ] as [(LSM9DS1Map.OutputRate, Acquisition, Int)])
  func `codes that the part does not have are refused`(
    rate: LSM9DS1Map.OutputRate, acquisition: Acquisition, watermark: Int
  ) {
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try LSM9DS1(
        Self.rig().wire(),
        configuration: LSM9DS1Configuration(ReadoutMode(acquisition, watermark: watermark)) {
          $0.rate = rate
          $0.accelFullScale = .g4
          $0.gyroFullScale = .dps500
          $0.antiAlias = .hz50
        })
    }
  }

  // MARK: - Bytes

  @Test func `a start writes these bytes in this order`() throws {
    var settings = SensorSettings(rate: 238, acquisition: .fifo)
    settings.batchInterval = .milliseconds(50)
    let (rig, _) = try Self.registers(settings)
    let writes = rig.log.transactions.compactMap { transaction -> [UInt8]? in
      if case .write(let register, let value) = transaction { [register, value] } else { nil }
    }
    #expect(
      writes == [
        // The reset, block update, the threshold's line on INT1_A/G, and the FIFO.
        [0x22, 0x05], [0x22, 0x44], [0x0C, 0x08], [0x0D, 0x00], [0x23, 0x02],
        // 238 Hz: 4 g and 105 Hz, 500 degrees per second.
        [0x20, 0x96], [0x10, 0x88],
        // Bypass mode; continuous mode with a threshold of 11.
        [0x2E, 0x00], [0x2E, 0xCB],
      ])
  }

  @Test(arguments: [
    (14.9, UInt8(0x20)), (59.5, 0x40), (119, 0x60), (238, 0x80), (476, 0xA0), (952, 0xC0),
  ])
  func `each rate is the same code of both sensors`(_ rate: Double, _ code: UInt8) throws {
    let (rig, taken) = try Self.registers(SensorSettings(rate: rate))
    #expect(taken.rate == rate)
    #expect(rig.register(0x10) & 0xE0 == code && rig.register(0x20) & 0xE0 == code)
  }

  @Test(arguments: [(10.0, UInt8(0x20)), (50, 0x40), (119, 0x60), (952, 0xC0)])
  func `the accelerometer alone has rates of its own`(_ rate: Double, _ code: UInt8) throws {
    for acquisition in [Acquisition.polling, .fifo, .dataReady] {
      var settings = SensorSettings(rate: rate, acquisition: acquisition)
      settings.power = .low
      let (rig, taken) = try Self.registers(settings)
      #expect(taken.rate == rate && taken.acquisition == acquisition)
      #expect(rig.register(0x10) == 0 && rig.register(0x20) & 0xE0 == code)
      let frame = try #require(rig.takeOutcome().frames.last)
      #expect(frame.reading.channels == .acceleration)
      #expect(abs(frame.reading.specificForce.x - 0.1) < 0.0002)
    }
  }

  @Test func `ranges and filters are these codes`() throws {
    for (g, code) in [(2.0, UInt8(0x00)), (4, 0x10), (8, 0x18), (16, 0x08)] {
      let (rig, taken) = try Self.registers(SensorSettings(accelerationRange: g))
      #expect(taken.accelerationRange == g && rig.register(0x20) & 0x18 == code)
    }
    for (degrees, code) in [(245.0, UInt8(0x00)), (500, 0x08), (2000, 0x18)] {
      let (rig, _) = try Self.registers(
        SensorSettings(rotationRateRange: radians(fromDegrees: degrees)))
      #expect(rig.register(0x10) & 0x18 == code)
    }
    for (hertz, code) in [(408.0, UInt8(0x04)), (300, 0x05), (110, 0x06), (50, 0x07), (1, 0x07)] {
      var settings = SensorSettings(rate: 952)
      settings.bandwidth = hertz
      let (rig, _) = try Self.registers(settings)
      #expect(rig.register(0x20) & 0x07 == code)
    }
  }

  @Test func `the second pin has the routes and the first none`() throws {
    for (acquisition, route) in [(Acquisition.fifo, UInt8(0x08)), (.dataReady, 0x02)] {
      var settings = SensorSettings(acquisition: acquisition)
      settings.interruptPin = InterruptPin(number: 2, isActiveLow: true, isOpenDrain: true)
      let (rig, _) = try Self.registers(settings)
      #expect(rig.register(0x0C) == 0x00 && rig.register(0x0D) == route)
      #expect(rig.register(0x22) == 0x74)
    }
  }

  // MARK: - Decoding

  @Test func `x is turned round, so that axes are right-handed and the magnetometer's`() {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 12
    // 1000 counts on each axis of each sensor; the temperature is 16 counts per degree, below 25.
    for index in 0..<6 {
      batch.bytes[2 * index] = 0xE8
      batch.bytes[2 * index + 1] = 0x03
    }
    batch.format[3] = 0xFF
    batch.format[4] = 0xF0
    let accelerometer: [(UInt8, Double)] = [(0, 61), (2, 122), (3, 244), (1, 732)]
    for (code, microG) in accelerometer {
      batch.format[0] = code
      let force = LSM9DS1Decoder.decode(batch, frame: 0).specificForce
      #expect(abs(force.x + microG * 1e-3) < 1e-12 && abs(force.y - microG * 1e-3) < 1e-12)
      #expect(abs(force.z - microG * 1e-3) < 1e-12)
    }
    let gyroscope: [(UInt8, Double)] = [(0, 8.75), (1, 17.5), (3, 70)]
    for (code, degrees) in gyroscope {
      batch.format[1] = code
      let reading = LSM9DS1Decoder.decode(batch, frame: 0)
      let turn = reading.rotationRate * (180 / .pi)
      #expect(abs(turn.x + degrees) < 1e-9 && abs(turn.y - degrees) < 1e-9)
      #expect(abs(turn.z - degrees) < 1e-9 && reading.temperature == 24)
    }
  }

  // MARK: - The model by hand

  static func bench() -> ModelBench {
    let bench = ModelBench { LSM9DS1Model($0) }
    bench.world.held = .inertial(Vector3(0.5, 0, -1), Vector3(0, 0, 1), temperature: 26)
    bench.at(0)
    return bench
  }

  @Test func `a burst goes from one sensor to the other and begins again`() {
    let bench = Self.bench()
    #expect(bench.read(0x0F) == [0x68] && bench.read(0x22) == [0x04])
    #expect(bench.read(0x1E) == [0x38] && bench.read(0x1F) == [0x38])
    // 119 Hz; 2 g, 245 degrees per second.
    bench.write(0x20, 0x60)
    bench.write(0x10, 0x60)
    bench.at(9)
    #expect(bench.read(0x17) == [0x07] && bench.read(0x27) == [0x07])
    // 16 counts above 25 degrees; the status; 57.2958 deg/s at 8.75 mdps are 6548; -0.5 g at 61
    // micro-g is -8197, -1 g is -16393.
    let sample: [UInt8] = [0, 0, 0, 0, 0x94, 0x19, 0xFB, 0xDF, 0, 0, 0xF7, 0xBF]
    #expect(bench.read(0x15, 21) == [0x10, 0x00, 0x03] + sample + sample.prefix(6))
    #expect(bench.read(0x17) == [0x00])
  }

  @Test func `the accelerometer's burst stays in it while the gyroscope is off`() {
    let bench = Self.bench()
    // The rate is 50 Hz.
    bench.write(0x20, 0x40)
    bench.at(21)
    #expect(bench.read(0x27, 9) == [0x05, 0xFB, 0xDF, 0, 0, 0xF7, 0xBF, 0xFB, 0xDF])
  }

  @Test func `the queue keeps 32 samples, the newest`() {
    let bench = Self.bench()
    bench.ramp(Vector3(0, 1, 0))
    bench.write(0x20, 0x60)
    bench.write(0x10, 0x60)
    bench.write(0x0C, 0x08)
    bench.write(0x23, 0x02)
    bench.write(0x2E, 0xC5)
    bench.at(38)
    #expect(bench.read(0x2F) == [0x04] && bench.edges() == 0)
    bench.at(43)
    #expect(bench.read(0x2F) == [0x85] && bench.edges() == 1)
    let bytes = bench.read(0x18, 24)
    // The two oldest samples, 8.4 ms apart: y of 0.0084 and 0.0168 g is 138 and 276 counts.
    #expect(bytes[8] == 138 && bytes[20] == 20 && bytes[21] == 1)
    #expect(bench.read(0x2F) == [0x03])
    bench.at(400)
    #expect(bench.read(0x2F) == [0xE0])
    bench.write(0x2E, 0x00)
    #expect(bench.read(0x2F) == [0x00])
  }

  // MARK: - The rest

  @Test func `the self-test passes a sound chip and fails one that answers too little`() throws {
    for (g, degrees, isSound) in [
      (0.08, 210.0, true), (0.06, 210, false), (1.45, 790, true), (1.45, 820, false),
    ] {
      let rig = Self.rig()
      let model = try #require(rig.model as? LSM9DS1Model)
      model.accelSelfTest = Vector3(g, -g, g)
      let turn = radians(fromDegrees: degrees)
      model.gyroSelfTest = Vector3(turn, -turn, turn)
      rig.world.held.specificForce = Vector3(0, 0, 0.1)
      var driver = LSM9DS1(rig.wire())
      try driver.startSelfTest()
      _ = rig.run(&driver, for: .seconds(3))
      let found = driver.selfTest
      #expect(try #require(found).isPassed == isSound, "\(g) \(degrees)")
      #expect(rig.written(0x24) == [0x05])
    }
  }

  @Test func `a queue that ran over is emptied and counted`() throws {
    let rig = Self.rig()
    var driver = LSM9DS1(rig.wire())
    _ = try driver.configure(SensorSettings(rate: 119, acquisition: .fifo))
    driver.start()
    _ = rig.run(&driver, for: .seconds(1))
    rig.clock.advance(to: rig.clock.now + .seconds(2))
    let outcome = rig.run(&driver, for: .seconds(1))
    let overflows = driver.health.overflows
    #expect(overflows == 1 && outcome.errors.isEmpty && outcome.isOrdered)
    #expect((235...245).contains(outcome.missing), "\(outcome.missing)")
    for frame in outcome.frames {
      #expect(abs(frame.reading.specificForce.x - 0.1) < 0.0002)
      #expect(abs(frame.reading.rotationRate.x - 0.5) < 0.0004)
    }
  }
}
