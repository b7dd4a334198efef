// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// Self-test and detections: bytes are typed from DS12140 revision 2, section 9, and from ST's
/// drivers.
@Suite struct LSM6DSODetectionTests {
  static let kinds: DetectionSet = [
    .singleTap, .doubleTap, .freeFall, .motion, .noMotion, .orientation,
  ]

  static func settings(_ acquisition: Acquisition = .detections) -> SensorSettings {
    var settings = LSM6DSOTests.settings(acquisition, rate: 208)
    settings.detection = DetectionSettings(kinds)
    settings.detection.motionThreshold = 0.5
    settings.detection.motionDuration = .milliseconds(10)
    return settings
  }

  @Test(arguments: [UInt8(1), 2])
  func `every function is configured byte by byte`(pin: UInt8) throws {
    var settings = Self.settings()
    settings.interruptPin.number = pin
    let (rig, taken) = try LSM6DSOTests.registers(.lsm6dso, settings)
    let bytes: [UInt8: UInt8] = [
      0x0D: 0x00, 0x0E: 0x00,
      // All detections except the embedded functions and the sensor hub.
      0x5E: pin == 1 ? 0xFC : 0x00, 0x5F: pin == 2 ? 0xFC : 0x00,
      // The gyroscope is off; 208 Hz at 4 g.
      0x10: 0x58, 0x11: 0x04,
      // 0x56: INT_CLR_ON_READ, taps on all axes, LIR.
      0x56: 0x4F,
      // A jerk of 1 g is a slope of 0.5 g: 4 steps of 4 g / 32 on each axis; INTERRUPTS_ENABLE and
      // INACT_EN 1; 60 degrees.
      0x57: 0x04, 0x58: 0xA4, 0x59: 0x44,
      // 0x5A at 208 Hz: 538 ms are 3 steps of 32 periods, 28.8 ms 1 step of 4, 57.7 ms 2 steps of
      // 8.
      0x5A: 0x36,
      // 0x5B: both taps; 0.5 g is a slope of 0.25 g, 4 steps of 4 g / 64.
      0x5B: 0x84,
      // 0x5C: waking after two periods; 5 s are 2 steps of 512 periods.
      0x5C: 0x42,
      // 0x5D: 50 ms are 10 periods; 312 mg is code 3.
      0x5D: 0x53,
    ]
    for (register, byte) in bytes {
      #expect(rig.register(register) == byte, "register \(register)")
    }
    #expect(taken.detection.kinds == Self.kinds && taken.detection.freeFallThreshold == 0.312)
  }

  @Test func `an LSM6DSO32 falls at twice the code`() throws {
    for (wanted, code, taken) in [(0.31, UInt8(0), 0.312), (0.45, 1, 0.438), (2, 2, 0.5)] {
      var settings = Self.settings()
      settings.detection.freeFallThreshold = wanted
      let (rig, granted) = try LSM6DSOTests.registers(.lsm6dso32, settings)
      #expect(rig.register(0x5D) & 0x07 == code)
      #expect(granted.detection.freeFallThreshold == taken)
    }
  }

  @Test func `while samples are on one line, detections drive the other`() throws {
    let (rig, taken) = try LSM6DSOTests.registers(.lsm6dso, Self.settings(.fifo))
    // Inactivity would reduce the sample rate.
    #expect(taken.detection.kinds == Self.kinds.subtracting(.noMotion))
    #expect(rig.register(0x5E) == 0x00 && rig.register(0x5F) == 0x7C)
    #expect(rig.register(0x58) & 0x60 == 0)
  }

  @Test(arguments: LSM6DSOPart.allCases)
  func `the self-test passes a sound chip and fails one that answers too little`(
    _ part: LSM6DSOPart
  ) throws {
    for (push, isSound) in [(0.06, true), (0.04, false), (1.65, true), (1.75, false)] {
      let rig = LSM6DSOTests.rig(part)
      let model = try #require(rig.model as? LSM6DSOModel)
      model.accelSelfTest = Vector3(push, push, push)
      rig.world.held.specificForce = Vector3(0, 0, 1)
      var driver = LSM6DSO(rig.wire(), expecting: part)
      try driver.startSelfTest()
      _ = rig.run(&driver, for: .seconds(3))
      let found = driver.selfTest
      let report = try #require(found)
      #expect(report.isPassed == isSound, "\(part) \(push)")
      // Positive stimulus of the accelerometer, none, positive stimulus of the gyroscope.
      #expect(rig.written(0x14) == [0x00, 0x01, 0x00, 0x04])
      #expect(rig.written(0x10) == [0x38, 0x00] && rig.written(0x11) == [0x00, 0x5C])
    }
  }
}
