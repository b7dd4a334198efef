// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import CoreMotionTesting
import Otolith
import Synchronization
import Testing

/// Quantities that no board can sense, or that are not recognised yet: one error on the right
/// queue, and nothing else.
@Suite(.timeLimit(.minutes(1))) struct NotAvailableTests {
  /// The errors that a handler received, and its queues.
  final class Reports: Sendable {
    struct State: Sendable {
      var codes: [Int] = []
      var domains: Set<String> = []
      var queues: [String] = []
      var onMain = false
    }
    let state = Mutex(State())

    func add(_ error: (any Error)?) {
      let error = error as NSError?
      let name = OperationQueue.current?.name ?? "none"
      let onMain = OperationQueue.current === OperationQueue.main
      state.withLock { state in
        state.codes.append(error?.code ?? -1)
        state.domains.insert(error?.domain ?? "none")
        state.queues.append(name)
        if onMain { state.onMain = true }
      }
    }

    /// The only error code, provided that there is still one a moment later.
    var onlyCode: Int? {
      guard Rig.eventually(5, { state.withLock { !$0.codes.isEmpty } }) else { return nil }
      Thread.sleep(forTimeInterval: 0.02)
      return state.withLock { state in
        state.codes.count == 1 && state.domains == ["CMErrorDomain"] ? state.codes[0] : nil
      }
    }
  }

  static func named(_ name: String) -> OperationQueue {
    let queue = Rig.queue()
    queue.name = name
    return queue
  }

  @Test func `headphones are not available, and each start gets an error`() {
    let manager = CMHeadphoneMotionManager()
    let reported = [Reports(), Reports(), Reports()]
    manager.startDeviceMotionUpdates()
    manager.startConnectionStatusUpdates()
    #expect(!manager.isDeviceMotionAvailable && !manager.isDeviceMotionActive)
    #expect(!manager.isConnectionStatusActive && manager.deviceMotion == nil)
    manager.startDeviceMotionUpdates(to: Self.named("motion")) {
      #expect($0 == nil)
      reported[0].add($1)
    }
    let activities = CMHeadphoneActivityManager()
    activities.startActivityUpdates(to: Self.named("motion")) {
      #expect($0 == nil)
      reported[1].add($1)
    }
    activities.startStatusUpdates(to: Self.named("motion")) {
      #expect($0 == .disconnected)
      reported[2].add($1)
    }
    #expect(!activities.isActivityAvailable && !activities.isActivityActive)
    #expect(!activities.isStatusAvailable && !activities.isStatusActive)
    for reported in reported {
      #expect(reported.onlyCode == 109)
      #expect(reported.state.withLock { $0.queues } == ["motion"])
    }
  }

  @Test func `movement disorders are not available, and queries get an error`() {
    #expect(!CMMovementDisorderManager.isAvailable() && CMMovementDisorderManager.version() == nil)
    let manager = CMMovementDisorderManager()
    manager.monitorKinesias(forDuration: 60)
    #expect(manager.lastProcessedDate() == nil && manager.monitorKinesiasExpirationDate() == nil)
    let reported = [Reports(), Reports()]
    manager.queryTremor(from: .distantPast, to: Date()) {
      #expect($0.isEmpty)
      reported[0].add($1)
    }
    manager.queryDyskineticSymptom(from: .distantPast, to: Date()) {
      #expect($0.isEmpty)
      reported[1].add($1)
    }
    #expect(reported[0].onlyCode == 109 && reported[1].onlyCode == 109)
  }

  @MainActor final class Diver: NSObject, @MainActor CMWaterSubmersionManagerDelegate {
    var codes: [Int] = []
    var isElsewhere = false

    func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {
      isElsewhere = true
    }
    func manager(
      _ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement
    ) { isElsewhere = true }
    func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {
      isElsewhere = true
    }
    func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error) {
      codes.append((error as NSError).code)
      // `Thread.isMainThread` is not used, because on Linux another thread may run the main queue.
      if OperationQueue.current !== OperationQueue.main { isElsewhere = true }
    }
  }

  @Test @MainActor func `water is not available, and the delegate gets an error`() async throws {
    #expect(!CMWaterSubmersionManager.waterSubmersionAvailable)
    let manager = CMWaterSubmersionManager()
    #expect(manager.maximumDepth == nil)
    let diver = Diver()
    let other = Diver()
    // A delegate removed before the main queue runs gets no call.
    manager.delegate = other
    manager.delegate = diver
    for _ in 0..<500 where diver.codes.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    try await Task.sleep(for: .milliseconds(20))
    #expect(diver.codes == [109] && !diver.isElsewhere && other.codes.isEmpty)
    manager.delegate = nil
    try await Task.sleep(for: .milliseconds(20))
    #expect(diver.codes == [109])
  }

  final class Nobody: NSObject, CMFallDetectionDelegate, CMHeadphoneMotionManagerDelegate {}

  final class Waiting: NSObject, CMFallDetectionDelegate {
    var falls = 0

    func fallDetectionManager(
      _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent
    ) async {
      try? await Task.sleep(for: .milliseconds(1))
      falls += 1
    }
  }

  final class Faller: NSObject, CMFallDetectionDelegate {
    var seen: [(date: Date, resolution: CMFallDetectionEvent.UserResolution)] = []
    var isElsewhere = false

    func fallDetectionManager(
      _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
      completionHandler handler: @escaping () -> Void
    ) {
      seen.append((event.date, event.resolution))
      isElsewhere = isElsewhere || OperationQueue.current !== OperationQueue.main
      handler()
    }
  }

  @Test func `delegates are not retained`() {
    let headphones = CMHeadphoneMotionManager()
    let falls = CMFallDetectionManager()
    do {
      let nobody = Nobody()
      headphones.delegate = nobody
      falls.delegate = nobody
      #expect(headphones.delegate === nobody && falls.delegate === nobody)
    }
    #expect(headphones.delegate == nil && falls.delegate == nil)
  }
}

extension HubSuites {
  /// Counts that are not possible without an accelerometer.
  @Suite struct CompassTests {
    static func useCompass() throws {
      try Rig.use(
        """
        otolith-board: 1
        name: Compass
        buses: { bus: { simulated: i2c } }
        chips: { compass: { chip: "st,lis3mdl", on: bus, address: 0x1C, rate-hz: 80 } }
        simulation: { motion: still, noise: false }

        """)
    }

    @Test func `without an accelerometer a pedometer is not available`() throws {
      try Self.useCompass()
      #expect(!CMPedometer.isStepCountingAvailable() && !CMPedometer.isDistanceAvailable())
      #expect(!CMPedometer.isFloorCountingAvailable() && !CMPedometer.isPaceAvailable())
      #expect(!CMPedometer.isCadenceAvailable() && !CMPedometer.isPedometerEventTrackingAvailable())
      let pedometer = CMPedometer()
      let reported = [
        NotAvailableTests.Reports(), NotAvailableTests.Reports(), NotAvailableTests.Reports(),
      ]
      pedometer.queryPedometerData(from: .distantPast, to: Date()) { data, error in
        #expect(data == nil)
        reported[0].add(error)
      }
      pedometer.startUpdates(from: Date()) { data, error in
        #expect(data == nil)
        reported[1].add(error)
      }
      pedometer.startEventUpdates { event, error in
        #expect(event == nil)
        reported[2].add(error)
      }
      for reported in reported {
        #expect(reported.onlyCode == 104)
        // The queue is serial and not the main queue, as documented.
        #expect(reported.state.withLock { $0.queues == ["otolith.pedometer"] && !$0.onMain })
      }
      pedometer.stopUpdates()
      pedometer.stopEventUpdates()
    }

    /// A pedometer without references still answers a query.
    @Test func `a pedometer that is let go at once still answers`() throws {
      try Self.useCompass()
      let reported = NotAvailableTests.Reports()
      CMPedometer().queryPedometerData(from: .distantPast, to: Date()) { reported.add($1) }
      #expect(reported.onlyCode == 104)
    }

    @Test func `without an accelerometer a step counter is not available`() throws {
      try Self.useCompass()
      #expect(!CMStepCounter.isStepCountingAvailable())
      let counter = CMStepCounter()
      let reported = [NotAvailableTests.Reports(), NotAvailableTests.Reports()]
      counter.queryStepCountStarting(
        from: .distantPast, to: Date(), to: NotAvailableTests.named("a")
      ) {
        #expect($0 == 0)
        reported[0].add($1)
      }
      counter.startStepCountingUpdates(to: NotAvailableTests.named("b"), updateOn: 10) {
        #expect($0 == 0)
        reported[1].add($2)
      }
      #expect(reported[0].onlyCode == 104 && reported[1].onlyCode == 104)
      #expect(reported[0].state.withLock { $0.queues } == ["a"])
      #expect(reported[1].state.withLock { $0.queues } == ["b"])
      counter.stopStepCountingUpdates()
    }

    @Test func `without an accelerometer activities are not available`() throws {
      try Self.useCompass()
      #expect(!CMMotionActivityManager.isActivityAvailable())
      let manager = CMMotionActivityManager()
      let reported = NotAvailableTests.Reports()
      let live = NotAvailableTests.Reports()
      manager.startActivityUpdates(to: NotAvailableTests.named("live")) { _ in live.add(nil) }
      manager.queryActivityStarting(
        from: .distantPast, to: Date(), to: NotAvailableTests.named("query")
      ) {
        #expect($0 == nil)
        reported.add($1)
      }
      #expect(reported.onlyCode == 104)
      #expect(reported.state.withLock { $0.queues } == ["query"])
      // The handler takes no errors, and there is nothing else to report.
      #expect(live.state.withLock { $0.codes.isEmpty })
      manager.stopActivityUpdates()
    }

    /// The board's chips decide what is available.
    @Test func `with an accelerometer all but floors is available`() throws {
      try Rig.use()
      #expect(CMPedometer.isStepCountingAvailable() && CMPedometer.isDistanceAvailable())
      #expect(CMPedometer.isPaceAvailable() && CMPedometer.isCadenceAvailable())
      #expect(CMPedometer.isPedometerEventTrackingAvailable())
      #expect(CMStepCounter.isStepCountingAvailable())
      #expect(CMMotionActivityManager.isActivityAvailable())
      #expect(!CMPedometer.isFloorCountingAvailable(), "it has no barometer")
    }
  }
}

extension HubSuites {
  /// These tests are in this file, because they use the process's hub.
  @Suite struct FallTests {
    @Test @MainActor
    func `of a board that cannot be opened no permission to watch for falls is known`()
      async throws
    {
      let source = ScriptedSource(.acceleration)
      source.refuse(.placeUnknown(source: "script"))
      #expect(Rig.eventually { MotionHub.shared.reset() }, "somebody still listens")
      try MotionHub.shared.use(source)
      let manager = CMFallDetectionManager()
      let nobody = NotAvailableTests.Nobody()
      manager.delegate = nobody
      let (status, onMain) = await withCheckedContinuation { continuation in
        manager.requestAuthorization { status in
          continuation.resume(returning: (status, OperationQueue.current === OperationQueue.main))
        }
      }
      #expect(status == .notDetermined && onMain, "that is no matter of permission")
      #expect(MotionHub.shared.reset())
      // A delegate without methods counts as having handled the fall.
      let event = CMFallDetectionEvent(date: Date(), resolution: .dismissed)
      await withCheckedContinuation { dealtWith in
        nobody.fallDetectionManager(manager, didDetect: event) { @Sendable in dealtWith.resume() }
      }
      nobody.fallDetectionManagerDidChangeAuthorization(manager)
      nobody.headphoneMotionManagerDidConnect(CMHeadphoneMotionManager())
      // A delegate with Swift's form of the method has handled the fall when that returns.
      let waiting = NotAvailableTests.Waiting()
      await withCheckedContinuation { dealtWith in
        waiting.fallDetectionManager(manager, didDetect: event) { @Sendable in dealtWith.resume() }
      }
      #expect(waiting.falls == 1)
    }

    /// A fall of 4 g after two seconds; then the person lies still and gets up after half a minute,
    /// or does not.
    @Test(arguments: [
      (true, CMFallDetectionEvent.UserResolution.dismissed), (false, .unresponsive),
    ])
    @MainActor func `a fall and its aftermath are reported on the main queue`(
      _ rises: Bool, _ resolution: CMFallDetectionEvent.UserResolution
    ) async throws {
      let source = ScriptedSource(.acceleration, rate: 50)
      let manager = CMFallDetectionManager(on: MotionHub(source))
      let faller = NotAvailableTests.Faller()
      manager.delegate = faller
      #expect(Rig.eventually { source.isRunning })
      let start = Date()
      for number in 0..<4000 {
        let time = Double(number) / 50
        var sample = Sample(timestamp: Timestamp(seconds: 100 + time), channels: .acceleration)
        sample.acceleration =
          time < 2 || (rises && time > 32)
          ? Vector3(0, -1, 0) : time < 2.1 ? Vector3(0, -3, -3) : Vector3(0, 0, -1)
        source.send(sample)
      }
      for _ in 0..<500 where faller.seen.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      let seen = try #require(faller.seen.first)
      #expect(faller.seen.count == 1 && seen.resolution == resolution && !faller.isElsewhere)
      // The samples have current times: 32 s less two for getting up, or the minute, ago.
      let age = rises ? 32.0 : 63.0
      #expect(abs(seen.date.timeIntervalSince(start) + age) < 6)
      manager.delegate = nil
      #expect(Rig.eventually { !source.isRunning })
    }
  }
}
