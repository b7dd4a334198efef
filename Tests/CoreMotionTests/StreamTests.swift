// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Otolith
import Registers
import Sensors
import ServedSources
import Testing

extension HubSuites {
  /// The items that a manager delivers from a board at rest.
  @Suite struct StreamTests {
    init() throws { try Rig.use() }

    @Test func `availability and frames are those of the board`() throws {
      let manager = CMMotionManager()
      #expect(manager.isAccelerometerAvailable && manager.isGyroAvailable)
      #expect(manager.isMagnetometerAvailable && manager.isDeviceMotionAvailable)
      #expect(!manager.isAccelerometerActive && !manager.isGyroActive)
      #expect(!manager.isMagnetometerActive && !manager.isDeviceMotionActive)
      #expect(CMMotionManager.availableAttitudeReferenceFrames().rawValue == 1 | 2 | 4)
      #expect(manager.attitudeReferenceFrame == .xArbitraryZVertical)
      #expect(!manager.showsDeviceMovementDisplay)
      try Rig.use(Rig.text(location: "location: { declination-deg: 4 }"))
      #expect(CMMotionManager.availableAttitudeReferenceFrames().rawValue == 15)
    }

    @Test func `flat and face up the acceleration is -1 along z`() throws {
      let manager = CMMotionManager()
      let got = Collected<Timed>()
      manager.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      #expect(manager.isAccelerometerActive)
      #expect(Rig.eventually { got.values.count >= 20 })
      manager.stopAccelerometerUpdates()
      #expect(!manager.isAccelerometerActive && got.errors.isEmpty)
      for item in got.values { #expect(AttitudeTests.isNear(item.v, [0, 0, -1], 0.001)) }
    }

    @Test func `rates are zero at rest, and the field points north and down`() throws {
      let manager = CMMotionManager()
      let rates = Collected<Timed>()
      let fields = Collected<Timed>()
      manager.startGyroUpdates(to: Rig.queue()) { rates.add($0?.timed, $1) }
      manager.startMagnetometerUpdates(to: Rig.queue()) { fields.add($0?.timed, $1) }
      #expect(Rig.eventually { rates.values.count >= 10 && fields.values.count >= 5 })
      #expect(manager.isGyroActive && manager.isMagnetometerActive)
      manager.stopGyroUpdates()
      manager.stopMagnetometerUpdates()
      for item in rates.values { #expect(AttitudeTests.isNear(item.v, [0, 0, 0], 1e-9)) }
      // North is at the top edge: 20 microtesla horizontal and 45 down; a count of the chip is
      // 0.0146.
      for item in fields.values { #expect(AttitudeTests.isNear(item.v, [0, 20, -45], 0.015)) }
    }

    /// Expects an interval of 10 ms, except if a busy machine lost samples, which the chip counts.
    private func expectHundred(_ times: [Double]) {
      var absent = 0.0
      for (before, after) in zip(times, times.dropFirst()) {
        let periods = ((after - before) / 0.01).rounded()
        #expect(periods >= 1 && abs(after - before - periods * 0.01) < 0.0005)
        absent += periods - 1
      }
      let counted = MotionHub.shared.source?.report.reduce(0) { $0 + $1.health.missing } ?? 0
      #expect(absent <= Double(counted))
    }

    @Test func `timestamps are seconds since the machine started`() throws {
      let manager = CMMotionManager()
      let got = Collected<Timed>()
      let begin = ProcessInfo.processInfo.systemUptime
      manager.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      #expect(Rig.eventually { got.values.count >= 30 })
      manager.stopAccelerometerUpdates()
      let end = ProcessInfo.processInfo.systemUptime
      let times = got.values.map(\.time)
      expectHundred(times)
      #expect(times.allSatisfy { $0 > begin - 1 && $0 < end + 1 })
    }

    @Test func `an interval thins, and none is faster than the chip`() throws {
      let manager = CMMotionManager()
      manager.accelerometerUpdateInterval = 0.1
      #expect(manager.accelerometerUpdateInterval == 0.1)
      let got = Collected<Timed>()
      manager.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      #expect(Rig.eventually(6) { got.values.count >= 21 })
      manager.stopAccelerometerUpdates()
      let times = got.values.map(\.time)
      let span = try #require(times.last) - (try #require(times.first))
      let rate = Double(times.count - 1) / span
      #expect(abs(rate - 10) < 1)
      // Intervals below the chip's, and invalid ones, give the chip's rate.
      for interval in [0.0001, 0, -1, .nan] {
        let fast = Collected<Timed>()
        manager.accelerometerUpdateInterval = interval
        manager.startAccelerometerUpdates(to: Rig.queue()) { fast.add($0?.timed, $1) }
        #expect(Rig.eventually { fast.values.count >= 10 })
        manager.stopAccelerometerUpdates()
        let times = fast.values.map(\.time)
        expectHundred(times)
      }
    }

    @Test func `the interval may change while active`() throws {
      let manager = CMMotionManager()
      manager.gyroUpdateInterval = 60
      let got = Collected<Timed>()
      manager.startGyroUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      #expect(Rig.eventually { got.values.count == 1 })
      manager.gyroUpdateInterval = 0.01
      #expect(Rig.eventually { got.values.count > 10 })
      manager.stopGyroUpdates()
    }

    @Test func `the newest data can be pulled until the stop`() throws {
      let manager = CMMotionManager()
      #expect(manager.accelerometerData == nil && manager.gyroData == nil)
      #expect(manager.magnetometerData == nil && manager.deviceMotion == nil)
      manager.startAccelerometerUpdates()
      manager.startGyroUpdates()
      manager.startMagnetometerUpdates()
      manager.startDeviceMotionUpdates()
      #expect(
        Rig.eventually {
          manager.accelerometerData != nil && manager.gyroData != nil
            && manager.magnetometerData != nil && manager.deviceMotion != nil
        })
      let first = try #require(manager.accelerometerData).timestamp
      #expect(Rig.eventually { manager.accelerometerData.map { $0.timestamp > first } ?? false })
      manager.stopAccelerometerUpdates()
      manager.stopGyroUpdates()
      manager.stopMagnetometerUpdates()
      manager.stopDeviceMotionUpdates()
      #expect(manager.accelerometerData == nil && manager.deviceMotion == nil)
    }

    /// Updates with a handler also set the property.
    @Test func `a push fills the property`() throws {
      let manager = CMMotionManager()
      manager.startGyroUpdates(to: Rig.queue()) { _, _ in }
      #expect(Rig.eventually { manager.gyroData != nil })
      manager.stopGyroUpdates()
    }

    @Test func `device motion in an arbitrary frame has no heading`() throws {
      let manager = CMMotionManager()
      let got = Collected<Timed>()
      manager.startDeviceMotionUpdates(to: Rig.queue()) { motion, error in
        let row = motion.map { m in
          let g = AttitudeTests.gravity(m.attitude)
          return Timed(
            m.timestamp,
            [
              m.gravity.x, m.gravity.y, m.gravity.z, m.userAcceleration.x, m.userAcceleration.y,
              m.userAcceleration.z, m.rotationRate.x, m.rotationRate.y, m.rotationRate.z, m.heading,
              g[0] - m.gravity.x, g[1] - m.gravity.y, g[2] - m.gravity.z,
            ])
        }
        got.add(row, error)
      }
      #expect(Rig.eventually { got.values.count >= 50 })
      #expect(manager.isDeviceMotionActive && manager.attitudeReferenceFrame.rawValue == 1)
      manager.stopDeviceMotionUpdates()
      #expect(got.errors.isEmpty)
      for item in got.values {
        #expect(AttitudeTests.isNear(Array(item.v[0..<3]), [0, 0, -1], 0.001))
        #expect(AttitudeTests.isNear(Array(item.v[3..<9]), [0, 0, 0, 0, 0, 0], 0.001))
        #expect(item.v[9] == -1)
        #expect(AttitudeTests.isNear(Array(item.v[10..<13]), [0, 0, 0], 1e-9))
      }
    }

    @Test func `device motion to magnetic north has its heading`() throws {
      let manager = CMMotionManager()
      let got = Collected<Timed>()
      manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical, to: Rig.queue()) {
        motion, error in
        let row = motion.map { m in
          Timed(
            m.timestamp,
            [
              m.heading, m.gravity.x, m.gravity.y, m.gravity.z, m.attitude.yaw,
              m.magneticField.field.x, m.magneticField.field.y, m.magneticField.field.z,
            ])
        }
        got.add(row, error)
      }
      #expect(manager.attitudeReferenceFrame == .xMagneticNorthZVertical)
      #expect(Rig.eventually(8) { got.values.count >= 250 })
      manager.stopDeviceMotionUpdates()
      // A compass that was never rotated is uncalibrated: one error, and motion continues.
      #expect(got.errors.map(\.code) == [101] && got.errors.map(\.domain) == ["CMErrorDomain"])
      let last = try #require(got.values.last)
      #expect(min(last.v[0], 360 - last.v[0]) < 0.1)
      #expect(AttitudeTests.isNear(Array(last.v[1..<4]), [0, 0, -1], 0.001))
      #expect(abs(last.v[4] + Double.pi / 2) < 0.002)
      #expect(AttitudeTests.isNear(Array(last.v[5..<8]), [0, 20, -45], 0.05))
      // The frame is kept for a start that names none.
      manager.startDeviceMotionUpdates()
      #expect(manager.attitudeReferenceFrame == .xMagneticNorthZVertical)
      manager.stopDeviceMotionUpdates()
    }

    @Test func `device motion to true north has the declination added`() throws {
      try Rig.use(Rig.text(location: "location: { declination-deg: 10 }"))
      let manager = CMMotionManager()
      manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical)
      #expect(
        Rig.eventually(8) { manager.deviceMotion.map { abs($0.heading - 10) < 0.1 } ?? false },
        "\(manager.deviceMotion?.heading ?? .nan)")
      manager.stopDeviceMotionUpdates()
    }

    /// In the south of Australia the declination is 8.09 degrees east in 2025 and 8.19 in 2030.
    @Test func `true north comes from the position and its declination`() throws {
      let place = "location: { latitude-deg: -34.93, longitude-deg: 138.6 }"
      try Rig.use(Rig.text(location: place))
      #expect(CMMotionManager.availableAttitudeReferenceFrames().rawValue == 15)
      let manager = CMMotionManager()
      manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical)
      #expect(
        Rig.eventually(8) { manager.deviceMotion.map { abs($0.heading - 8.14) < 0.15 } ?? false },
        "\(manager.deviceMotion?.heading ?? .nan)")
      manager.stopDeviceMotionUpdates()
    }

    // MARK: - What cannot be had

    private func refusal(_ frame: CMAttitudeReferenceFrame) -> [NSError] {
      let manager = CMMotionManager()
      let got = Collected<Timed>()
      // The chips run for another stream meanwhile.
      manager.startAccelerometerUpdates()
      #expect(Rig.eventually { manager.accelerometerData != nil })
      manager.startDeviceMotionUpdates(using: frame, to: Rig.queue()) { motion, error in
        got.add(motion.map { Timed($0.timestamp, []) }, error)
      }
      #expect(Rig.eventually { got.calls > 0 })
      // No item follows the error.
      Thread.sleep(forTimeInterval: 0.3)
      #expect(got.values.isEmpty)
      manager.stopDeviceMotionUpdates()
      manager.stopAccelerometerUpdates()
      return got.errors
    }

    @Test func `north without a magnetometer is refused`() throws {
      try Rig.use(Rig.text(compass: false))
      let manager = CMMotionManager()
      #expect(!manager.isMagnetometerAvailable && manager.isDeviceMotionAvailable)
      #expect(CMMotionManager.availableAttitudeReferenceFrames() == .xArbitraryZVertical)
      let errors = refusal(.xMagneticNorthZVertical)
      #expect(errors.map(\.domain) == ["CMErrorDomain"] && errors.map(\.code) == [109])
      #expect(errors.first?.localizedDescription == "the board has no magnetometer")
      // A stream that is not available delivers nothing.
      let fields = Collected<Timed>()
      manager.startMagnetometerUpdates(to: Rig.queue()) { fields.add($0?.timed, $1) }
      Thread.sleep(forTimeInterval: 0.1)
      #expect(fields.calls == 0 && !manager.isMagnetometerActive)
    }

    @Test func `true north without a declination is refused`() throws {
      let errors = refusal(.xTrueNorthZVertical)
      #expect(errors.map(\.domain) == ["CMErrorDomain"] && errors.map(\.code) == [102])
      #expect(
        errors.first?.localizedDescription
          == "the board file has no location (latitude-deg and longitude-deg, or declination-deg)")
    }

    @Test func `two frames at once are refused`() throws {
      let errors = refusal([.xTrueNorthZVertical, .xArbitraryZVertical])
      #expect(errors.map(\.domain) == ["CMErrorDomain"] && errors.map(\.code) == [107])
    }

    /// A refused start ends the previous one, and the next valid start works.
    @Test func `a refused start ends the one before it, and the next one runs`() throws {
      let manager = CMMotionManager()
      manager.startDeviceMotionUpdates()
      #expect(Rig.eventually { manager.deviceMotion != nil })
      manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical)
      #expect(manager.attitudeReferenceFrame == .xArbitraryZVertical)
      Thread.sleep(forTimeInterval: 0.1)
      #expect(manager.deviceMotion == nil)
      manager.startDeviceMotionUpdates()
      #expect(Rig.eventually { manager.deviceMotion != nil })
      manager.stopDeviceMotionUpdates()
    }

    @Test func `a missing bus is not available, and one error with its sentence`() throws {
      try Rig.use(Rig.text(compass: false, bus: "i2c: /dev/i2c-97"))
      let manager = CMMotionManager()
      // A service reports the channels of its board even if it is absent.
      if !isServiceMode {
        #expect(!manager.isAccelerometerAvailable && !manager.isDeviceMotionAvailable)
        #expect(CMMotionManager.availableAttitudeReferenceFrames().isEmpty)
        #expect(!CMPedometer.isStepCountingAvailable())
        #expect(!CMMotionActivityManager.isActivityAvailable())
        #expect(!CMBatchedSensorManager.isAccelerometerSupported)
        #expect(!CMSensorRecorder.isAccelerometerRecordingAvailable())
      }
      let got = Collected<Timed>()
      manager.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      #expect(Rig.eventually { got.calls > 0 })
      Thread.sleep(forTimeInterval: 0.3)
      #expect(got.values.isEmpty && got.errors.count == 1)
      let error = try #require(got.errors.first)
      #expect(error.domain == "CMErrorDomain" && error.code == 109)
      #expect(error.localizedDescription.hasPrefix("/dev/i2c-97 does not exist: enable I2C"))
      manager.stopAccelerometerUpdates()
    }

    /// A chip that stops responding: one error to the streams that need it, with the cause.
    @Test func `a chip that falls silent is reported`() throws {
      let session = try Rig.use()
      let manager = CMMotionManager()
      let rates = Collected<Timed>()
      let fields = Collected<Timed>()
      manager.startGyroUpdates(to: Rig.queue()) { rates.add($0?.timed, $1) }
      manager.startMagnetometerUpdates(to: Rig.queue()) { fields.add($0?.timed, $1) }
      #expect(Rig.eventually { !rates.values.isEmpty && !fields.values.isEmpty })
      #expect(Rig.eventually { manager.gyroData != nil && manager.magnetometerData != nil })
      let pipeline = session.pipeline
      pipeline.chip(0, failed: .bus(.noAcknowledge, register: 0x3A))
      #expect(Rig.eventually { !rates.errors.isEmpty })
      pipeline.chip(0, failed: .bus(.timeout, register: 0x3A))
      Thread.sleep(forTimeInterval: 0.1)
      #expect(rates.errors.map(\.code) == [109] && fields.errors.isEmpty)
      #expect(
        rates.errors.first?.localizedDescription
          == "imu: no answer at 0x68 on simulated bus bus: check the address strap (0x69?), power, "
          + "SDA and SCL, pull-ups")
      // Another stream of that chip gets the error at its start.
      let accelerations = Collected<Timed>()
      manager.startAccelerometerUpdates(to: Rig.queue()) { accelerations.add($0?.timed, $1) }
      #expect(Rig.eventually { accelerations.errors.count == 1 })
      manager.stopAccelerometerUpdates()
      manager.stopGyroUpdates()
      manager.stopMagnetometerUpdates()
      // A new run begins without the old error.
      for manager in [manager, CMMotionManager()] {
        let again = Collected<Timed>()
        manager.startGyroUpdates(to: Rig.queue()) { again.add($0?.timed, $1) }
        #expect(Rig.eventually { again.values.count > 5 })
        #expect(again.errors.isEmpty)
        manager.stopGyroUpdates()
      }
    }
  }
}
