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

// Low power, wake-on-motion, the pin, and pass-through. Addresses and codes are typed from
// RM-MPU-6000A sections 4.18, 4.28 and 4.29 and RM-MPU-6500A sections 4.8 to 4.10.
@Suite struct MPU6050ModesTests {
  static func low(_ rate: Double, _ acquisition: Acquisition = .polling) -> SensorSettings {
    var settings = MPU6050RunningTests.settings(acquisition, rate: rate)
    settings.power = .low
    return settings
  }

  /// Requested rate, code and actual rate in Hz of LP_WAKE_CTRL, bits 7:6 of 0x6C.
  @Test(
    arguments: [
      (1000, 0xC7, 40), (40, 0xC7, 40), (21, 0xC7, 40), (20, 0x87, 20), (6, 0x87, 20),
      (5, 0x47, 5), (1.25, 0x07, 1.25), (0.1, 0x07, 1.25),
    ] as [(Double, UInt8, Double)])
  func `low power of a first part has the nearest rate of its cycle`(
    asked: Double, code: UInt8, hertz: Double
  ) throws {
    let bench = Rig.mpu6050(0x68)
    var driver = MPU6050(bench.wire())
    let taken = try driver.configure(Self.low(asked))
    #expect(taken.rate == hertz && taken.bandwidth == nil)
    driver.start()
    bench.run(&driver, for: .seconds(10))
    // CYCLE and TEMP_DIS with the internal oscillator; the gyroscope is in standby.
    #expect(bench.register(0x6B) == 0x28)
    #expect(bench.register(0x6C) == code)
    expectAccelAlone(bench, rate: hertz)
  }

  /// Requested rate, code and actual rate in Hz of LP_ACCEL_ODR, 0x1E.
  @Test(
    arguments: [
      (1000, 11, 500), (500, 11, 500), (251, 11, 500), (250, 10, 250), (31.25, 7, 31.25),
      (4, 5, 7.8125), (3.9, 4, 3.90625), (0.2, 0, 0.244140625),
    ] as [(Double, UInt8, Double)])
  func `low power of a later part has the nearest rate of its cycle`(
    asked: Double, code: UInt8, hertz: Double
  ) throws {
    let bench = Rig.mpu6050(0x71)
    var driver = MPU6050(bench.wire(), expecting: 0x71)
    let taken = try driver.configure(Self.low(asked))
    #expect(taken.rate == hertz)
    driver.start()
    bench.run(&driver, for: .seconds(10))
    #expect(bench.register(0x6B) == 0x28)
    #expect(bench.register(0x6C) == 0x07)
    #expect(bench.register(0x1E) == code)
    expectAccelAlone(bench, rate: hertz)
  }

  func expectAccelAlone(_ bench: Rig, rate: Double) {
    #expect(bench.outcome.errors == [] && bench.outcome.missing == 0)
    // 0.2 s of start, and a sample that is not complete yet.
    let expected = 9.8 * rate
    #expect(abs(Double(bench.outcome.frames.count) - expected) <= max(2, expected / 50))
    for frame in bench.outcome.frames {
      #expect(frame.reading.channels == [.acceleration])
      #expect((frame.reading.specificForce - Vector3(0.5, -1, 1)).norm < 1e-4)
      #expect(frame.reading.rotationRate == .zero)
    }
  }

  @Test func `low power by edges misses none`() throws {
    let bench = Rig.mpu6050(0x68)
    var driver = MPU6050(bench.wire())
    _ = try driver.configure(Self.low(40, .dataReady))
    driver.start()
    bench.run(&driver, for: .seconds(10))
    expectAccelAlone(bench, rate: 40)
    let missed = driver.health.missedInterrupts
    #expect(missed == 0)
  }

  /// Cycle mode has its own rates and no FIFO.
  @Test func `low power has rates of its own and no queue`() throws {
    var driver = MPU6050(Rig.mpu6050().wire())
    let taken = try driver.configure(Self.low(20, .fifo))
    #expect(taken.acquisition == .polling)
    let channels = driver.channels
    #expect(channels == [.acceleration])
    let rates = (0...4).map { driver.rate(at: $0) }
    #expect(rates == [40, 20, 5, 1.25, nil])
    var later = MPU6050(Rig.mpu6050(0x70).wire(), expecting: 0x70)
    _ = try later.configure(Self.low(20))
    let ends = (later.rate(at: 0), later.rate(at: 11), later.rate(at: 12))
    #expect(ends.0 == 500 && ends.1 == 0.244140625 && ends.2 == nil)
  }

  /// Parts whose cycle mode is not used sample the accelerometer at the divider's rate, with the
  /// gyroscope in standby.
  @Test func `low power of an ICM samples the accelerometer by the divider`() throws {
    let bench = Rig.mpu6050(0x98)
    var driver = MPU6050(bench.wire(), expecting: 0x98)
    let taken = try driver.configure(Self.low(100, .fifo))
    #expect(taken.rate == 100 && taken.acquisition == .fifo)
    driver.start()
    bench.run(&driver, for: .seconds(10))
    #expect(bench.register(0x6C) == 0x07 && bench.register(0x6B) == 0x00)
    #expect(bench.register(0x23) == 0x08)
    expectAccelAlone(bench, rate: 100)
  }

  // MARK: Motion

  static func motion(_ acquisition: Acquisition, threshold: Double = 0.2) -> SensorSettings {
    var settings = MPU6050RunningTests.settings(acquisition, rate: 100)
    settings.detection = DetectionSettings(.motion)
    settings.detection.motionThreshold = threshold
    return settings
  }

  /// Adds a pulse of 0.5 g for 30 ms each second, from `first` on.
  static func blows(_ bench: Rig, from first: Timestamp, of size: Double = 0.5) {
    bench.world.changes = { time, _, reading in
      let phase = (time - first).nanoseconds % 1_000_000_000
      if time >= first, phase < 30_000_000 { reading.specificForce.x += size }
    }
  }

  @Test func `motion alone is detected without samples`() throws {
    let bench = Rig.mpu6050(0x70)
    var driver = MPU6050(bench.wire(), expecting: 0x70)
    let taken = try driver.configure(Self.motion(.detections))
    #expect(taken.detection.kinds == .motion && taken.detection.motionThreshold == 0.2)
    // 125 Hz is code 9.
    #expect(taken.rate == 125)
    driver.start()
    bench.run(&driver, for: .seconds(2))
    #expect(bench.outcome.frames.isEmpty && bench.outcome.detections.isEmpty)
    // 50 steps of 4 mg; only WOM on the pin; ACCEL_INTEL_CTRL; cycle mode.
    #expect(bench.register(0x1F) == 50)
    #expect(bench.register(0x38) == 0x40)
    #expect(bench.register(0x69) == 0xC0)
    #expect(bench.register(0x6B) == 0x28 && bench.register(0x1E) == 9)
    let first = bench.clock.now + .milliseconds(500)
    Self.blows(bench, from: first)
    let reads = bench.bus.transactions
    bench.run(&driver, for: .seconds(3))
    // Each pulse causes two changes, 30 ms apart.
    #expect(bench.outcome.detections.count == 6)
    for (index, detection) in bench.outcome.detections.enumerated() {
      let begin = first + .seconds(Int64(index / 2)) + .milliseconds(index % 2 == 0 ? 0 : 30)
      #expect(detection.kind == .motion && detection.detail == 0)
      #expect(detection.timestamp >= begin && detection.timestamp - begin < .milliseconds(9))
    }
    // The status is read at each edge, and the configuration is compared.
    #expect(bench.bus.transactions - reads < 90)
    #expect(bench.outcome.errors == [])
  }

  @Test func `small changes are not reported as motion`() throws {
    let bench = Rig.mpu6050(0x70)
    var driver = MPU6050(bench.wire(), expecting: 0x70)
    _ = try driver.configure(Self.motion(.detections, threshold: 0.5))
    driver.start()
    Self.blows(bench, from: bench.clock.now, of: 0.49)
    bench.run(&driver, for: .seconds(5))
    #expect(bench.outcome.detections.isEmpty)
    Self.blows(bench, from: bench.clock.now, of: 0.51)
    bench.run(&driver, for: .seconds(5))
    #expect(bench.outcome.detections.count >= 9)
  }

  @Test(arguments: [Acquisition.fifo, .polling])
  func `motion next to samples is reported by the next poll`(acquisition: Acquisition) throws {
    let bench = Rig.mpu6050(0x71)
    var driver = MPU6050(bench.wire(), expecting: 0x71)
    let taken = try driver.configure(Self.motion(acquisition))
    #expect(taken.detection.kinds == .motion)
    driver.start()
    bench.run(&driver, for: .seconds(1))
    let first = bench.clock.now + .milliseconds(250)
    Self.blows(bench, from: first)
    bench.run(&driver, for: .seconds(3))
    #expect(bench.outcome.missing == 0 && bench.outcome.errors == [])
    #expect(bench.outcome.frames.count > 370)
    #expect(bench.outcome.detections.count >= 3)
    for detection in bench.outcome.detections {
      let after = (detection.timestamp - first).nanoseconds % 1_000_000_000
      // 30 ms of pulse, and at most 110 ms until the next poll.
      #expect(after >= 0 && after < 150_000_000)
    }
  }

  @Test func `motion is left out or refused where it cannot be detected`() throws {
    // Detection is refused on the MPU-6050, on an ICM, and on a pin with data-ready.
    for identity in [0x68, 0x98] as [UInt8] {
      var driver = MPU6050(Rig.mpu6050(identity).wire(), expecting: identity)
      let kinds = driver.detections
      #expect(kinds == [])
      let taken = try driver.configure(Self.motion(.fifo))
      #expect(taken.detection.kinds == [])
      #expect(throws: ChipError.unsupportedSetting) {
        _ = try driver.configure(Self.motion(.detections))
      }
    }
    let bench = Rig.mpu6050(0x70)
    var driver = MPU6050(bench.wire(), expecting: 0x70)
    let kinds = driver.detections
    #expect(kinds == .motion)
    let taken = try driver.configure(Self.motion(.dataReady))
    #expect(taken.detection.kinds == [])
    driver.start()
    bench.run(&driver, for: .seconds(1))
    #expect(bench.register(0x38) == 0x01)
    // The acquisition `detections` is refused without anything to detect.
    var settings = Self.motion(.detections)
    settings.detection.kinds = .step
    #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
  }

  // MARK: The pin, and the bus behind

  @Test(
    arguments: [
      (false, false, false, 0x00), (true, false, false, 0x80), (false, true, false, 0x40),
      (true, true, true, 0xC2), (false, false, true, 0x02),
    ] as [(Bool, Bool, Bool, UInt8)])
  func `the pin has its level and drive, and the bus passes through`(
    isActiveLow: Bool, isOpenDrain: Bool, passes: Bool, byte: UInt8
  ) throws {
    let bench = Rig.mpu6050(0x68)
    var driver = MPU6050(bench.wire())
    var settings = MPU6050RunningTests.settings(.dataReady)
    settings.interruptPin = InterruptPin(isActiveLow: isActiveLow, isOpenDrain: isOpenDrain)
    settings.passesThrough = passes
    let taken = try driver.configure(settings)
    #expect(taken.passesThrough == passes)
    driver.start()
    bench.run(&driver, for: .seconds(1))
    #expect(bench.register(0x37) == byte)
    #expect(bench.register(0x6A) & 0x20 == 0)
    #expect(bench.model.isActiveLow == isActiveLow && bench.model.passesThrough == passes)
    #expect(bench.outcome.frames.count > 790)
  }

  @Test func `a second pin is refused, and a bus behind SPI is not there`() throws {
    var driver = MPU6050(Rig.mpu6050(0x68).wire())
    var settings = MPU6050RunningTests.settings(.dataReady)
    settings.interruptPin.number = 2
    #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
    // On SPI the pins of the host's I2C are used by SPI.
    settings = MPU6050RunningTests.settings(.fifo)
    settings.passesThrough = true
    var onSPI = MPU6050(Rig.mpu6050(0x70, isSPI: true).wire(), expecting: 0x70)
    #expect(try onSPI.configure(settings).passesThrough == false)
    var icm = MPU6050(Rig.mpu6050(0x98).wire(), expecting: 0x98)
    #expect(try icm.configure(settings).passesThrough == false)
  }
}
