// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Otolith
import ServedSources
import Synchronization
import Testing

extension HubSuites {
  /// Uses of the queue and the handler that programs pass.
  @Suite struct QueueTests {
    private let source = ScriptedSource()
    private let hub = MotionHub()

    init() throws { try hub.use(served(source)) }

    private func send(_ index: Int) {
      var sample = Sample(
        timestamp: Timestamp(nanoseconds: Int64(index) * 1_000_000),
        channels: [.acceleration, .rotationRate])
      sample.acceleration = Vector3(0, 0, -1)
      source.send(sample)
    }

    /// Programs empty their own queue, as Apple's stop does; later items are still delivered.
    @Test func `a queue that its owner empties gets what comes after`() {
      let manager = CMMotionManager(hub: hub)
      manager.gyroUpdateInterval = 0
      let queue = Rig.queue()
      queue.isSuspended = true
      let got = Collected<Timed>()
      manager.startGyroUpdates(to: queue) { got.add($0?.timed, $1) }
      // 4096 calls are the largest backlog of a queue.
      for index in 1...4096 {
        send(index)
        if index % 1024 == 0 { #expect(Rig.eventually { queue.operationCount == index }) }
      }
      queue.cancelAllOperations()
      queue.isSuspended = false
      #expect(Rig.eventually { queue.operationCount == 0 })
      #expect(got.calls == 0)
      send(5000)
      #expect(Rig.eventually { got.values.map(\.time) == [5] })
      manager.stopGyroUpdates()
    }

    /// An object that only a handler holds; it stops what it started when it is released.
    private final class Owner: @unchecked Sendable {  // managers guard themselves by locks
      private let stop: () -> Void
      init(stop: @escaping () -> Void) { self.stop = stop }
      deinit { stop() }
    }

    /// Returns true if `body` returns within several seconds.
    private func returns(_ body: @escaping @Sendable () -> Void) -> Bool {
      let done = Done()
      Thread.detachNewThread {
        body()
        done.isDone.store(true, ordering: .releasing)
      }
      return Rig.eventually { done.isDone.load(ordering: .acquiring) }
    }

    private final class Done: Sendable { let isDone = Atomic<Bool>(false) }

    private final class Managers: @unchecked Sendable {  // they guard themselves by locks
      let manager: CMMotionManager
      let batched: CMBatchedSensorManager
      let altimeter: CMAltimeter
      init(_ hub: MotionHub) {
        manager = CMMotionManager(hub: hub)
        batched = CMBatchedSensorManager(hub: hub)
        altimeter = CMAltimeter(hub: hub)
      }
    }

    /// Objects of the previous handler are released outside of locks that their deinit may need;
    /// the second start is effective.
    @Test func `a second start lets go of its owner without a deadlock`() {
      let all = Managers(hub)
      let (manager, batched, altimeter) = (all.manager, all.batched, all.altimeter)
      do {
        let owners = [
          Owner { manager.stopGyroUpdates() }, Owner { batched.stopAccelerometerUpdates() },
          Owner { altimeter.stopRelativeAltitudeUpdates() },
        ]
        manager.startGyroUpdates(to: Rig.queue()) { [owner = owners[0]] _, _ in _ = owner }
        batched.startAccelerometerUpdates { [owner = owners[1]] _, _ in _ = owner }
        altimeter.startRelativeAltitudeUpdates(to: Rig.queue()) { [owner = owners[2]] _, _ in
          _ = owner
        }
      }
      #expect(returns { all.manager.startGyroUpdates() }, "a manager hangs")
      #expect(returns { all.batched.startAccelerometerUpdates() }, "a batched manager hangs")
      #expect(
        returns {
          all.altimeter.startRelativeAltitudeUpdates(to: OperationQueue()) { _, _ in }
        }, "an altimeter hangs")
      #expect(manager.isGyroActive && batched.isAccelerometerActive)
      manager.stopGyroUpdates()
      batched.stopAccelerometerUpdates()
      altimeter.stopRelativeAltitudeUpdates()
      #expect(Rig.eventually { hub.reset() })
    }

    @Test func `a stop lets go of its owner without a deadlock`() {
      let all = Managers(hub)
      let (manager, batched, altimeter) = (all.manager, all.batched, all.altimeter)
      do {
        let owners = [
          Owner { manager.stopGyroUpdates() }, Owner { batched.stopAccelerometerUpdates() },
          Owner { altimeter.stopRelativeAltitudeUpdates() },
        ]
        manager.startGyroUpdates(to: Rig.queue()) { [owner = owners[0]] _, _ in _ = owner }
        batched.startAccelerometerUpdates { [owner = owners[1]] _, _ in _ = owner }
        altimeter.startRelativeAltitudeUpdates(to: Rig.queue()) { [owner = owners[2]] _, _ in
          _ = owner
        }
      }
      #expect(returns { all.manager.stopGyroUpdates() }, "a manager hangs")
      #expect(returns { all.batched.stopAccelerometerUpdates() }, "a batched manager hangs")
      #expect(returns { all.altimeter.stopRelativeAltitudeUpdates() }, "an altimeter hangs")
      #expect(Rig.eventually { hub.reset() })
    }

    /// If a sensor fails just after a sample, no later sample can wake a thread to report it.
    @Test func `a failure right after a sample is reported`() throws {
      let manager = CMMotionManager(hub: hub)
      manager.gyroUpdateInterval = 0
      let got = Collected<Timed>()
      manager.startGyroUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      let states = States()
      let listening = try hub.listen(states)
      defer { listening.stop() }
      for round in 1...600 {
        // Wait until every listener knows that the failure is over.
        source.recover()
        #expect(Rig.eventually { states.isDelivering.load(ordering: .acquiring) })
        send(round)
        source.fail("out")
        // Wait for both: a listener informed later would take the end of this failure and the next
        // one for none.
        let isReported = Rig.eventually {
          got.errors.count == round && !states.isDelivering.load(ordering: .acquiring)
        }
        guard isReported else {
          Issue.record("round \(round): no handler was called")
          break
        }
      }
      manager.stopGyroUpdates()
    }

    /// The states of the one chip, as the hub reports them.
    private final class States: MotionReceiver {
      let isDelivering = Atomic<Bool>(false)
      func receive(_ sample: SourcedSample) {}
      func receive(_ motion: MotionSample) {}
      func missed(_ count: UInt64) {}
      func chipsChanged(_ chips: [ChipState]) {
        isDelivering.store(chips == [.delivering], ordering: .releasing)
      }
    }

    /// Setting the current interval again in a handler changes nothing.
    @Test func `an interval that is set again and again changes nothing`() {
      let manager = CMMotionManager(hub: hub)
      manager.gyroUpdateInterval = 0.1
      manager.startGyroUpdates()
      var times: Set<TimeInterval> = []
      for index in 1...100 {
        send(index * 10)
        _ = Rig.eventually(0.02) { manager.gyroData?.timestamp == Double(index) / 100 }
        manager.gyroUpdateInterval = 0.1
        if let data = manager.gyroData { times.insert(data.timestamp) }
      }
      manager.stopGyroUpdates()
      #expect((9...12).contains(times.count), "\(times.count) in a second at 10 Hz")
    }

    // MARK: - Attitudes that are changed in place

    private func motion(_ milliseconds: Int64, pitch: Double) -> MotionSample {
      var motion = MotionSample(timestamp: Timestamp(nanoseconds: milliseconds * 1_000_000))
      motion.contents = [.attitude, .rotationRate]
      motion.attitude6 = Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
      motion.gravity = Vector3(0, 0, -1)
      return motion
    }

    /// Programs change the attitude of a motion in a handler and read it from the motion.
    @Test func `an attitude changed through its motion is read so`() throws {
      let reference = CMAttitude(Quaternion(angle: 0.25, axis: Vector3(1, 0, 0)))
      let data = try #require(
        CMDeviceMotion(motion(10, pitch: 0.75), frame: .xArbitraryZVertical, declination: 0))
      data.attitude.multiply(byInverseOf: reference)
      #expect(abs(data.attitude.pitch - 0.5) < 1e-12)
    }

    /// Programs keep the first attitude as reference and make later ones relative to it, however
    /// often they read the property.
    @Test func `attitudes that are pulled are relative to the first`() throws {
      let manager = CMMotionManager(hub: hub)
      manager.startDeviceMotionUpdates()
      source.send(motion(10, pitch: 0.25))
      #expect(Rig.eventually { manager.deviceMotion != nil })
      let reference = try #require(manager.deviceMotion).attitude
      for _ in 0..<2 {
        let attitude = try #require(manager.deviceMotion).attitude
        #expect(abs(attitude.pitch - 0.25) < 1e-12)
        attitude.multiply(byInverseOf: reference)
        #expect(abs(attitude.pitch) < 1e-12)
      }
      source.send(motion(500, pitch: 0.75))
      #expect(Rig.eventually { manager.deviceMotion?.timestamp == 0.5 })
      for _ in 0..<2 {
        let attitude = try #require(manager.deviceMotion).attitude
        attitude.multiply(byInverseOf: reference)
        #expect(abs(attitude.pitch - 0.5) < 1e-12)
      }
      manager.stopDeviceMotionUpdates()
    }
  }
}
