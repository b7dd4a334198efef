// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Simulation
import Testing

// Addresses, bits and scales are typed from ST's driver (lsm6dsv16x_reg.h), Betaflight's
// accgyro_spi_lsm6dsv16x.c and the row of identity 0x70 in Linux's st_lsm6dsx.
@Suite struct LSM6DSV16XTests {
  static func rig() -> Rig {
    let rig = Rig(at: 0x6A, WireFormat()) { LSM6DSV16XModel($0) }
    rig.world.held = .inertial(Vector3(0.1, -0.2, 0.97), Vector3(0.5, -0.25, 1), temperature: 31.5)
    return rig
  }

  static func settings(_ acquisition: Acquisition, rate: Double = 120) -> SensorSettings {
    SensorSettings(rate: rate, acquisition: acquisition)
  }

  /// Returns the rig with the registers as a driver with these settings wrote them.
  static func registers(_ settings: SensorSettings) throws -> (Rig, SensorSettings) {
    let rig = rig()
    var driver = LSM6DSV16X(rig.wire())
    let taken = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(700))
    #expect(outcome.errors.isEmpty)
    return (rig, taken)
  }

  // MARK: - Bytes

  @Test func `a start writes these bytes in this order`() throws {
    var settings = Self.settings(.fifo, rate: 480)
    settings.batchInterval = .milliseconds(20)
    let (rig, _) = try Self.registers(settings)
    let writes = rig.log.transactions.compactMap { transaction -> [UInt8]? in
      if case .write(let register, let value) = transaction { [register, value] } else { nil }
    }
    #expect(
      writes == [
        // The page of embedded functions closed, reset, push-pull lines that are active high.
        [0x01, 0x00], [0x12, 0x05], [0x03, 0x00], [0x12, 0x44],
        // The FIFO's line is on INT1.
        [0x0D, 0x08], [0x0E, 0x00], [0x13, 0x00],
        // 9 samples are 18 words; both sensors at 480 Hz.
        [0x07, 0x12], [0x08, 0x00], [0x09, 0x88],
        // 500 degrees per second without its first low-pass filter; 4 g without the second.
        [0x15, 0x02], [0x16, 0x00], [0x17, 0x01], [0x18, 0x00],
        [0x11, 0x08], [0x10, 0x08],
        // Bypass mode, then continuous mode.
        [0x0A, 0x00], [0x0A, 0x06],
      ])
  }

  @Test(arguments: [
    (7.5, UInt8(2)), (15, 3), (30, 4), (60, 5), (120, 6), (240, 7), (480, 8), (960, 9), (1920, 10),
  ])
  func `each rate is the same code of both sensors`(_ rate: Double, _ code: UInt8) throws {
    let (rig, taken) = try Self.registers(Self.settings(.polling, rate: rate))
    #expect(taken.rate == rate)
    #expect(rig.register(0x10) == code && rig.register(0x11) == code)
  }

  @Test func `ranges are these codes`() throws {
    for (g, code) in [(2.0, UInt8(0)), (4, 1), (8, 2), (16, 3)] {
      var settings = Self.settings(.polling)
      settings.accelerationRange = g
      let (rig, taken) = try Self.registers(settings)
      #expect(taken.accelerationRange == g && rig.register(0x17) & 0x03 == code, "\(g)")
    }
    let gyroscope: [(Double, UInt8)] = [
      (125, 0), (250, 1), (500, 2), (1000, 3), (2000, 4), (4000, 12),
    ]
    for (degrees, code) in gyroscope {
      var settings = Self.settings(.polling)
      settings.rotationRateRange = radians(fromDegrees: degrees)
      let (rig, _) = try Self.registers(settings)
      #expect(rig.register(0x15) == code, "\(degrees)")
    }
  }

  /// CTRL8 (0x17): after a reset bit 2 is 1 on the LSM6DSV32X, and must be kept. Its codes 0 to 3 are
  /// 4 to 32 g, 0.122 to 0.976 mg a count (lsm6dsv32x_reg.c).
  @Test(arguments: [LSM6DSV16XPart.lsm6dsv16x, .lsm6dsv32x], [Acquisition.fifo, .polling])
  func `an LSM6DSV32X is recognised by CTRL8 and has its scale`(
    expected: LSM6DSV16XPart, acquisition: Acquisition
  ) throws {
    for (g, code) in [(4.0, UInt8(0x04)), (8, 0x05), (16, 0x06), (32, 0x07)]
    where g <= 16 || expected == .lsm6dsv32x {
      let rig = Rig(at: 0x6A, WireFormat()) { LSM6DSV16XModel($0, part: .lsm6dsv32x) }
      rig.world.held = .inertial(Vector3(0.1, -0.2, 0.97), .zero, temperature: 31.5)
      var driver = LSM6DSV16X(rig.wire(), expecting: expected)
      var settings = Self.settings(acquisition)
      settings.accelerationRange = g
      _ = try driver.configure(settings)
      driver.start()
      let outcome = rig.run(&driver, for: .milliseconds(700))
      #expect(outcome.errors.isEmpty && rig.register(0x17) == code)
      let reading = try #require(outcome.frames.last).reading
      #expect((reading.specificForce - Vector3(0.1, -0.2, 0.97)).norm < g / 32768)
      let (part, ranges) = (driver.part, (0...4).map { driver.range(of: .acceleration, at: $0) })
      #expect(part == .lsm6dsv32x && ranges == [4, 8, 16, 32, nil])
    }
  }

  @Test func `an LSM6DSV16X that was expected to be the other part is one`() throws {
    let rig = Self.rig()
    var driver = LSM6DSV16X(rig.wire(), expecting: .lsm6dsv32x)
    var settings = Self.settings(.polling)
    settings.accelerationRange = 16
    _ = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(700))
    #expect(outcome.errors.isEmpty && rig.register(0x17) == 0x03 && driver.part == .lsm6dsv16x)
    settings.accelerationRange = 32
    #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
  }

  /// The accelerometer's 4 g are 8 g on the LSM6DSV32X, and the limits of the self-test in g.
  @Test func `the LSM6DSV32X passes its self-test`() throws {
    let rig = Rig(at: 0x6A, WireFormat()) { LSM6DSV16XModel($0, part: .lsm6dsv32x) }
    var driver = LSM6DSV16X(rig.wire())
    try driver.startSelfTest()
    rig.run(&driver, for: .seconds(3))
    let found = driver.selfTest
    let report = try #require(found)
    #expect(report.isPassed && abs(report.items[0].response - 0.5) < 1e-3)
  }

  /// ST's Linux drivers discard up to 3 samples of the accelerometer after a change of rate.
  @Test(arguments: [7.5, 15, 120, 240], [PowerMode.normal, .low])
  func `the first samples of the accelerometer are left out`(rate: Double, power: PowerMode)
    throws
  {
    guard power == .normal || rate >= 15 else { return }
    for acquisition in [Acquisition.fifo, .dataReady] {
      let rig = Self.rig()
      var driver = LSM6DSV16X(rig.wire())
      var settings = Self.settings(acquisition, rate: rate)
      settings.power = power
      _ = try driver.configure(settings)
      driver.start()
      let outcome = rig.run(&driver, for: TimeSpan(seconds: 0.15 + 8 / rate))
      let first = try #require(outcome.frames.first).reading.specificForce
      #expect((first - Vector3(0.1, -0.2, 0.97)).norm < 0.001)
    }
  }

  @Test(arguments: [
    SensorSettings(accelerationRange: 32), SensorSettings(rate: 3840),
    SensorSettings(rotationRateRange: radians(fromDegrees: 8000)),
  ])
  func `what the part or the bus lacks is refused`(_ settings: SensorSettings) {
    var driver = LSM6DSV16X(Self.rig().wire())
    #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
  }

  /// The FIFO has 256 words, and a sample has two. In low power 7.5 and 480 Hz are missing.
  @Test(
    arguments: [
      (.off, .fifo, 1, .normal), (.hz120, .detections, 1, .normal), (.hz120, .fifo, 0, .normal),
      (.hz120, .fifo, 65, .normal), (.hz3840, .polling, 1, .normal), (.hz7, .polling, 1, .low),
      (.hz480, .polling, 1, .low),
    ] as [(LSM6DSV16XMap.OutputRate, Acquisition, Int, PowerMode)])
  func `codes that the part does not have are refused`(
    rate: LSM6DSV16XMap.OutputRate, acquisition: Acquisition, watermark: Int, power: PowerMode
  ) {
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try LSM6DSV16X(
        Self.rig().wire(),
        configuration: LSM6DSV16XConfiguration(
          ReadoutMode(acquisition, watermark: watermark, power: power)
        ) { $0.rate = rate })
    }
  }

  @Test(arguments: [
    (60.0, nil), (30, UInt8(0x00)), (12, 0x20), (11, 0x40), (3, 0x60), (1.2, 0x80), (0.01, 0xE0),
  ])
  func `the second low-pass is a part of the rate`(_ bandwidth: Double, _ code: UInt8?) throws {
    var settings = Self.settings(.polling)
    settings.bandwidth = bandwidth
    let (rig, taken) = try Self.registers(settings)
    #expect(rig.register(0x18) == (code == nil ? 0 : 0x08))
    if let code { #expect(rig.register(0x17) & 0xE0 == code) }
    #expect(taken.bandwidth ?? 0 <= max(bandwidth, 120 / 800.0))
  }

  @Test func `the second pin has the routes and the first none`() throws {
    for (acquisition, route) in [(Acquisition.fifo, UInt8(0x08)), (.dataReady, 0x02)] {
      var settings = Self.settings(acquisition)
      settings.interruptPin = InterruptPin(number: 2, isActiveLow: true, isOpenDrain: true)
      let (rig, _) = try Self.registers(settings)
      #expect(rig.register(0x0D) == 0x00 && rig.register(0x0E) == route)
      // H_LACTIVE and PP_OD; one pulse for each sample.
      #expect(rig.register(0x03) == 0x18)
      #expect(rig.register(0x13) == (acquisition == .dataReady ? 0x02 : 0x00))
    }
  }

  @Test func `lines that another program made active low are active high again`() throws {
    let rig = Self.rig()
    rig.model.write(0x18, to: 0x03)
    var driver = LSM6DSV16X(rig.wire())
    _ = try driver.configure(Self.settings(.dataReady))
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(400))
    #expect(outcome.errors.isEmpty && outcome.frames.count > 20)
    #expect(rig.register(0x03) == 0x00)
  }

  @Test func `low power is the accelerometer alone, from 15 to 240 Hz`() throws {
    for (wanted, taken, codes) in [(480.0, 240.0, UInt8(0x47)), (7.5, 15, 0x43)] {
      var settings = Self.settings(.fifo, rate: wanted)
      settings.power = .low
      let (rig, granted) = try Self.registers(settings)
      #expect(granted.rate == taken)
      #expect(rig.register(0x10) == codes && rig.register(0x11) == 0)
      #expect(rig.register(0x09) == codes & 0x0F)
      let frames = rig.takeOutcome().frames
      #expect(!frames.isEmpty)
      for frame in frames {
        #expect(frame.reading.channels == .acceleration)
        #expect(abs(frame.reading.specificForce.z - 0.97) < 0.0002)
      }
    }
  }

  // MARK: - Decoding

  /// Decodes a FIFO batch: words with these tags, those of the gyroscope with the axes 1, -2 and
  /// 32767, the others with -32768, 100 and 0.
  static func batch(
    tags: [UInt8], accel: UInt8, gyro: UInt8
  ) -> (force: Vector3, turn: Vector3, temperature: Double) {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 7 * tags.count
    batch.format[0] = accel
    batch.format[1] = gyro
    // 256 counts per degree: 1.5 degrees below 25.
    batch.format[3] = 0xFE
    batch.format[4] = 0x80
    batch.format[5] = 1
    for (word, tag) in tags.enumerated() {
      let axes: [UInt8] =
        tag >> 3 == 1
        ? [0x01, 0x00, 0xFE, 0xFF, 0xFF, 0x7F] : [0x00, 0x80, 0x64, 0x00, 0x00, 0x00]
      for (index, byte) in ([tag] + axes).enumerated() { batch.bytes[7 * word + index] = byte }
    }
    let reading = LSM6DSV16XDecoder.decode(batch, frame: 0)
    return (reading.specificForce, reading.rotationRate, reading.temperature)
  }

  @Test func `the queue's tag says which sensor a word is from`() {
    for tags in [[UInt8(0x08), 0x10], [0x10, 0x08]] {
      let (force, turn, temperature) = Self.batch(tags: tags, accel: 0, gyro: 0)
      // The steps are 61 micro-g and 4.375 mdps.
      #expect(abs(force.x + 32768 * 0.000061) < 1e-12 && abs(force.y - 0.0061) < 1e-12)
      #expect(abs(turn.x - 0.004375 * .pi / 180) < 1e-12)
      #expect(abs(turn.z - 32767 * 0.004375 * .pi / 180) < 1e-9)
      #expect(temperature == 23.5)
    }
  }

  /// ST's `lsm6dsv16x_from_fs2_to_mg` and its relatives.
  @Test func `each code has its scale`() {
    for (code, microG) in [(UInt8(0), 61.0), (1, 122), (2, 244), (3, 488)] {
      let force = Self.batch(tags: [0x10], accel: code, gyro: 0).force
      #expect(abs(force.y - 100 * microG * 1e-6) < 1e-12, "\(code)")
    }
    let gyroscope: [(UInt8, Double)] = [
      (0, 4.375), (1, 8.75), (2, 17.5), (3, 35), (4, 70), (12, 140),
    ]
    for (code, millidegrees) in gyroscope {
      let turn = Self.batch(tags: [0x08, 0x10], accel: 0, gyro: code).turn
      #expect(abs(turn.y + 2 * millidegrees * 1e-3 * .pi / 180) < 1e-12, "\(code)")
    }
  }

  // MARK: - The queue

  @Test func `a queue that ran over is emptied and counted`() throws {
    let rig = Self.rig()
    var driver = LSM6DSV16X(rig.wire())
    var settings = Self.settings(.fifo)
    settings.batchInterval = .milliseconds(50)
    _ = try driver.configure(settings)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    _ = rig.takeOutcome()
    rig.clock.advance(to: rig.clock.now + .seconds(4))
    let outcome = rig.run(&driver, for: .seconds(1))
    let overflows = driver.health.overflows
    #expect(overflows == 1 && outcome.errors.isEmpty && outcome.isOrdered)
    // 4 s at 120 Hz, and the samples that were in the FIFO.
    #expect((475...495).contains(outcome.missing), "\(outcome.missing)")
    for frame in outcome.frames {
      #expect(abs(frame.reading.rotationRate.z - 1) < 0.001)
      #expect(abs(frame.reading.temperature - 31.5) < 0.01)
    }
  }

  @Test func `a tag needs no parity, but its sensor and its count`() throws {
    for (tags, isSample) in [
      ([UInt8(0x08), 0x10], true), ([0x09, 0x10], true), ([0x0A, 0x12], true),
      ([0x08, 0x12], false), ([0x10, 0x10], false), ([0x00, 0x00], false), ([0x98, 0x10], false),
    ] {
      let script = Script(
        Self.scriptedStart + [
          .read(0x1B, [0x02, 0x00]),
          .read(0x78, [tags[0], 1, 0, 0, 0, 0, 0, tags[1], 1, 0, 0, 0, 0, 0]),
        ] + (isSample ? [] : [.read(0x20, [0, 0]), .write(0x0A, 0x00), .write(0x0A, 0x06)])
      ) { Issue.record("\($0)") }
      var driver = LSM6DSV16X(script.bus)
      _ = try driver.configure(Self.settings(.fifo))
      driver.start()
      var batch = RawBatch()
      var frames = 0
      for _ in 0..<5 where frames == 0 {
        script.advance(by: .milliseconds(1))
        _ = step(&driver, &batch)
        frames += batch.frames
      }
      #expect(frames == (isSample ? 1 : 0), "\(tags)")
      let broken = driver.health.misconfigurations
      #expect(broken == (isSample ? 0 : 1), "\(tags)")
      #expect(script.finish() == [], "\(tags)")
    }
  }

  static let table: [(UInt8, UInt8)] = [
    (0x03, 0x00), (0x12, 0x44), (0x0D, 0x08), (0x0E, 0x00), (0x13, 0x00), (0x07, 0x02),
    (0x08, 0x00), (0x09, 0x66), (0x15, 0x02), (0x16, 0x00), (0x17, 0x01), (0x18, 0x00),
    (0x11, 0x06), (0x10, 0x06),
  ]

  static let scriptedStart: [Transaction] =
    [
      .write(0x01, 0x00), .read(0x0F, [0x70]), .write(0x12, 0x05), .read(0x12, [0x44]),
      .read(0x17, [0x00]),
    ]
    + table.map { .write($0, $1) } + table.map { .read($0, [$1]) }
    + [.read(0x20, [0, 0]), .write(0x0A, 0x00), .write(0x0A, 0x06)]

  // MARK: - Self-test and detections

  /// Limits and stages are those of ST's lsm6dsv16x_self_test.c: 50 to 1700 mg at 60 Hz and 4 g,
  /// 150 to 700 degrees per second at 240 Hz and 2000 degrees per second.
  @Test func `the self-test passes a sound chip and fails one that answers too little`() throws {
    let cases: [(Double, Double, Bool)] = [
      (0.06, 160, true), (0.04, 160, false), (1.65, 690, true), (1.75, 690, false),
      (0.5, 140, false), (0.5, 710, false),
    ]
    for (push, turn, isSound) in cases {
      let rig = Self.rig()
      let model = try #require(rig.model as? LSM6DSV16XModel)
      model.accelSelfTest = Vector3(push, push, push)
      let rate = radians(fromDegrees: turn)
      model.gyroSelfTest = Vector3(rate, rate, rate)
      rig.world.held.specificForce = Vector3(0, 0, 1)
      var driver = LSM6DSV16X(rig.wire())
      try driver.startSelfTest()
      _ = rig.run(&driver, for: .seconds(3))
      let found = driver.selfTest
      let report = try #require(found)
      #expect(report.isPassed == isSound, "\(push) \(turn)")
      #expect(rig.written(0x19) == [0x00, 0x01, 0x00, 0x04])
      #expect(rig.written(0x10) == [0x05, 0x00] && rig.written(0x11) == [0x00, 0x07])
      #expect(rig.written(0x17) == [0x01] && rig.written(0x15) == [0x04])
    }
  }

  static func detecting(_ acquisition: Acquisition) -> SensorSettings {
    var settings = settings(acquisition, rate: 240)
    settings.detection = DetectionSettings([
      .singleTap, .doubleTap, .freeFall, .motion, .noMotion, .orientation,
    ])
    settings.detection.motionThreshold = 0.5
    settings.detection.motionDuration = .milliseconds(10)
    return settings
  }

  @Test(arguments: [UInt8(1), 2])
  func `every function is configured byte by byte`(pin: UInt8) throws {
    var settings = Self.detecting(.detections)
    settings.interruptPin.number = pin
    let (rig, taken) = try Self.registers(settings)
    let bytes: [UInt8: UInt8] = [
      0x0D: 0x00, 0x0E: 0x00,
      // All detections except the embedded functions and the sensor hub.
      0x5E: pin == 1 ? 0xFC : 0x00, 0x5F: pin == 2 ? 0xFC : 0x00,
      // The gyroscope is off; 240 Hz at 4 g.
      0x10: 0x07, 0x11: 0x00, 0x17: 0x01,
      // 0x50: INTERRUPTS_ENABLE, and INACT_EN 0, which changes no rate. 0x56: taps on all axes, LIR.
      0x50: 0x80, 0x56: 0x0F,
      // A jerk of 1 g is a slope of 0.5 g: 4 steps of 4 g / 32 on each axis; 60 degrees.
      0x57: 0x04, 0x58: 0x04, 0x59: 0x44,
      // 0x5A at 240 Hz: 538 ms are 4 steps of 32 periods, 28.8 ms 2 steps of 4, 57.7 ms 2 of 8.
      0x5A: 0x4A,
      // 0x54: a weight of 62.5 mg. 0.5 g is a slope of 0.25 g: 4 steps, for motion and stillness.
      0x54: 0x30, 0x55: 0x04, 0x5B: 0x84,
      // 0x5C: waking after two periods; 5 s are 2 steps of 512 periods.
      0x5C: 0x42,
      // 0x5D: 50 ms are 12 periods; 312 mg is code 3.
      0x5D: 0x63,
    ]
    for (register, byte) in bytes {
      #expect(rig.register(register) == byte, "register \(register)")
    }
    #expect(taken.detection.kinds == settings.detection.kinds)
    #expect(taken.detection.freeFallThreshold == 0.312)
  }

  @Test func `stillness is reported while samples flow, at their full rate`() throws {
    let (rig, taken) = try Self.registers(Self.detecting(.fifo))
    #expect(taken.detection.kinds.contains(.noMotion) && taken.rate == 240)
    // Detections drive the line that samples do not use.
    #expect(rig.register(0x5E) == 0x00 && rig.register(0x5F) == 0xFC)
    #expect(rig.register(0x50) == 0x80)
  }
}
