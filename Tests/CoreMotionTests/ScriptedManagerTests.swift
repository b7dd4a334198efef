// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import LinuxSystem
import Otolith
import ServedSources
import Testing

extension HubSuites {
  /// Managers with sensors that the test scripts.
  @Suite struct ScriptedManagerTests {
    let source: ScriptedSource

    init() throws { source = try Self.rig(ScriptedSource()) }

    private static func rig(_ source: ScriptedSource) throws -> ScriptedSource {
      #expect(Rig.eventually { MotionHub.shared.reset() }, "somebody still listens")
      try MotionHub.shared.use(served(source))
      return source
    }

    private func motion(
      _ milliseconds: Int64, accuracy: MagneticAccuracy = .high, yaw: Double = 0
    ) -> MotionSample {
      var motion = MotionSample(timestamp: Timestamp(nanoseconds: milliseconds * 1_000_000))
      motion.contents = [.attitude, .heading, .rotationRate, .magneticField]
      motion.magneticAccuracy = accuracy
      motion.attitude9 = Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
      motion.attitude6 = motion.attitude9
      motion.attitudeCorrected = motion.attitude9
      motion.gravity = Vector3(0, 0, -1)
      return motion
    }

    // MARK: - The compass asks to be moved, once

    private func errors(
      _ frame: CMAttitudeReferenceFrame, _ accuracies: [(Int64, MagneticAccuracy)], starts: Int = 1
    ) -> [Int] {
      let manager = CMMotionManager()
      manager.deviceMotionUpdateInterval = 0
      let got = Collected<Timed>()
      for start in 0..<starts {
        let before = got.values.count
        manager.startDeviceMotionUpdates(using: frame, to: Rig.queue()) { motion, error in
          got.add(motion.map { Timed($0.timestamp, [$0.heading]) }, error)
        }
        for (time, accuracy) in accuracies {
          source.send(motion(time + Int64(start) * 1_000_000, accuracy: accuracy))
        }
        // Every motion is still delivered.
        #expect(Rig.eventually { got.values.count == before + accuracies.count })
        manager.stopDeviceMotionUpdates()
      }
      return got.errors.map(\.code)
    }

    private static let never: [(Int64, MagneticAccuracy)] = (0...30).map {
      (10_000 + $0 * 100, .uncalibrated)
    }

    @Test func `an uncalibrated compass is reported once`() {
      #expect(errors(.xMagneticNorthZVertical, Self.never) == [101])
      #expect(errors(.xMagneticNorthZVertical, Self.never, starts: 3) == [101, 101, 101])
    }

    @Test func `a field that is calibrated within a second is no error`() {
      let soon: [(Int64, MagneticAccuracy)] = (Int64(0)...30).map {
        (10_000 + $0 * 100, $0 < 9 ? MagneticAccuracy.uncalibrated : .low)
      }
      #expect(errors(.xMagneticNorthZVertical, soon).isEmpty)
      // A magnet that comes near later does not cause this error.
      let later: [(Int64, MagneticAccuracy)] = (Int64(0)...40).map {
        (10_000 + $0 * 100, $0 < 15 ? MagneticAccuracy.high : .low)
      }
      #expect(errors(.xMagneticNorthZVertical, later).isEmpty)
    }

    /// Rotating the device does not help a compass that a magnet disturbs.
    @Test func `an accuracy that is low is no error`() {
      let low: [(Int64, MagneticAccuracy)] = (0...30).map { (10_000 + $0 * 100, .low) }
      #expect(errors(.xMagneticNorthZVertical, low).isEmpty)
    }

    @Test func `arbitrary frames need no compass`() {
      #expect(errors(.xArbitraryZVertical, Self.never).isEmpty)
      #expect(errors(.xArbitraryCorrectedZVertical, Self.never).isEmpty)
    }

    // MARK: - Arbitrary yaw

    /// Yaw is zero at each manager's start, and again after all were stopped.
    @Test func `yaw begins at zero`() throws {
      let first = CMMotionManager()
      let second = CMMotionManager()
      for manager in [first, second] { manager.deviceMotionUpdateInterval = 0 }
      first.startDeviceMotionUpdates(using: .xArbitraryZVertical)
      source.send(motion(10, yaw: 1))
      #expect(Rig.eventually { first.deviceMotion != nil })
      #expect(abs(try #require(first.deviceMotion).attitude.yaw) < 1e-12)
      second.startDeviceMotionUpdates(using: .xArbitraryCorrectedZVertical)
      source.send(motion(20, yaw: 1.25))
      #expect(
        Rig.eventually { second.deviceMotion != nil && first.deviceMotion?.timestamp == 0.02 })
      for (manager, yaw) in [(first, 0.25), (second, 0)] {
        #expect(abs(try #require(manager.deviceMotion).attitude.yaw - yaw) < 1e-12)
        manager.stopDeviceMotionUpdates()
      }
      first.startDeviceMotionUpdates()
      source.send(motion(30, yaw: 2))
      #expect(Rig.eventually { first.deviceMotion != nil })
      #expect(abs(try #require(first.deviceMotion).attitude.yaw) < 1e-12)
      // In a frame with north, attitudes are not rotated.
      first.startDeviceMotionUpdates(using: .xMagneticNorthZVertical)
      source.send(motion(40, yaw: 2))
      #expect(Rig.eventually { first.deviceMotion != nil })
      #expect(abs(try #require(first.deviceMotion).attitude.yaw - 2) < 1e-12)
      first.stopDeviceMotionUpdates()
    }

    // MARK: - Unplugged

    @Test func `a sensor that comes back delivers again`() throws {
      let manager = CMMotionManager()
      manager.accelerometerUpdateInterval = 0
      let got = Collected<Timed>()
      manager.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      func send(_ milliseconds: Int64) {
        var sample = Sample(
          timestamp: Timestamp(nanoseconds: milliseconds * 1_000_000), channels: .acceleration)
        sample.acceleration = Vector3(0, -1, 0)
        source.send(sample)
      }
      send(10)
      #expect(Rig.eventually { got.values.count == 1 })
      let puller = CMMotionManager()
      puller.accelerometerUpdateInterval = 0
      puller.startAccelerometerUpdates()
      send(15)
      #expect(Rig.eventually { puller.accelerometerData != nil && got.values.count == 2 })
      source.fail("the cable is out")
      #expect(Rig.eventually { got.errors.count == 1 })
      // A program without a handler notices the failure by the `nil` property.
      #expect(
        Rig.eventually { puller.accelerometerData == nil && manager.accelerometerData == nil })
      #expect(puller.isAccelerometerActive)
      #expect(got.errors.first?.code == 109 && got.errors.first?.domain == "CMErrorDomain")
      #expect(got.errors.first?.localizedDescription == "the cable is out")
      #expect(manager.isAccelerometerActive)
      source.recover()
      send(20)
      #expect(Rig.eventually { got.values.count == 3 && puller.accelerometerData != nil })
      puller.stopAccelerometerUpdates()
      // A second failure is reported again.
      source.fail("the cable is out")
      #expect(Rig.eventually { got.errors.count == 2 })
      manager.stopAccelerometerUpdates()
      #expect(got.values.map(\.v) == [[0, -1, 0], [0, -1, 0], [0, -1, 0]])
    }

    @Test func `each failure is reported, however short the recovery before it`() {
      let manager = CMMotionManager()
      let got = Collected<Timed>()
      manager.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      for failure in 1...30 {
        source.recover()
        source.fail("the cable is loose")
        #expect(Rig.eventually { got.errors.count == failure })
        guard got.errors.count == failure else { break }
      }
      manager.stopAccelerometerUpdates()
    }

    // MARK: - Permission

    @Test(arguments: [
      (SessionError.denied("/dev/i2c-1", group: "i2c"), 2, 111),
      (.taken("/dev/i2c-1", by: "process 12"), 1, 111),
      (.missing(.rotationRate, source: "board"), 0, 109),
    ])
    func `authorization says what the last attempt met`(error: SessionError, status: Int, code: Int)
    {
      #expect(currentAuthorization().rawValue == 0, "nobody has tried")
      source.refuse(error)
      let manager = CMMotionManager()
      let got = Collected<Timed>()
      manager.startGyroUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      #expect(Rig.eventually { got.calls == 1 })
      #expect(got.errors.map(\.code) == [code])
      #expect(currentAuthorization().rawValue == status)
      manager.stopGyroUpdates()
      // The failure was removed in the meantime.
      source.refuse(nil)
      manager.startGyroUpdates()
      #expect(currentAuthorization() == .authorized)
      manager.stopGyroUpdates()
      #expect(currentAuthorization() == .authorized)
    }

    // MARK: - Its own operations

    /// Operations of other programs stay in the queue; Apple's class removes all.
    @Test func `stop cancels only its own operations`() {
      let manager = CMMotionManager()
      manager.deviceMotionUpdateInterval = 0
      let queue = Rig.queue()
      queue.isSuspended = true
      let got = Collected<Timed>()
      manager.startDeviceMotionUpdates(to: queue) { motion, error in
        got.add(motion.map { Timed($0.timestamp, []) }, error)
      }
      for index in 1...5 { source.send(motion(Int64(index) * 10)) }
      #expect(Rig.eventually { queue.operationCount == 5 })
      let other = Collected<Bool>()
      queue.addOperation { other.add(true, nil) }
      manager.stopDeviceMotionUpdates()
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      #expect(got.calls == 0 && other.values == [true])
    }

    /// A game that reads more often than motions arrive gets the same motion again, without its own
    /// changes.
    @Test func `pulled attitude is not changed twice`() async throws {
      let manager = CMMotionManager()
      manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical)
      source.send(motion(10, yaw: 1))
      #expect(await MotionHub.shared.flush())
      let reference = CMAttitude(Quaternion(angle: 0.25, axis: Vector3(0, 0, 1)))
      for _ in 0..<3 {
        let attitude = try #require(manager.deviceMotion).attitude
        attitude.multiply(byInverseOf: reference)
        #expect(abs(attitude.yaw - 0.75) < 1e-12)
      }
      manager.stopDeviceMotionUpdates()
    }

    /// A test that scripts its sensors need not guess how long delivery takes.
    @Test func `a hub that is flushed has delivered what was sent`() async {
      let manager = CMMotionManager()
      manager.deviceMotionUpdateInterval = 0
      #expect(!(await MotionHub.shared.flush()), "nobody listens")
      let got = Collected<Timed>()
      let queue = Rig.queue()
      manager.startDeviceMotionUpdates(to: queue) { motion, error in
        got.add(motion.map { Timed($0.timestamp, []) }, error)
      }
      for round in 1...200 {
        for index in 1...5 { source.send(motion(Int64(round * 5 + index) * 10)) }
        if round % 20 == 0 { source.fail("round \(round)") }
        #expect(await MotionHub.shared.flush())
        await withCheckedContinuation { done in queue.addBarrierBlock { done.resume() } }
        #expect(got.values.count == round * 5)
        #expect(got.errors.count == round / 20)
        if round % 20 == 0 { source.recover() }
      }
      manager.stopDeviceMotionUpdates()
    }

    /// Each scripted sample is delivered once.
    @Test func `each sample is delivered`() {
      let manager = CMMotionManager()
      manager.gyroUpdateInterval = 0
      let got = Collected<Timed>()
      manager.startGyroUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      for index in 1...2000 {
        var sample = Sample(
          timestamp: Timestamp(nanoseconds: Int64(index) * 1_000_000), channels: .rotationRate)
        sample.rotationRate = Vector3(Double(index), 0, 0)
        source.send(sample)
      }
      #expect(Rig.eventually { got.calls == 2000 })
      manager.stopGyroUpdates()
      let sent: [Double] = (1...2000).map { Double($0) }
      #expect(got.values.map { $0.v[0] } == sent)
    }
  }
}
