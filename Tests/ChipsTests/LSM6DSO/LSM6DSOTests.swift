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

// Addresses, bits and scales are typed from ST's data sheet of the LSM6DSO (DS12140 revision 2) and
// from ST's drivers of the four parts.
@Suite struct LSM6DSOTests {
  static func rig(_ part: LSM6DSOPart = .lsm6dso, isSPI: Bool = false) -> Rig {
    let rig = Rig(at: 0x6A, WireFormat(), isSPI: isSPI) { LSM6DSOModel($0, part: part) }
    rig.world.held = .inertial(Vector3(0.1, -0.2, 0.97), Vector3(0.5, -0.25, 1), temperature: 31.5)
    return rig
  }

  static func settings(_ acquisition: Acquisition, rate: Double = 104) -> SensorSettings {
    SensorSettings(rate: rate, acquisition: acquisition)
  }

  /// ST's Linux drivers discard up to 3 samples of the accelerometer after a change of rate, Chrome
  /// OS 3 of this part.
  @Test(arguments: [12.5, 26, 104, 208], [PowerMode.normal, .low])
  func `the first samples of the accelerometer are left out`(rate: Double, power: PowerMode)
    throws
  {
    for acquisition in [Acquisition.fifo, .dataReady, .polling] {
      let rig = Self.rig()
      var driver = LSM6DSO(rig.wire())
      var settings = Self.settings(acquisition, rate: rate)
      settings.power = power
      _ = try driver.configure(settings)
      driver.start()
      let outcome = rig.run(&driver, for: TimeSpan(seconds: 0.3 + 10 / rate))
      let first = try #require(outcome.frames.first).reading.specificForce
      #expect((first - Vector3(0.1, -0.2, 0.97)).norm < 0.001)
    }
  }

  /// Returns the rig with the registers as a driver with these settings wrote them.
  static func registers(_ part: LSM6DSOPart, _ settings: SensorSettings) throws -> (
    Rig, SensorSettings
  ) {
    let rig = rig(part)
    var driver = LSM6DSO(rig.wire(), expecting: part)
    let taken = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(400))
    #expect(outcome.errors.isEmpty)
    return (rig, taken)
  }

  // MARK: - Codes

  @Test func `codes do what settings do`() throws {
    let (rig, other) = (Self.rig(), Self.rig())
    let codes = LSM6DSOConfiguration(
      ReadoutMode(.fifo, watermark: 10, batchInterval: TimeSpan(seconds: 10 / 208))
    ) {
      $0.rate = .hz208
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
      $0.lowPass = .rateBy10
    }
    let made = Doings(try LSM6DSO(rig.wire(), configuration: codes), on: rig)
    var driver = LSM6DSO(other.wire())
    var settings = Self.settings(.fifo, rate: 208)
    settings.batchInterval = .milliseconds(50)
    settings.bandwidth = 21
    settings.accelerationRange = 4
    settings.rotationRateRange = radians(fromDegrees: 500)
    _ = try driver.configure(settings)
    expectSame(made, Doings(driver, on: other))
  }

  /// The FIFO has 512 words, and a sample has two.
  @Test(
    arguments: [
      (.off, .dps500, .fifo, 1), (.hz104, .dps4000, .fifo, 1),
      (.hz104, .dps500, .detections, 1), (.hz104, .dps500, .fifo, 0),
      (.hz104, .dps500, .fifo, 129),
    ]
      as [(LSM6DSOMap.OutputRate, LSM6DSOMap.GyroFullScale, Acquisition, Int)])
  func `codes that the part does not have are refused`(
    rate: LSM6DSOMap.OutputRate, gyro: LSM6DSOMap.GyroFullScale, acquisition: Acquisition,
    watermark: Int
  ) {
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try LSM6DSO(
        Self.rig().wire(),
        configuration: LSM6DSOConfiguration(ReadoutMode(acquisition, watermark: watermark)) {
          $0.rate = rate
          $0.accelFullScale = .g4
          $0.gyroFullScale = gyro
        })
    }
  }

  // MARK: - Bytes

  @Test func `a start writes these bytes in this order`() throws {
    var settings = Self.settings(.fifo, rate: 416)
    settings.batchInterval = .milliseconds(20)
    let (rig, _) = try Self.registers(.lsm6dso, settings)
    let writes = rig.log.transactions.compactMap { transaction -> [UInt8]? in
      if case .write(let register, let value) = transaction { [register, value] } else { nil }
    }
    #expect(
      writes == [
        // The page of embedded functions closed, reset, block update.
        [0x01, 0x00], [0x12, 0x05], [0x12, 0x44],
        // I3C is disabled; the FIFO's line is on INT1.
        [0x18, 0xE2], [0x0D, 0x08], [0x0E, 0x00], [0x0B, 0x00], [0x15, 0x00], [0x16, 0x00],
        [0x17, 0x00],
        // 8 samples are 16 words; both sensors run at 416 Hz.
        [0x07, 0x10], [0x08, 0x00], [0x09, 0x66],
        // 500 degrees per second, 4 g.
        [0x11, 0x64], [0x10, 0x68],
        // Bypass mode, then continuous mode.
        [0x0A, 0x00], [0x0A, 0x06],
      ])
  }

  @Test(arguments: [
    (12.5, UInt8(0x10)), (26, 0x20), (52, 0x30), (104, 0x40), (208, 0x50), (416, 0x60),
    (833, 0x70), (1660, 0x80),
  ])
  func `each rate is the same code of both sensors`(_ rate: Double, _ code: UInt8) throws {
    let (rig, taken) = try Self.registers(.lsm6dso, Self.settings(.polling, rate: rate))
    #expect(taken.rate == rate)
    #expect(rig.register(0x10) & 0xF0 == code && rig.register(0x11) & 0xF0 == code)
  }

  @Test func `ranges are these codes, part by part`() throws {
    let accelerometer: [(LSM6DSOPart, Double, UInt8)] = [
      (.lsm6dso, 2, 0x00), (.lsm6dso, 4, 0x08), (.lsm6dso, 8, 0x0C), (.lsm6dso, 16, 0x04),
      (.ism330dhcx, 16, 0x04), (.lsm6dso32, 4, 0x00), (.lsm6dso32, 8, 0x08),
      (.lsm6dso32, 16, 0x0C), (.lsm6dso32, 32, 0x04),
    ]
    for (part, g, code) in accelerometer {
      var settings = Self.settings(.polling)
      settings.accelerationRange = g
      let (rig, taken) = try Self.registers(part, settings)
      #expect(taken.accelerationRange == g && rig.register(0x10) & 0x0C == code, "\(part) \(g)")
    }
    let gyroscope: [(LSM6DSOPart, Double, UInt8)] = [
      (.lsm6dso, 125, 0x02), (.lsm6dso, 250, 0x00), (.lsm6dso, 500, 0x04), (.lsm6dso, 1000, 0x08),
      (.lsm6dso, 2000, 0x0C), (.ism330dhcx, 2000, 0x0C), (.ism330dhcx, 4000, 0x01),
    ]
    for (part, degrees, code) in gyroscope {
      var settings = Self.settings(.polling)
      settings.rotationRateRange = radians(fromDegrees: degrees)
      let (rig, _) = try Self.registers(part, settings)
      #expect(rig.register(0x11) & 0x0F == code, "\(part) \(degrees)")
    }
  }

  static let beyond: [SensorSettings] = [
    SensorSettings(accelerationRange: 32),
    SensorSettings(rotationRateRange: radians(fromDegrees: 4000)), SensorSettings(rate: 3330),
  ]

  @Test(arguments: beyond) func `an LSM6DSO refuses what its relatives have`(
    _ settings: SensorSettings
  ) {
    var driver = LSM6DSO(Self.rig().wire(), expecting: .lsm6dso)
    do throws(ChipError) {
      _ = try driver.configure(settings)
      Issue.record("taken")
    } catch { #expect(error == .unsupportedSetting) }
  }

  @Test(arguments: [
    (LSM6DSOPart.lsm6dso, [2.0, 4, 8, 16], [125.0, 250, 500, 1000, 2000]),
    (.lsm6dso32, [4, 8, 16, 32], [125, 250, 500, 1000, 2000]),
    (.ism330dhcx, [2, 4, 8, 16], [125, 250, 500, 1000, 2000, 4000]),
  ])
  func `each part offers its ranges`(_ part: LSM6DSOPart, _ g: [Double], _ degrees: [Double]) {
    let driver = LSM6DSO(Self.rig(part).wire(), expecting: part)
    let accelerometer = (0...g.count).map { driver.range(of: .acceleration, at: $0) }
    #expect(accelerometer == g + [nil])
    let gyroscope = (0...degrees.count).map { driver.range(of: .rotationRate, at: $0) }
    #expect(gyroscope == degrees.map { radians(fromDegrees: $0) } + [nil])
  }

  @Test(arguments: [
    (52.0, nil), (26, UInt8(0x00)), (10.4, 0x20), (10, 0x40), (3, 0x60), (1.04, 0x80), (0.01, 0xE0),
  ])
  func `the second low-pass is a part of the rate`(_ bandwidth: Double, _ code: UInt8?) throws {
    var settings = Self.settings(.polling)
    settings.bandwidth = bandwidth
    let (rig, taken) = try Self.registers(.lsm6dso, settings)
    #expect(rig.register(0x10) & 0x02 == (code == nil ? 0 : 2))
    if let code { #expect(rig.register(0x17) & 0xE0 == code) }
    #expect(taken.bandwidth ?? 0 <= max(bandwidth, 104 / 800.0))
  }

  @Test func `the second pin has the routes and the first none`() throws {
    for (acquisition, route) in [(Acquisition.fifo, UInt8(0x08)), (.dataReady, 0x02)] {
      var settings = Self.settings(acquisition)
      settings.interruptPin = InterruptPin(number: 2, isActiveLow: true, isOpenDrain: true)
      let (rig, _) = try Self.registers(.lsm6dso, settings)
      #expect(rig.register(0x0D) == 0x00 && rig.register(0x0E) == route)
      // H_LACTIVE and PP_OD; one pulse for each sample.
      #expect(rig.register(0x12) == 0x74)
      #expect(rig.register(0x0B) == (acquisition == .dataReady ? 0x80 : 0x00))
    }
  }

  @Test func `low power is the accelerometer alone, up to 208 Hz`() throws {
    var settings = Self.settings(.fifo, rate: 416)
    settings.power = .low
    let (rig, taken) = try Self.registers(.lsm6dso, settings)
    #expect(taken.rate == 208)
    #expect(rig.register(0x10) == 0x58 && rig.register(0x11) & 0xF0 == 0)
    #expect(rig.register(0x15) == 0x10 && rig.register(0x16) == 0x80 && rig.register(0x09) == 0x05)
    let frames = rig.takeOutcome().frames
    #expect(frames.count > 50)
    for frame in frames {
      #expect(frame.reading.channels == .acceleration)
      #expect(abs(frame.reading.specificForce.z - 0.97) < 0.0002)
    }
  }

  // MARK: - Decoding

  /// Returns a FIFO batch: words with these tags, each with the axes 1, -2 and 32767.
  static func batch(
    tags: [UInt8], accel: UInt8, gyro: UInt8, part: UInt8
  ) -> (force: Vector3, turn: Vector3, temperature: Double) {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 7 * tags.count
    batch.format[0] = accel
    batch.format[1] = gyro
    batch.format[2] = part
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
    let reading = LSM6DSODecoder.decode(batch, frame: 0)
    return (reading.specificForce, reading.rotationRate, reading.temperature)
  }

  @Test func `the queue's tag says which sensor a word is from`() {
    // The gyroscope first, then the accelerometer first: the tags are 0x08 | 0x09 and 0x10 | 0x11,
    // with count and parity.
    for tags in [[UInt8(0x09), 0x11], [0x11, 0x09]] {
      let (force, turn, temperature) = Self.batch(tags: tags, accel: 0, gyro: 0, part: 0)
      // The steps are 61 micro-g and 8.75 mdps.
      #expect(abs(force.x + 32768 * 0.000061) < 1e-12 && abs(force.y - 0.0061) < 1e-12)
      #expect(abs(turn.x - 0.00875 * .pi / 180) < 1e-12)
      #expect(abs(turn.z - 32767 * 0.00875 * .pi / 180) < 1e-9)
      #expect(temperature == 23.5)
    }
  }

  @Test func `each code has its scale`() {
    let accelerometer: [(part: UInt8, code: UInt8, microG: Double)] = [
      (0, 0, 61), (0, 2, 122), (0, 3, 244), (0, 1, 488), (1, 0, 122), (1, 2, 244), (1, 3, 488),
      (1, 1, 976), (2, 1, 488),
    ]
    for row in accelerometer {
      let force = Self.batch(tags: [0x11], accel: row.code, gyro: 0, part: row.part).force
      #expect(abs(force.y - 100 * row.microG * 1e-6) < 1e-12, "\(row)")
    }
    let gyroscope: [(UInt8, Double)] = [
      (2, 4.375), (0, 8.75), (4, 17.5), (8, 35), (12, 70), (1, 140),
    ]
    for (code, millidegrees) in gyroscope {
      let turn = Self.batch(tags: [0x09, 0x11], accel: 0, gyro: code, part: 2).turn
      #expect(abs(turn.y + 2 * millidegrees * 1e-3 * .pi / 180) < 1e-12, "\(code)")
    }
  }

  // MARK: - Identity

  @Test func `who says 0x6B is an ISM330DHCX, whatever was expected`() throws {
    let rig = Self.rig(.ism330dhcx)
    var driver = LSM6DSO(rig.wire(), expecting: .lsm6dso)
    _ = try driver.configure(Self.settings(.polling))
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(300))
    #expect(outcome.errors.isEmpty && !outcome.frames.isEmpty)
    let part = driver.part
    #expect(part == .ism330dhcx)
  }

  @Test func `an LSM6DSO32 stays one, also where the board names the identity`() throws {
    let rig = Self.rig(.lsm6dso32)
    var driver = LSM6DSO(rig.wire(), expecting: .lsm6dso32)
    var settings = Self.settings(.polling)
    settings.assumedIdentity = 0x6C
    settings.accelerationRange = 32
    let taken = try driver.configure(settings)
    #expect(taken.accelerationRange == 32)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(300))
    let part = driver.part
    #expect(outcome.errors.isEmpty && part == .lsm6dso32)
    let force = try #require(outcome.frames.last).reading.specificForce
    #expect(abs(force.z - 0.97) < 0.001)
  }

  // MARK: - The queue

  /// Returns a driver with a running FIFO on `rig`.
  static func queued(_ rig: Rig) throws -> LSM6DSO<RigBus> {
    var driver = LSM6DSO(rig.wire(), expecting: .lsm6dso)
    var settings = settings(.fifo)
    settings.batchInterval = .milliseconds(50)
    _ = try driver.configure(settings)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    _ = rig.takeOutcome()
    return driver
  }

  @Test func `a word that was taken by another reader costs one fill and is counted`() throws {
    let rig = Self.rig()
    var driver = try Self.queued(rig)
    // Another program reads seven bytes, so that from there on every sample is split.
    rig.clock.advance(to: rig.clock.now + .milliseconds(25))
    rig.model.advance(to: rig.clock.now)
    for register in UInt8(0x78)...0x7E { _ = rig.model.read(register) }
    let taken = rig.model.samplesTaken
    let before = driver.health
    let outcome = rig.run(&driver, for: .seconds(1))
    let health = driver.health
    #expect(outcome.errors.isEmpty && outcome.isOrdered)
    #expect(outcome.missing > 0 && health.misconfigurations == 1)
    let counted = health.received + health.missing
    let sinceThen = counted - before.received - before.missing
    #expect(sinceThen <= rig.model.samplesTaken - taken + 8)
    #expect(Int64(rig.model.samplesTaken) - Int64(counted) < 30)
    for frame in outcome.frames {
      #expect(abs(frame.reading.specificForce.z - 0.97) < 0.001)
      #expect(abs(frame.reading.rotationRate.z - 1) < 0.001)
      #expect(abs(frame.reading.temperature - 31.5) < 0.01)
    }
  }

  @Test func `a queue that ran over is emptied and counted`() throws {
    let rig = Self.rig()
    var driver = try Self.queued(rig)
    rig.clock.advance(to: rig.clock.now + .seconds(4))
    let outcome = rig.run(&driver, for: .seconds(1))
    let overflows = driver.health.overflows
    #expect(overflows == 1 && outcome.errors.isEmpty && outcome.isOrdered)
    // 4 s at 104 Hz, and the samples that were in the FIFO.
    #expect((410...430).contains(outcome.missing), "\(outcome.missing)")
  }

  @Test func `a tag with an odd number of ones is not accepted`() throws {
    // 0x08 is the gyroscope's tag without its parity bit, 0x10 the accelerometer's.
    for tags in [[UInt8(0x08), 0x11], [0x09, 0x10], [0x09, 0x0A], [0x09, 0x17], [0x11, 0x11]] {
      let script = Script(
        Self.scriptedStart + [
          .read(0x3A, [0x02, 0x00]),
          .read(
            0x78, [tags[0], 0, 0, 0, 0, 0, 0, tags[1], 0, 0, 0, 0, 0, 0]),
          .read(0x20, [0, 0]), .write(0x0A, 0x00), .write(0x0A, 0x06),
        ]
      ) { Issue.record("\($0)") }
      var driver = LSM6DSO(script.bus, expecting: .lsm6dso)
      _ = try driver.configure(Self.settings(.fifo))
      driver.start()
      var batch = RawBatch()
      for _ in 0..<5 {
        script.advance(by: .milliseconds(1))
        _ = step(&driver, &batch)
        let frames = batch.frames
        #expect(frames == 0)
      }
      let broken = driver.health.misconfigurations
      #expect(broken == 1)
      #expect(script.finish() == [], "\(tags)")
    }
  }

  static let table: [(UInt8, UInt8)] = [
    (0x12, 0x44), (0x18, 0xE2), (0x0D, 0x08), (0x0E, 0x00), (0x0B, 0x00), (0x15, 0x00),
    (0x16, 0x00), (0x17, 0x00), (0x07, 0x02), (0x08, 0x00), (0x09, 0x44), (0x11, 0x44),
    (0x10, 0x48),
  ]

  static let scriptedStart: [Transaction] =
    [.write(0x01, 0x00), .read(0x0F, [0x6C]), .write(0x12, 0x05), .read(0x12, [0x04])]
    + table.map { .write($0, $1) } + table.map { .read($0, [$1]) }
    + [.read(0x20, [0, 0]), .write(0x0A, 0x00), .write(0x0A, 0x06)]
}
