// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Fusion
import Otolith
import Synchronization
import Testing

extension HubSuites {
  /// Starts and stops in every order and from every thread.
  @Suite struct StopTests {
    init() throws { try Rig.use() }

    /// After a stop on the handler's own serial queue, no call of the handler follows.
    @Test func `after a stop on its own queue a handler hears nothing`() throws {
      for _ in 0..<10 {
        let manager = CMMotionManager()
        let queue = Rig.queue()
        let got = Collected<Timed>()
        manager.startAccelerometerUpdates(to: queue) { got.add($0?.timed, $1) }
        #expect(Rig.eventually { got.calls >= 2 })
        let atStop = Mutex(-1)
        let carrier = Carrier(manager)
        queue.addOperation {
          // The stop removes calls that were queued meanwhile.
          Thread.sleep(forTimeInterval: 0.03)
          carrier.manager.stopAccelerometerUpdates()
          atStop.withLock { $0 = got.calls }
        }
        #expect(Rig.eventually { atStop.withLock { $0 } >= 0 })
        Thread.sleep(forTimeInterval: 0.03)
        #expect(got.calls == atStop.withLock { $0 })
      }
    }

    /// After a stop on another thread, at most the call in progress continues.
    @Test func `after a stop from outside at most the call under way goes on`() throws {
      for _ in 0..<10 {
        let manager = CMMotionManager()
        let queue = Rig.queue()
        let got = Collected<Timed>()
        manager.startGyroUpdates(to: queue) { got.add($0?.timed, $1) }
        #expect(Rig.eventually { got.calls >= 2 })
        manager.stopGyroUpdates()
        queue.waitUntilAllOperationsAreFinished()
        let atStop = got.calls
        Thread.sleep(forTimeInterval: 0.03)
        #expect(got.calls == atStop)
      }
    }

    @Test func `a second start replaces the handler`() throws {
      let manager = CMMotionManager()
      let first = Collected<Timed>()
      let second = Collected<Timed>()
      let queue = Rig.queue()
      manager.startGyroUpdates(to: queue) { first.add($0?.timed, $1) }
      #expect(Rig.eventually { first.calls > 0 })
      manager.startGyroUpdates(to: Rig.queue()) { second.add($0?.timed, $1) }
      queue.waitUntilAllOperationsAreFinished()
      let before = first.calls
      #expect(Rig.eventually { second.calls > 5 })
      #expect(first.calls == before)
      manager.stopGyroUpdates()
      #expect(!manager.isGyroActive)
    }

    /// Queued calls for the handler of an earlier start are discarded.
    @Test func `queued items of an earlier start are dropped`() throws {
      let manager = CMMotionManager()
      let queue = Rig.queue()
      queue.isSuspended = true
      let first = Collected<Timed>()
      let second = Collected<Timed>()
      manager.startGyroUpdates(to: queue) { first.add($0?.timed, $1) }
      #expect(Rig.eventually { queue.operationCount >= 5 })
      manager.stopGyroUpdates()
      let restart = ProcessInfo.processInfo.systemUptime
      manager.startGyroUpdates(to: queue) { second.add($0?.timed, $1) }
      queue.isSuspended = false
      #expect(Rig.eventually { second.calls >= 5 })
      manager.stopGyroUpdates()
      #expect(first.calls == 0 && second.errors.isEmpty)
      #expect(second.values.allSatisfy { $0.time >= restart })
    }

    /// A queue that is not processed does not grow without limit, and gets items again once it is
    /// empty.
    @Test func `a queue that is stuck does not grow without end`() throws {
      try Rig.use(Rig.text(rate: 1000))
      let manager = CMMotionManager()
      manager.gyroUpdateInterval = 0
      let queue = Rig.queue()
      queue.isSuspended = true
      let got = Collected<Timed>()
      manager.startGyroUpdates(to: queue) { got.add($0?.timed, $1) }
      #expect(Rig.eventually(10) { queue.operationCount == 4096 })
      Thread.sleep(forTimeInterval: 0.1)
      #expect(queue.operationCount == 4096)
      queue.isSuspended = false
      #expect(Rig.eventually { got.calls > 4196 })
      manager.stopGyroUpdates()
    }

    @Test func `a stop inside the handler is the last of it`() throws {
      let manager = CMMotionManager()
      let carrier = Carrier(manager)
      let got = Collected<Timed>()
      manager.startDeviceMotionUpdates(to: Rig.queue()) { motion, error in
        got.add(motion.map { Timed($0.timestamp, []) }, error)
        carrier.manager.stopDeviceMotionUpdates()
      }
      #expect(Rig.eventually { got.calls == 1 && !manager.isDeviceMotionActive })
      Thread.sleep(forTimeInterval: 0.05)
      #expect(got.calls == 1)
      #expect(Rig.eventually { MotionHub.shared.reset() }, "the chips sleep")
    }

    @Test func `several managers each have their own interval`() throws {
      let intervals = [0.01, 0.05, 0.1]
      let managers = intervals.map { _ in CMMotionManager() }
      let gots = intervals.map { _ in Collected<Timed>() }
      for (index, manager) in managers.enumerated() {
        manager.accelerometerUpdateInterval = intervals[index]
        let got = gots[index]
        manager.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      }
      #expect(Rig.eventually { gots.last.map { $0.values.count >= 12 } ?? false })
      for manager in managers { manager.stopAccelerometerUpdates() }
      for (interval, got) in zip(intervals, gots) {
        let times = got.values.map(\.time)
        let span = try #require(times.last) - (try #require(times.first))
        let rate = Double(times.count - 1) / span
        #expect(abs(rate * interval - 1) < 0.1, "\(rate) Hz of \(1 / interval)")
      }
    }

    /// The chips sleep in between, and wake up again.
    @Test func `a manager can be stopped and started again and again`() throws {
      let manager = CMMotionManager()
      var last = 0.0
      for _ in 0..<5 {
        let got = Collected<Timed>()
        manager.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
        #expect(Rig.eventually { got.values.count >= 5 })
        manager.stopAccelerometerUpdates()
        let times = got.values.map(\.time)
        #expect(try #require(times.first) > last)
        last = try #require(times.last)
        for item in got.values { #expect(AttitudeTests.isNear(item.v, [0, 0, -1], 0.001)) }
      }
    }

    /// A manager without references stops what it started.
    @Test func `a manager that is let go stops what it started`() throws {
      var manager: CMMotionManager? = CMMotionManager()
      let got = Collected<Timed>()
      manager?.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
      #expect(Rig.eventually { got.calls > 0 })
      manager = nil
      #expect(Rig.eventually { MotionHub.shared.reset() }, "the chips sleep")
      Thread.sleep(forTimeInterval: 0.02)
      let calls = got.calls
      Thread.sleep(forTimeInterval: 0.05)
      #expect(got.calls == calls)
    }

    @Test func `starts and stops may race`() throws {
      let manager = CMMotionManager()
      let carrier = Carrier(manager)
      let got = Collected<Timed>()
      let queue = Rig.queue()
      let done = Mutex(0)
      let end = ProcessInfo.processInfo.systemUptime + 1
      for index in 0..<8 {
        Thread.detachNewThread {
          let manager = carrier.manager
          while ProcessInfo.processInfo.systemUptime < end {
            if index % 2 == 0 {
              manager.startAccelerometerUpdates(to: queue) { got.add($0?.timed, $1) }
              manager.startDeviceMotionUpdates()
            }
            manager.stopAccelerometerUpdates()
            manager.stopDeviceMotionUpdates()
          }
          done.withLock { $0 += 1 }
        }
      }
      #expect(Rig.eventually(20) { done.withLock { $0 } == 8 }, "somebody hangs")
      manager.stopAccelerometerUpdates()
      manager.stopDeviceMotionUpdates()
      #expect(got.errors.isEmpty)
      #expect(Rig.eventually { MotionHub.shared.reset() }, "the chips sleep")
    }

    /// Apple's class is used on one thread; here several threads may stop at once.
    private final class Carrier: @unchecked Sendable {  // the manager guards itself by locks
      let manager: CMMotionManager
      init(_ manager: CMMotionManager) { self.manager = manager }
    }
  }
}
