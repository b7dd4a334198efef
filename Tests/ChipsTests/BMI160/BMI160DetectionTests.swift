// SPDX-License-Identifier: Apache-2.0
import Simulation
import ChipCatalog
import Quantities
import Registers
import Sensors
import Boards
import Testing

private func settings(
  _ kinds: DetectionSet, _ way: Acquisition = .detections, rate: Double = 200
) -> SensorSettings {
  var settings = SensorSettings(rate: rate, accelerationRange: 4, acquisition: way)
  settings.detection.kinds = kinds
  return settings
}

/// Registers and bytes are typed by hand from the vendor's documents.
@Suite struct BMI160DetectionRegisterTests {
  /// 0.1 g of motion is 13 steps of 7.8 mg at 4 g; a tap of 1 g is 8 steps of 125 mg; free fall of
  /// 0.312 g is 40 steps of 7.8 mg, its 50 ms 20 steps of 2.5 ms; 5 s of rest is 4 steps of 1.28 s.
  @Test(arguments: [1, 2] as [UInt8])
  func `every detection is configured byte by byte`(_ pin: UInt8) throws {
    var wanted = settings(DetectionSet(rawValue: 0xFFFF))
    wanted.interruptPin.number = pin
    let rig = try BMI160Rig(wanted)
    // The chip has no tilt detection, and significant motion replaces motion.
    let kinds: DetectionSet = [
      .step, .singleTap, .doubleTap, .freeFall, .noMotion, .significantMotion, .orientation, .flat,
    ]
    #expect(rig.settings.detection.kinds == kinds)
    let threshold: Double = 13 * 4.0 / 512
    #expect(rig.settings.detection.motionThreshold == threshold)
    #expect(rig.settings.detection.motionDuration == .milliseconds(5))
    #expect(rig.settings.detection.stillDuration == .milliseconds(5120))
    #expect(rig.settings.detection.tapThreshold == 1)
    #expect(rig.settings.detection.freeFallThreshold == 0.3125)
    #expect(rig.settings.detection.freeFallDuration == .milliseconds(50))
    rig.run(.milliseconds(200))
    let table: [(UInt8, UInt8)] = [
      (0x40, 0x29), (0x41, 0x05), (0x42, 0x29), (0x43, 0x02), (0x45, 0x88), (0x46, 0x03),
      (0x47, 0x10), (0x53, pin == 1 ? 0x0A : 0xA0), (0x54, 0x0F), (0x56, 0x00), (0x51, 0x08),
      (0x5A, 0x13), (0x5B, 0x28), (0x5C, 0x81), (0x5F, 0x0C), (0x60, 0x0D), (0x61, 0x0D),
      (0x62, 0x27), (0x63, 0x04), (0x64, 0x08), (0x65, 0x18), (0x66, 0x48), (0x67, 0x08),
      (0x68, 0x11), (0x7A, 0x15), (0x7B, 0x0B), (0x55, pin == 1 ? 0xFD : 0x00),
      (0x57, pin == 2 ? 0xFD : 0x00), (0x50, 0xF7), (0x52, 0x0F),
    ]
    let start: [WireTransaction] =
      [
        .read(0x7F, 1), .read(0x00, 1), .write(0x7E, 0xB6), .read(0x7F, 1), .read(0x00, 1),
        .read(0x03, 1), .write(0x7E, 0x11), .read(0x03, 1),
      ]
      + table.map { .write($0.0, $0.1) } + table.map { .read($0.0, 1) }
      + [.read(0x02, 1), .write(0x7E, 0xB1)]
    #expect(Array(rig.port.log.prefix(start.count)) == start)
    // The gyroscope is off, because no detection needs it.
    #expect(rig.model.read(0x03) == 0x10)
  }

  @Test func `while samples are read, detections do not use the pin`() throws {
    let rig = try BMI160Rig(settings([.motion, .step], .fifo, rate: 100))
    rig.run(.milliseconds(200))
    // The pin signals the FIFO watermark and no detections.
    #expect(rig.port.log.contains(.write(0x51, 0x40)))
    #expect(rig.port.log.contains(.write(0x56, 0x40)))
    #expect(rig.port.log.contains(.write(0x55, 0x00)))
    #expect(rig.port.log.contains(.write(0x57, 0x00)))
    #expect(rig.port.log.contains(.write(0x50, 0x07)))
    #expect(rig.port.log.contains(.write(0x52, 0x08)))
    #expect(rig.port.log.contains(.write(0x62, 0x25)))
    #expect(rig.model.read(0x03) == 0x14)
  }

  @Test func `a wait for nothing is refused`() {
    #expect(throws: ChipError.unsupportedSetting) { try BMI160Rig(settings([])) }
    #expect(throws: ChipError.unsupportedSetting) { try BMI160Rig(settings(.tilt)) }
  }

  /// The steps of no motion (section 2.6.9.1): 1.28 s up to 16 steps, 5.12 s from 5, 10.24 s from
  /// 11 on.
  @Test func `a duration of rest is the nearest that the chip has`() throws {
    let table: [(Double, Double, UInt8)] = [
      (0, 1.28, 0x00), (20, 20.48, 0x3C), (25, 25.6, 0x40), (100, 102.4, 0x7C), (113, 112.64, 0x80),
      (1000, 430.08, 0xFC),
    ]
    for (wanted, had, code) in table {
      var asked = settings(.noMotion)
      asked.detection.stillDuration = TimeSpan(seconds: wanted)
      let rig = try BMI160Rig(asked)
      #expect(rig.settings.detection.stillDuration == TimeSpan(seconds: had))
      rig.run(.milliseconds(50))
      #expect(rig.port.log.contains(.write(0x5F, code)))
    }
  }

  /// The contents of INT_STATUS 0 to 3, and the detection that they mean.
  static let table: [([UInt8], Detection)] = [
    ([0x20, 0x00, 0x10, 0x00], Detection(.singleTap, at: .zero, detail: 1)),
    ([0x20, 0x00, 0xC0, 0x00], Detection(.singleTap, at: .zero, detail: -3)),
    ([0x10, 0x00, 0xA0, 0x00], Detection(.doubleTap, at: .zero, detail: -2)),
    ([0x10, 0x00, 0x40, 0x00], Detection(.doubleTap, at: .zero, detail: 3)),
    ([0x04, 0x00, 0x0C, 0x00], Detection(.motion, at: .zero, detail: -3)),
    ([0x04, 0x00, 0x01, 0x00], Detection(.motion, at: .zero, detail: 1)),
    ([0x04, 0x00, 0xF2, 0x00], Detection(.motion, at: .zero, detail: 2)),
    ([0x00, 0x80, 0x00, 0x00], Detection(.noMotion, at: .zero)),
    ([0x00, 0x08, 0x00, 0x00], Detection(.freeFall, at: .zero)),
    ([0x80, 0x00, 0x00, 0x80], Detection(.flat, at: .zero, detail: 1)),
    ([0x80, 0x00, 0x00, 0x7F], Detection(.flat, at: .zero, detail: 0)),
    ([0x40, 0x00, 0x00, 0x10], Detection(.orientation, at: .zero, detail: -1)),
    ([0x40, 0x00, 0x00, 0x20], Detection(.orientation, at: .zero, detail: -2)),
    ([0x40, 0x00, 0x00, 0x30], Detection(.orientation, at: .zero, detail: 2)),
    ([0x40, 0x00, 0x00, 0x40], Detection(.orientation, at: .zero, detail: -3)),
  ]

  @Test(arguments: table)
  func `each status is its detection`(_ bytes: [UInt8], _ expected: Detection) throws {
    let rig = try BMI160Rig(
      settings(DetectionSet(rawValue: 0xFFFF).subtracting(.significantMotion)))
    rig.run(.milliseconds(500))
    var isGiven = false
    rig.port.bend = { register, answer in
      guard register == 0x1C, !isGiven else { return }
      isGiven = true
      for index in 0..<4 { answer[index] = bytes[index] }
    }
    rig.run(.milliseconds(1100))
    #expect(rig.detections.map(\.kind) == [expected.kind])
    #expect(rig.detections.first?.detail == expected.detail)
    #expect(rig.port.log.contains(.write(0x7E, 0xB1)))
  }

  @Test func `a status of significant motion is its detection`() throws {
    let rig = try BMI160Rig(settings(.significantMotion))
    rig.run(.milliseconds(500))
    rig.port.bend = { register, answer in if register == 0x1C { answer[0] = 0x02 } }
    rig.run(.milliseconds(1100))
    #expect(rig.detections.map(\.kind) == [.significantMotion])
  }

  /// The chip's count has 16 bits, and is 0 after a reset.
  @Test func `the step counter is continued beyond 16 bits`() throws {
    let rig = try BMI160Rig(settings(.step))
    rig.run(.milliseconds(500))
    var counts: [UInt16] = [0xFFFE, 0x0003, 0x0007]
    rig.port.bend = { register, answer in
      if register == 0x1C { answer[0] = 0x01 }
      guard register == 0x78, !counts.isEmpty else { return }
      let count = counts.removeFirst()
      answer[0] = UInt8(truncatingIfNeeded: count)
      answer[1] = UInt8(count >> 8)
    }
    rig.run(.milliseconds(3100))
    #expect(rig.detections.map(\.detail) == [0xFFFE, 0x10003, 0x10007])
  }
}

/// Detections from a simulated motion to the driver's result.
@Suite struct BMI160DetectionTests {
  private static let ways: [Acquisition] = [.detections, .fifo, .dataReady, .polling]

  /// Creates a rig that lies flat; `force` is added from one second after its start on.
  private func rig(
    _ settings: SensorSettings, held: Vector3 = Vector3(0, 0, 1), isWired: Bool = true,
    _ force: @escaping (Double) -> Vector3
  ) throws -> BMI160Rig {
    let rig = try BMI160Rig(settings, isWired: isWired)
    rig.world.held.specificForce = held
    let begin = rig.clock.now.seconds + 1
    rig.world.changes = { time, _, reading in
      if time.seconds >= begin { reading.specificForce += force(time.seconds - begin) }
    }
    return rig
  }

  /// Returns true if the detection is at `time` in seconds after the rig's first second: within two
  /// samples if the line signals it, within 100 ms and a batch if the status is polled.
  private func isAt(_ time: Double, _ detection: Detection?, _ way: Acquisition) -> Bool {
    guard let detection else { return false }
    let late = detection.timestamp.seconds - 2 - time
    return late > -0.001 && late < (way == .detections || way == .dataReady ? 0.011 : 0.13)
  }

  @Test(arguments: ways)
  func `motion is detected when it begins and ends, with its axis`(_ way: Acquisition) throws {
    let rig = try rig(settings(.motion, way)) { $0 < 1 ? Vector3(0, -0.5, 0) : .zero }
    rig.run(.milliseconds(1800))
    #expect(rig.detections.count == 1)
    #expect(rig.detections.first?.kind == .motion)
    #expect(rig.detections.first?.detail == -2)
    #expect(isAt(0, rig.detections.first, way))
    rig.run(.seconds(1))
    #expect(rig.detections.map(\.detail) == [-2, 2])
    #expect(rig.errors == [])
    #expect(rig.driver.health.missedInterrupts == 0)
    if way != .detections { #expect(rig.missing == 0) }
    if way == .detections { #expect(rig.samples.isEmpty) }
  }

  /// The status was read, but reading the FIFO failed: the detection is delivered, and the samples
  /// follow at the next poll.
  @Test func `an error after a poll loses neither detection nor sample`() throws {
    let rig = try rig(settings(.motion, .fifo)) { $0 < 1 ? Vector3(0, -0.5, 0) : .zero }
    rig.run(.milliseconds(900))
    var hasPolled = false
    var hasFailed = false
    rig.port.failure = { transaction in
      if transaction == .write(0x7E, 0xB1) { hasPolled = true }
      guard hasPolled, !hasFailed, case .read(0x22...0x24, _) = transaction else { return nil }
      hasFailed = true
      return .noAcknowledge
    }
    rig.run(.seconds(2))
    #expect(hasFailed)
    #expect(rig.detections.map(\.detail) == [-2, 2])
    #expect(rig.driver.health.busErrors == 1)
    #expect(rig.missing == 0)
    #expect(rig.isStrictlyIncreasing)
  }

  @Test func `motion below the threshold is none`() throws {
    let rig = try rig(settings(.motion)) { $0 < 1 ? Vector3(0, 0.09, 0) : .zero }
    rig.run(.seconds(4))
    #expect(rig.detections.isEmpty)
  }

  @Test(arguments: [1, 2] as [UInt8], [true, false])
  func `motion is signalled on either pin at either level`(_ pin: UInt8, _ isLow: Bool) throws {
    var wanted = settings(.motion)
    wanted.interruptPin = InterruptPin(number: pin, isActiveLow: isLow)
    let rig = try rig(wanted) { $0 < 1 ? Vector3(0.5, 0, 0) : .zero }
    rig.run(.seconds(3))
    #expect(rig.detections.map(\.detail) == [1, -1])
    #expect(isAt(0, rig.detections.first, .detections))
    #expect(isAt(1, rig.detections.last, .detections))
  }

  /// Without a wired line the status is polled each second.
  @Test func `without a line the status is looked at each second`() throws {
    let rig = try rig(settings(.motion), isWired: false) { $0 < 5 ? Vector3(0.5, 0, 0) : .zero }
    rig.run(.seconds(3))
    #expect(rig.detections.map(\.detail) == [1])
    let late = try #require(rig.detections.first).timestamp.seconds - 2
    #expect(late > 0 && late < 1.01)
  }

  @Test(arguments: ways) func `single and double taps are detected`(_ way: Acquisition) throws {
    let rig = try rig(settings([.singleTap, .doubleTap], way)) { time in
      let hits = [0, 2, 2.2]
      return hits.contains { time >= $0 && time < $0 + 0.015 } ? Vector3(0, 0, -2) : .zero
    }
    rig.run(.milliseconds(2500))
    // The tap follows 50 ms of shock and 30 ms of quiet.
    #expect(rig.detections.map(\.kind) == [.singleTap])
    #expect(rig.detections.first?.detail == -3)
    #expect(isAt(0.08, rig.detections.first, way))
    rig.run(.seconds(2))
    #expect(rig.detections.map(\.kind) == [.singleTap, .singleTap, .doubleTap])
    #expect(isAt(2.2, rig.detections.last, way))
  }

  @Test(arguments: ways)
  func `a fall is detected after 50 ms, a shorter one never`(_ way: Acquisition) throws {
    let rig = try rig(settings(.freeFall, way)) {
      $0 < 0.04 || ($0 > 1 && $0 < 1.3) ? Vector3(0, 0, -1) : .zero
    }
    rig.run(.seconds(4))
    // A fall of 40 ms is too short; the second fall is detected after 50 ms.
    #expect(rig.detections.map(\.kind) == [.freeFall])
    #expect(isAt(1.05, rig.detections.first, way))
  }

  @Test(arguments: ways) func `rest is detected after five seconds`(_ way: Acquisition) throws {
    let rig = try rig(settings(.noMotion, way)) { $0 < 0.5 ? Vector3(0.5, 0, 0) : .zero }
    rig.run(.seconds(10))
    #expect(rig.detections.map(\.kind) == [.noMotion])
    #expect(isAt(0.5 + 5.12, rig.detections.first, way))
  }

  @Test func `motion is significant when it goes on after a pause`() throws {
    let rig = try rig(settings(.significantMotion)) { time in
      time < 0.3 || (time > 10 && time < 14.5)
        ? Vector3(0, 0, (time * 12).rounded(.down).truncatingRemainder(dividingBy: 2)) : .zero
    }
    rig.run(.seconds(20))
    // A short motion is not enough; a continuing one is detected after a pause of 3 s.
    #expect(rig.detections.map(\.kind) == [.significantMotion])
    let first = try #require(rig.detections.first).timestamp.seconds - 2
    #expect(first > 13 && first < 13.4)
  }

  @Test(arguments: ways) func `each side is detected when it comes up`(_ way: Acquisition) throws {
    let sides = [
      Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, -1, 0), Vector3(1, 0, 0),
      Vector3(0.7, 0, -0.7), Vector3(0.7, 0, 0.7), Vector3(0, 0, 1),
    ]
    let rig = try rig(settings(.orientation, way), held: .zero) { time in
      sides[min(Int(time), sides.count - 1)]
    }
    rig.run(.seconds(10))
    #expect(rig.detections.map(\.detail) == [2, -1, -2, 1, -3, 3])
    #expect(rig.detections.allSatisfy { $0.kind == .orientation })
  }

  @Test(arguments: ways) func `lying flat is detected, and its end`(_ way: Acquisition) throws {
    let rig = try rig(settings(.flat, way), held: Vector3(0.7, 0, 0.7)) { time in
      time < 3 ? Vector3(-0.7, 0, 0.3) : .zero
    }
    rig.run(.seconds(7))
    #expect(rig.detections.map(\.kind) == [.flat, .flat])
    #expect(rig.detections.map(\.detail) == [1, 0])
    #expect(isAt(0.64, rig.detections.first, way))
    #expect(isAt(3.64, rig.detections.last, way))
  }

  @Test(arguments: ways, [PowerMode.normal, .low]) func `steps are counted in either power mode`(
    _ way: Acquisition, _ power: PowerMode
  )
    throws
  {
    var wanted = settings(.step, way, rate: 100)
    wanted.power = power
    let rig = try rig(wanted) { time in
      // The force simulates two steps per second for ten seconds.
      time >= 10 || (time * 4).rounded(.down).truncatingRemainder(dividingBy: 2) == 0
        ? Vector3(0, 0, -0.2) : Vector3(0, 0, 0.4)
    }
    rig.run(.seconds(13))
    #expect(rig.detections.map(\.kind) == [DetectionKind](repeating: .step, count: 20))
    #expect(rig.detections.map(\.detail) == (1...20).map { Int32($0) })
    #expect(rig.errors == [])
    #expect(rig.model.read(0x02) == 0)
    // The chip loses its count with its power, but the driver keeps it.
    rig.model.advance(to: rig.clock.now)
    rig.model.powerCycle()
    rig.run(.seconds(3))
    let begin = rig.clock.now.seconds
    rig.world.changes = { time, _, reading in
      reading.specificForce.z += time.seconds - begin < 1 ? -0.2 : 0.4
    }
    rig.run(.seconds(3))
    #expect(rig.detections.last?.detail == 21)
  }
}
