// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Foundation
import Quantities
import Registers
import Sensors
import Testing

/// The chip's own detections: the bytes that configure them, typed from ST's data sheets and
/// AN5130, and the results of a motion.
@Suite struct LSM6DS3DetectionTests {
  static func settings(
    _ kinds: DetectionSet, _ acquisition: Acquisition = .detections, rate: Double = 208,
    pin: UInt8 = 1
  ) -> SensorSettings {
    var settings = LSM6DS3Tests.settings(acquisition, rate: rate)
    settings.detection = DetectionSettings(kinds)
    settings.interruptPin.number = pin
    return settings
  }

  static let everything: DetectionSet = [
    .step, .singleTap, .doubleTap, .freeFall, .tilt, .motion, .noMotion, .significantMotion,
    .orientation,
  ]

  static let down = Vector3(0, 0, 1)

  /// Returns the detections while the chip moves with `force` for some seconds.
  static func detect(
    _ family: LSM6DS3Family, _ settings: SensorSettings, seconds: Int64,
    _ force: @escaping (Double) -> Vector3
  ) throws -> LSM6DS3Run {
    let bench = LSM6DS3Bench(family, in: World.moved(force))
    let run = try LSM6DS3Run(bench, settings, isWired: true)
    run.run(.seconds(seconds))
    #expect(run.errors.isEmpty)
    return run
  }

  // MARK: - Configuration

  @Test(arguments: LSM6DS3Family.allCases, [UInt8(1), 2])
  func `every function is configured byte by byte`(_ family: LSM6DS3Family, pin: UInt8) throws {
    let bench = LSM6DS3Bench(family)
    var settings = Self.settings(Self.everything, pin: pin)
    settings.detection.motionThreshold = 0.5
    settings.detection.motionDuration = .milliseconds(10)
    let run = try LSM6DS3Run(bench, settings, isWired: true)
    run.run(.milliseconds(200))
    #expect(run.errors.isEmpty)
    let isOlder = family == .lsm6ds3
    let bytes: [UInt8: UInt8] = [
      // INT1_CTRL enables and latches single steps and significant motion; MD1_CFG or MD2_CFG the
      // others.
      0x0D: 0xC0, 0x0E: 0x00, 0x5E: pin == 1 ? 0xFE : 0x00, 0x5F: pin == 2 ? 0xFE : 0x00,
      // The gyroscope is off.
      0x11: 0x04,
      // 0x19: FUNC_EN and SIGN_MOTION_EN; with identity 0x69 the axes, with 0x6A PEDO_EN and
      // TILT_EN.
      0x19: isOlder ? 0x3D : 0x1D,
      // 0x58: with identity 0x69 PEDO_EN and TILT_EN, with 0x6A INTERRUPTS_ENABLE and INACT_EN 1;
      // taps on all axes, LIR.
      0x58: isOlder ? 0x6F : 0xAF,
      // 0x59: 60 degrees; a jerk of 1 g is a slope of 0.5 g, 4 steps of 4 g / 32.
      0x59: 0x44,
      // 0x5A at 208 Hz: 538 ms are 3 steps of 32 periods, 28.8 ms 1 step of 4, 57.7 ms 2 steps of
      // 8.
      0x5A: 0x36,
      // 0x5B: both taps; with identity 0x69 INACTIVITY. 0.5 g is a slope of 0.25 g, 4 steps of 4 g
      // / 64.
      0x5B: isOlder ? 0xC4 : 0x84,
      // 0x5C: waking after two periods; 5 s are 2 steps of 512 periods.
      0x5C: 0x42,
      // 0x5D: 50 ms are 10 periods; 312 mg is code 3.
      0x5D: 0x53,
    ]
    for (register, byte) in bytes {
      #expect(bench.model.read(register) == byte, "register \(register)")
    }
    // First the step counter is held at 0, by a bit that does not clear itself.
    let control = bench.log.filter { if case .write(0x19, _) = $0 { true } else { false } }
    #expect(
      control == [.write(0x19, isOlder ? 0x3F : 0x1F), .write(0x19, isOlder ? 0x3D : 0x1D)])
    let taken = run.taken.detection
    #expect(taken.kinds == Self.everything && taken.motionThreshold == 0.5)
    #expect(taken.tapThreshold == 1 && taken.freeFallThreshold == 0.312)
    #expect(abs(taken.stillDuration.seconds - 1024 / 208) < 1e-6)
    #expect(abs(taken.freeFallDuration.seconds - 10 / 208.0) < 1e-6)
    #expect(abs(taken.motionDuration.seconds - 2 / 208.0) < 1e-6)
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `thresholds are the nearest that a full scale has`(_ family: LSM6DS3Family) throws {
    for (g, wake, tap) in [(2.0, UInt8(10), UInt8(6)), (4, 5, 3), (8, 2, 1), (16, 1, 1)] {
      let bench = LSM6DS3Bench(family)
      var settings = Self.settings([.motion, .singleTap])
      settings.accelerationRange = g
      settings.detection.motionThreshold = 0.61
      settings.detection.tapThreshold = 0.7
      let run = try LSM6DS3Run(bench, settings)
      run.run(.milliseconds(200))
      // 0.305 g in steps of g / 64 and 0.35 g in steps of g / 32, at least 1.
      #expect(bench.model.read(0x5B) == wake && bench.model.read(0x59) & 0x1F == tap)
      #expect(run.taken.detection.motionThreshold == Double(wake) * g / 32)
    }
    let falls: [(Double, UInt8)] = [
      (0.1, 0), (0.2, 1), (0.24, 2), (0.3, 3), (0.35, 4), (0.4, 5), (0.46, 6), (2, 7),
    ]
    for (g, code) in falls {
      let bench = LSM6DS3Bench(family)
      var settings = Self.settings(.freeFall)
      settings.detection.freeFallThreshold = g
      // 260 ms are 54 periods: 0x36, whose highest bit is bit 7 of 0x5C.
      settings.detection.freeFallDuration = .milliseconds(260)
      let run = try LSM6DS3Run(bench, settings)
      run.run(.milliseconds(200))
      #expect(bench.model.read(0x5D) == 0x16 << 3 | code && bench.model.read(0x5C) & 0x80 != 0)
    }
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `functions need 26 Hz, and ask only for what is there`(_ family: LSM6DS3Family) throws {
    var driver = LSM6DS3(LSM6DS3Bus(bench: LSM6DS3Bench(family)), expecting: family)
    #expect(try driver.configure(Self.settings(.step, rate: 12.5)).rate == 26)
    #expect(try driver.configure(Self.settings([.step, .flat])).detection.kinds == .step)
    // Inactivity would reduce the sample rate.
    let sampling = try driver.configure(Self.settings([.motion, .noMotion], .fifo))
    #expect(sampling.detection.kinds == .motion)
    #expect(throws: ChipError.unsupportedSetting) { try driver.configure(Self.settings(.flat)) }
    #expect(driver.detections == Self.everything)
  }

  // MARK: - Motions

  @Test(.sweep, arguments: LSM6DS3Family.allCases)
  func `a drop, a knock, a jolt and rest are detected at their times`(_ family: LSM6DS3Family)
    throws
  {
    for pin in UInt8(1)...2 {
      // The chip falls at 2 s for 300 ms; stopping it is a jolt.
      let fall = try Self.detect(family, Self.settings(.freeFall, pin: pin), seconds: 3) {
        (2..<2.3).contains($0) ? .zero : Self.down
      }
      #expect(fall.detections.map(\.kind) == [.freeFall])
      // 50 ms later, within one sample.
      let time = try #require(fall.detections.first).timestamp.seconds - 1
      #expect(abs(time - 2.0505) < 0.0055, "\(time)")

      let jolt = try Self.detect(family, Self.settings(.motion, pin: pin), seconds: 3) {
        $0 < 2 ? Self.down : Vector3(0.4, 0, 0.9)
      }
      #expect(jolt.detections.map(\.kind) == [.motion])
      let moment = try #require(jolt.detections.first).timestamp
      #expect((0...0.0049).contains(Double(moment.nanoseconds) / 1e9 - 3))
      // 0.12 g does not exceed 0.125 g, the nearest step at 4 g to the 0.1 g requested.
      let less = try Self.detect(family, Self.settings(.motion, pin: pin), seconds: 3) {
        $0 < 2 ? Self.down : Vector3(0.12, 0, 1)
      }
      #expect(less.detections.isEmpty && less.taken.detection.motionThreshold == 0.125)

      let rest = try Self.detect(family, Self.settings(.noMotion, pin: pin), seconds: 12) {
        $0 < 4 && Int($0 * 10) % 2 == 0 ? Vector3(0.5, 0, 1) : Self.down
      }
      #expect(rest.detections.map(\.kind) == [.noMotion])
      let still = try #require(rest.detections.first).timestamp.seconds - 1
      // 4.92 s after the last change, which was at 3.9 s.
      #expect(abs(still - 8.823) < 0.0055, "\(still)")
    }
  }

  @Test(.sweep, arguments: LSM6DS3Family.allCases)
  func `single and double taps are detected with axis and direction`(_ family: LSM6DS3Family) throws
  {
    let axes: [(Vector3, Int32)] = [
      (Vector3(3, 0, 0), 1), (Vector3(-3, 0, 0), -1), (Vector3(0, 3, 0), 2),
      (Vector3(0, -3, 0), -2), (Vector3(0, 0, 2.5), 3), (Vector3(0, 0, -3), -3),
    ]
    for (push, detail) in axes {
      let once = try Self.detect(family, Self.settings(.singleTap, rate: 416), seconds: 3) {
        (2..<2.01).contains($0) ? Self.down + push : Self.down
      }
      #expect(once.detections.map(\.kind) == [.singleTap])
      #expect(once.detections.first?.detail == detail)
    }
    let twice = try Self.detect(family, Self.settings([.doubleTap], rate: 416), seconds: 6) {
      (2..<2.01).contains($0) || (2.25..<2.26).contains($0) ? Vector3(0, 0, 3.5) : Self.down
    }
    #expect(twice.detections.map(\.kind) == [.doubleTap] && twice.detections.first?.detail == 3)
    // A tap one second later is another tap; a push that lasts is none.
    let apart = try Self.detect(family, Self.settings(.doubleTap, rate: 416), seconds: 6) {
      (2..<2.01).contains($0) || (3.25..<3.26).contains($0) ? Vector3(0, 0, 3.5) : Self.down
    }
    #expect(apart.detections.isEmpty)
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `sides and tilts are detected as it turns`(_ family: LSM6DS3Family) throws {
    let ups = [
      Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, -1),
      Vector3(0, 0, 1),
    ]
    let turned = try Self.detect(family, Self.settings(.orientation), seconds: 9) { time in
      time < 2 ? Self.down : ups[min(Int(time) - 2, 5)]
    }
    #expect(turned.detections.map(\.kind) == Array(repeating: .orientation, count: 6))
    #expect(turned.detections.map(\.detail) == [1, 2, -1, -2, -3, 3])
    // 40 degrees are a tilt, 30 degrees are none.
    for (angle, count) in [(40.0, 1), (30.0, 0)] {
      let tilted = try Self.detect(family, Self.settings(.tilt, rate: 52), seconds: 12) {
        $0 < 5 ? Self.down : Vector3(sin(angle * degree), 0, cos(angle * degree))
      }
      #expect(tilted.detections.count == count)
      #expect(tilted.detections.allSatisfy { $0.kind == .tilt })
    }
  }

  /// Returns the force of two steps per second until `end`.
  static func walk(until end: Double) -> (Double) -> Vector3 {
    { time in Vector3(0, 0, time < end ? 1 - 0.5 * cos(4 * Double.pi * time) : 1) }
  }

  @Test(arguments: LSM6DS3Family.allCases, [UInt8(1), 2])
  func `steps are detected, and the walk that they form`(_ family: LSM6DS3Family, pin: UInt8) throws
  {
    let settings = Self.settings([.step, .significantMotion], rate: 52, pin: pin)
    let run = try Self.detect(family, settings, seconds: 15, Self.walk(until: 10))
    let steps = run.detections.filter { $0.kind == .step }
    // 20 rises of the force; the first seven are counted at once.
    #expect(steps.last?.detail == 20)
    #expect(steps.first?.detail == 7)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.detail < $1.detail })
    #expect(run.detections.contains { $0.kind == .significantMotion })
    // With the line each step is detected at its time. The second pin does not signal steps, so the
    // driver polls.
    #expect(steps.count >= 13)
    let gaps = zip(steps, steps.dropFirst()).map { ($1.timestamp - $0.timestamp).seconds }
    #expect(gaps.allSatisfy { abs($0 - 0.5) < (pin == 1 ? 0.021 : 0.15) }, "\(gaps)")
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `a counter that turns over or begins again counts on`(_ family: LSM6DS3Family) throws {
    let bench = LSM6DS3Bench(family)
    let run = try LSM6DS3Run(bench, Self.settings(.step), isWired: true)
    run.run(.milliseconds(100))
    func show(_ count: UInt16) {
      bench.overrides = [0x4B: UInt8(count & 0xFF), 0x4C: UInt8(count >> 8)]
      run.run(.milliseconds(2100))
    }
    show(65_530)
    show(10)
    #expect(run.detections.map(\.detail) == [65_530, 65_546])
    // After a brown-out the chip counts from 0, but the driver continues its count.
    bench.overrides = [0x4B: 0, 0x4C: 0]
    bench.model.powerCycle()
    run.run(.seconds(3))
    #expect(run.health.restarts == 1)
    show(3)
    #expect(run.detections.last?.detail == 65_549)
  }

  @Test func `a shake moves it once, and waiting costs three reads a second`() throws {
    for family in LSM6DS3Family.allCases {
      let bench = LSM6DS3Bench(
        family, in: World.moved { $0 < 12 ? Self.down : Vector3(sin(30 * $0), 0, 1) })
      let run = try LSM6DS3Run(bench, Self.settings(.motion), isWired: true)
      run.run(.seconds(1))
      let before = bench.log.count
      run.run(.seconds(10))
      #expect((20...33).contains(bench.log.count - before), "\(bench.log.count - before)")
      run.run(.seconds(5))
      #expect(run.detections.map(\.kind) == [.motion])
    }
  }

  // MARK: - Beside samples

  @Test(.sweep, arguments: LSM6DS3Family.allCases, [Acquisition.dataReady, .fifo, .polling])
  func `while samples are read, detections are polled and cost no sample`(
    _ family: LSM6DS3Family, _ acquisition: Acquisition
  ) throws {
    for pin in UInt8(1)...2 {
      let kinds: DetectionSet = [.step, .motion, .freeFall, .orientation]
      let settings = Self.settings(kinds, acquisition, pin: pin)
      let bench = LSM6DS3Bench(
        family,
        in: World.moved { time in
          (3..<3.08).contains(time) ? .zero : time < 6 ? Self.down : Vector3(0, -1, 0)
        })
      let run = try LSM6DS3Run(bench, settings, isWired: acquisition != .polling)
      run.run(.seconds(8))
      #expect(run.errors.isEmpty && run.missing == 0 && run.health.missedInterrupts == 0)
      #expect(run.readings.count > 1500)
      // The drop, which lasts 30 ms between two polls, and the turn.
      #expect(run.detections.filter { $0.kind == .freeFall }.count == 1)
      #expect(run.detections.filter { $0.kind == .orientation }.map(\.detail) == [-2])
      #expect(run.detections.contains { $0.kind == .motion })
      for detection in run.detections {
        let time = Double(detection.timestamp.nanoseconds) / 1e9 - 1
        #expect((3...3.4).contains(time) || (6...6.2).contains(time), "\(detection)")
      }
      // Detections are latched if they are routed to a pin: the one without data-ready.
      let other: UInt8 = acquisition == .polling ? 1 : 3 - pin
      #expect(bench.model.read(0x5E) == (other == 1 ? 0x34 : 0))
      #expect(bench.model.read(0x5F) == (other == 2 ? 0x34 : 0))
      let polls = bench.log.filter { $0 == .read(0x1B, 3) }.count
      // With the FIFO the status is polled at every second or third batch of 50 ms.
      #expect((50...81).contains(polls), "\(polls)")
    }
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `a brown-out is found although nothing is to be expected`(_ family: LSM6DS3Family) throws {
    let bench = LSM6DS3Bench(
      family, in: World.moved { $0 < 8 ? Self.down : Vector3(0.4, 0, 0.9) })
    let run = try LSM6DS3Run(bench, Self.settings(.motion), isWired: true)
    run.run(.seconds(3))
    bench.model.powerCycle()
    let lost = bench.now
    while run.health.misconfigurations == 0, bench.now - lost < .seconds(5) { run.turn() }
    #expect(bench.now - lost <= .milliseconds(2100))
    run.run(.seconds(6))
    #expect(run.health.restarts == 1 && run.detections.map(\.kind) == [.motion])
    #expect(run.channels.isEmpty && run.readings.isEmpty)
  }
}
