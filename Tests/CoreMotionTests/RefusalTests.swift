// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import CoreMotionTesting
import LinuxBus
import Otolith
import Testing

/// A board that may not be opened: one error for each start and query; what was started begins when
/// it may be opened.
@Suite(.timeLimit(.minutes(1))) struct RefusalTests {
  private let source = ScriptedSource([.acceleration, .rotationRate, .pressure], rate: 10)
  private let hub: MotionHub
  private let folder: String

  init() {
    folder = FileManager.default.temporaryDirectory.path + "/otolith-no-\(UUID().uuidString)"
    hub = MotionHub(source, history: folder)
    hub.movement.setting.interval = .milliseconds(10)
  }

  /// Plays samples and motions until `condition` is true.
  private func plays(until condition: () -> Bool) -> Bool {
    var time = Timestamp(seconds: 100)
    return Rig.eventually {
      for _ in 0..<10 {
        time = time + .milliseconds(100)
        var sample = Sample(
          timestamp: time, channels: [.acceleration, .rotationRate, .pressure])
        sample.acceleration = Vector3(0, 0, -1)
        sample.pressure = 101.3
        source.send(sample)
      }
      return condition()
    }
  }

  @Test(arguments: [true, false])
  func `one error, and items when the board may be opened`(_ isDenied: Bool) throws {
    source.refuse(isDenied ? .denied() : .taken(by: "process 12"))
    let motion = CMMotionManager(on: hub)
    let altimeter = CMAltimeter(on: hub)
    let batched = CMBatchedSensorManager(on: hub)
    let pedometer = CMPedometer(on: hub)
    let got = (0..<5).map { _ in Collected<Double>() }
    motion.startAccelerometerUpdates(to: Rig.queue()) { got[0].add($0?.timestamp, $1) }
    altimeter.startRelativeAltitudeUpdates(to: Rig.queue()) { got[1].add($0?.timestamp, $1) }
    batched.startAccelerometerUpdates { got[2].add($0?.last?.timestamp, $1) }
    batched.startDeviceMotionUpdates { got[3].add($0?.last?.timestamp, $1) }
    pedometer.startUpdates(from: Date()) {
      got[4].add($0?.endDate.timeIntervalSinceReferenceDate, $1)
    }
    #expect(Rig.eventually { got.allSatisfy { $0.calls == 1 } })
    // Wait longer than the time between two attempts.
    Thread.sleep(forTimeInterval: 1.3)
    #expect(got.map { $0.errors.map(\.code) } == [[111], [111], [111], [111], [105]])
    #expect(motion.isAccelerometerActive && batched.isAccelerometerActive)
    // Another stream of a waiting manager gets the error too.
    let gyro = Collected<Double>()
    motion.startGyroUpdates(to: Rig.queue()) { gyro.add($0?.timestamp, $1) }
    #expect(Rig.eventually { gyro.errors.map(\.code) == [111] })
    source.refuse(nil)
    #expect(Rig.eventually { source.isRunning })
    #expect(plays { (got + [gyro]).allSatisfy { !$0.values.isEmpty } })
    #expect((got + [gyro]).allSatisfy { $0.errors.count == 1 })
    motion.stopAccelerometerUpdates()
    motion.stopGyroUpdates()
    altimeter.stopRelativeAltitudeUpdates()
    batched.stopAccelerometerUpdates()
    batched.stopDeviceMotionUpdates()
    pedometer.stopUpdates()
    #expect(Rig.eventually { hub.reset() }, "somebody still listens")
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test func `what was stopped while it waited does not begin`() {
    source.refuse(.denied())
    let motion = CMMotionManager(on: hub)
    let altimeter = CMAltimeter(on: hub)
    let batched = CMBatchedSensorManager(on: hub)
    motion.startAccelerometerUpdates()
    altimeter.startRelativeAltitudeUpdates(to: Rig.queue()) { _, _ in }
    batched.startAccelerometerUpdates()
    motion.stopAccelerometerUpdates()
    altimeter.stopRelativeAltitudeUpdates()
    batched.stopAccelerometerUpdates()
    CMMotionManager(on: hub).startGyroUpdates()
    source.refuse(nil)
    Thread.sleep(forTimeInterval: 1.3)
    #expect(source.starts == 0)
  }

  /// Returns the error codes of a query to each class that has queries.
  private func codes() -> [Int] {
    let now = Date()
    let got = (0..<3).map { _ in Collected<Int>() }
    CMPedometer(on: hub).queryPedometerData(from: now, to: now) {
      got[0].add($0?.numberOfSteps.intValue, $1)
    }
    CMMotionActivityManager(on: hub).queryActivityStarting(from: now, to: now, to: Rig.queue()) {
      got[1].add($0?.count, $1)
    }
    CMStepCounter(on: hub).queryStepCountStarting(from: now, to: now, to: Rig.queue()) {
      got[2].add($1 == nil ? $0 : nil, $1)
    }
    #expect(Rig.eventually { got.allSatisfy { $0.calls == 1 } })
    return got.map { $0.errors.first?.code ?? 0 }
  }

  @Test(arguments: [true, false])
  func `a question tells whether the board may be opened`(_ isDenied: Bool) {
    #expect(hub.access == .unknown, "nothing has tried")
    source.refuse(isDenied ? .denied() : .taken(by: "process 12"))
    #expect(codes() == [105, 105, 105])
    #expect(hub.access == (isDenied ? .denied : .taken))
    source.refuse(nil)
    #expect(codes() == [0, 0, 0] && hub.access == .granted)
    source.refuse(.open(OpenError(.i2c, "/dev/i2c-1", errno: 2, cause: .missing)))
    #expect(codes() == [109, 109, 109])
    #expect(source.starts == 0, "a question starts no chips")
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A recorder tests the access immediately.
  @Test func `a recorder's question tells whether the board may be opened`() {
    let recorder = CMSensorRecorder(hub: hub, folder: folder)
    #expect(recorder.accelerometerData(from: .distantPast, to: Date()) == nil)
    #expect(hub.access == .granted && source.starts == 0)
  }
}

extension HubSuites {
  /// Programs send an empty query and read the status in its handler.
  @Suite struct PermissionTests {
    @Test(arguments: [nil, true, false] as [Bool?])
    func `the status is known in the handler of an empty question`(isDenied: Bool?) throws {
      let source = ScriptedSource(.acceleration)
      source.refuse(isDenied.map { $0 ? .denied() : .taken(by: "process 12") })
      #expect(Rig.eventually { MotionHub.shared.reset() }, "somebody still listens")
      try MotionHub.shared.use(source)
      #expect(CMMotionActivityManager.authorizationStatus() == .notDetermined)
      let statuses = Collected<Int>()
      let now = Date()
      CMMotionActivityManager().queryActivityStarting(from: now, to: now, to: Rig.queue()) { _, _ in
        statuses.add(CMMotionActivityManager.authorizationStatus().rawValue, nil)
      }
      let status = isDenied.map { $0 ? 2 : 1 } ?? 3
      #expect(Rig.eventually { statuses.values == [status] }, "\(statuses.values)")
      #expect(MotionHub.shared.reset())
    }

    @Test @MainActor func `a request for falls answers with what opening the board gives`()
      async throws
    {
      for (error, status) in [(SessionError.denied(), 2), (nil, 3)] as [(SessionError?, Int)] {
        let source = ScriptedSource(.acceleration)
        source.refuse(error)
        #expect(Rig.eventually { MotionHub.shared.reset() }, "somebody still listens")
        try MotionHub.shared.use(source)
        let manager = CMFallDetectionManager()
        let answer = await withCheckedContinuation { continuation in
          manager.requestAuthorization { continuation.resume(returning: $0.rawValue) }
        }
        #expect(answer == status && manager.authorizationStatus.rawValue == status)
        #expect(MotionHub.shared.reset())
      }
    }
  }
}
