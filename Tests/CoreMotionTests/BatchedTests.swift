// SPDX-License-Identifier: Apache-2.0
import Runtime
import CoreMotion
import Otolith
import Registers
import MotionSources
import ServedSources
import Synchronization
import Testing

/// Collects the items that the hub delivers, to compare batches with them.
final class Truth: MotionReceiver {
  struct Seen: Sendable {
    var samples: [TimeInterval] = []
    var motions: [TimeInterval] = []
    /// The times just before which the chip lost samples.
    var gaps: Set<TimeInterval> = []
  }
  private let state = Mutex(Seen())

  func receive(_ sourced: SourcedSample) {
    let time = sourced.sample.timestamp.seconds
    state.withLock {
      $0.samples.append(time)
      if sourced.sample.missing > 0 { $0.gaps.insert(time) }
    }
  }

  func receive(_ motion: MotionSample) {
    state.withLock { $0.motions.append(motion.timestamp.seconds) }
  }

  func missed(_ count: UInt64) { Issue.record("the truth missed \(count)") }
  func chipsChanged(_ chips: [ChipState]) {}
  var seen: Seen { state.withLock { $0 } }
}

extension HubSuites {
  /// Batches that cover about a second.
  @Suite struct BatchedTests {
    static func hub(rate: Int = 1000, bus: String = "simulated: i2c", compass: Bool = false) throws
      -> MotionHub
    {
      let hub = MotionHub()
      try hub.use(served(Rig.board(Rig.text(compass: compass, bus: bus, rate: rate))))
      return hub
    }

    /// Every sample of several seconds at 1 kHz is delivered in order.
    @Test func `no sample is lost`() async throws {
      let hub = try Self.hub()
      let manager = CMBatchedSensorManager(hub: hub)
      #expect(manager.accelerometerDataFrequency == 1000)
      let truth = Truth()
      let listening = try hub.listen(truth)
      var sizes: [Int] = []
      var times: [TimeInterval] = []
      for try await batch in manager.accelerometerUpdates() {
        sizes.append(batch.count)
        times += batch.map(\.timestamp)
        #expect(abs((batch.last?.acceleration.z ?? 0) + 1) < 0.001)
        #expect(manager.isAccelerometerActive)
        if sizes.count == 4 { break }
      }
      listening.stop()
      let seen = truth.seen
      Self.check(times, are: seen.samples)
      // Batches cover a second each, unless the chip lost samples because the machine was too busy.
      if seen.gaps.isEmpty {
        #expect(sizes.allSatisfy { (980...1020).contains($0) }, "\(sizes)")
      }
      // If the first poll came late, the times of its samples are uncertain.
      let reported = (times.first ?? 0) + 0.1
      #expect((90...110).contains(times.count { $0 < reported }) || !seen.gaps.isEmpty)
      for (a, b) in zip(times, times.dropFirst()) where a >= reported {
        #expect(b - a > 0.0008 && (b - a < 0.0012 || seen.gaps.contains(b)))
      }
      #expect(Rig.eventually { !manager.isAccelerometerActive })
      #expect(Rig.eventually { hub.reset() })
    }

    /// Expects every item of the truth from the first to the last, once.
    static func check(_ times: [TimeInterval], are truth: [TimeInterval]) {
      guard let first = times.first, let last = times.last,
        let start = truth.firstIndex(of: first), let end = truth.firstIndex(of: last)
      else {
        Issue.record("not of the truth")
        return
      }
      #expect(times == Array(truth[start...end]))
    }

    @Test func `batches of device motion have every motion once`() async throws {
      let hub = try Self.hub(rate: 200, compass: true)
      let manager = CMBatchedSensorManager(hub: hub)
      #expect(manager.deviceMotionDataFrequency == 200)
      let truth = Truth()
      let listening = try hub.listen(truth)
      var times: [TimeInterval] = []
      var batches = 0
      for try await batch in manager.deviceMotionUpdates() {
        times += batch.map(\.timestamp)
        for motion in batch {
          #expect(abs(motion.gravity.z + 1) < 0.01)
          // In the frame xArbitraryZVertical the heading is -1, with or without a compass.
          #expect(motion.heading == -1)
        }
        batches += 1
        if batches == 3 { break }
      }
      listening.stop()
      Self.check(times, are: truth.seen.motions)
      let spanned = try #require(times.last) - (try #require(times.first))
      #expect((2.9...4).contains(spanned), "\(spanned)")
    }

    @Test func `two loops are independent`() async throws {
      let hub = try Self.hub(rate: 100)
      let manager = CMBatchedSensorManager(hub: hub)
      let updates = manager.accelerometerUpdates()
      var one = updates.makeAsyncIterator()
      var two = updates.makeAsyncIterator()
      let first = try await one.next()?.map(\.timestamp)
      let same = try await two.next()?.map(\.timestamp)
      // Both loops began before the first sample, or a moment later.
      #expect(Set(first ?? []).intersection(same ?? []).count > 50)
      // Iterate the same sequence again.
      for try await batch in updates {
        #expect(batch.count > 50)
        break
      }
      manager.stopAccelerometerUpdates()
      // Items in the buffer are still delivered before the end.
      while try await one.next() != nil {}
      while try await two.next() != nil {}
      #expect(!manager.isAccelerometerActive)
      #expect(Rig.eventually { hub.reset() })
    }

    @Test func `cancellation stops the sensor`() async throws {
      let hub = try Self.hub(rate: 100)
      let manager = CMBatchedSensorManager(hub: hub)
      let updates = manager.accelerometerUpdates()
      let loop = Task {
        var count = 0
        for try await batch in updates { count += batch.count }
        return count
      }
      let session = try #require(hub.source)
      #expect(Rig.eventually { session.pipeline.samples.count > 130 })
      loop.cancel()
      // The loop ends without an error.
      _ = try await loop.value
      #expect(Rig.eventually { hub.reset() })
      #expect(!manager.isAccelerometerActive)
    }

    /// An app's view model loops in this way.
    @MainActor @Test func `a loop on the main actor gets its batches`() async throws {
      let manager = CMBatchedSensorManager(hub: try Self.hub(rate: 100))
      var newest: CMDeviceMotion?
      for try await batch in manager.deviceMotionUpdates() {
        newest = batch.last
        break
      }
      for try await batch in manager.accelerometerUpdates() {
        #expect(!batch.isEmpty)
        break
      }
      #expect(abs((newest?.gravity.z ?? 0) + 1) < 0.01)
    }

    @Test func `a second start of batches replaces the handler`() throws {
      let hub = try Self.hub(rate: 200)
      let manager = CMBatchedSensorManager(hub: hub)
      let batches = Collected<[TimeInterval]>()
      let replaced = Collected<[TimeInterval]>()
      #expect(!manager.isAccelerometerActive && manager.accelerometerBatch == nil)
      manager.startAccelerometerUpdates { items, error in
        replaced.add(items?.map(\.timestamp), error)
      }
      manager.startAccelerometerUpdates { items, error in
        batches.add(items?.map(\.timestamp), error)
      }
      #expect(manager.isAccelerometerActive && !manager.isDeviceMotionActive)
      let truth = Truth()
      let listening = try hub.listen(truth)
      #expect(Rig.eventually { batches.values.count >= 2 })
      #expect(replaced.calls == 0 && batches.errors.isEmpty)
      listening.stop()
      let seen = truth.seen.samples
      // The comparison began a moment later.
      let times = batches.values.flatMap(\.self).filter { $0 >= seen.first ?? 0 }
      Self.check(times, are: seen)
      #expect(manager.accelerometerBatch?.isEmpty == false)
      manager.stopAccelerometerUpdates()
      let calls = batches.calls
      #expect(!manager.isAccelerometerActive && manager.accelerometerBatch == nil)
      Thread.sleep(forTimeInterval: 0.2)
      #expect(batches.calls == calls)
      #expect(Rig.eventually { hub.reset() })
    }

    @Test func `the newest batch can be pulled while it is active`() throws {
      let hub = try Self.hub(rate: 100)
      let manager = CMBatchedSensorManager(hub: hub)
      manager.startDeviceMotionUpdates()
      #expect(manager.isDeviceMotionActive)
      #expect(Rig.eventually { (manager.deviceMotionBatch?.count ?? 0) > 50 })
      manager.stopDeviceMotionUpdates()
      #expect(manager.deviceMotionBatch == nil)
      #expect(Rig.eventually { hub.reset() })
    }

    /// A manager without references stops its updates.
    @Test func `a manager without references is released`() throws {
      let hub = try Self.hub(rate: 100)
      do {
        let manager = CMBatchedSensorManager(hub: hub)
        manager.startAccelerometerUpdates()
        #expect(!hub.reset())
      }
      #expect(Rig.eventually { hub.reset() })
    }

    /// A missing bus or a missing chip gives one error.
    @Test(arguments: ["i2c: /dev/i2c-97", "simulated: i2c"])
    func `a missing bus or chip is one error`(_ bus: String) async throws {
      let hub = MotionHub()
      var text = Rig.text(compass: false, bus: bus)
      if bus.hasPrefix("simulated") {
        text = text.replacingOccurrences(
          of: "noise: false", with: "noise: false, faults: [ { fault: nack, chip: imu } ]")
      }
      guard let board = try? Rig.board(text) else {
        Issue.record("the board file is not understood")
        return
      }
      try hub.use(served(board))
      let manager = CMBatchedSensorManager(hub: hub)
      let caught = await #expect(throws: NSError.self) {
        for try await _ in manager.accelerometerUpdates() {}
      }
      #expect(caught?.domain == CMErrorDomain)
      #expect(caught?.code == Int(CMErrorNotAvailable.rawValue))
      let calls = Collected<Int>()
      manager.startAccelerometerUpdates { calls.add($0?.count, $1) }
      #expect(Rig.eventually { !calls.errors.isEmpty })
      try await Task.sleep(for: .milliseconds(300))
      #expect(calls.errors.map(\.code) == [109] && calls.values.isEmpty)
      manager.stopAccelerometerUpdates()
      #expect(Rig.eventually { hub.reset() })
    }

    /// A sensor that stops responding ends a loop; a handler gets one error, and data when the
    /// sensor responds again.
    @Test func `a sensor that falls silent ends the loop`() async throws {
      let session = BoardSession(try Rig.board(Rig.text(compass: false, rate: 100)))
      let hub = MotionHub()
      try hub.use(served(session))
      let manager = CMBatchedSensorManager(hub: hub)
      let got = Collected<Int>()
      manager.startAccelerometerUpdates { got.add($0?.count, $1) }
      #expect(Rig.eventually { got.values.count == 1 })
      #expect(manager.accelerometerBatch != nil)
      var loop = manager.accelerometerUpdates().makeAsyncIterator()
      #expect(try await loop.next() != nil)
      let pipeline = session.pipeline
      pipeline.chip(0, failed: .bus(.noAcknowledge, register: 0x3A))
      #expect(Rig.eventually { got.errors.count == 1 })
      var caught: NSError?
      do { while try await loop.next() != nil {} } catch { caught = error as NSError }
      #expect(caught?.domain == CMErrorDomain && caught?.code == 109)
      #expect(caught?.localizedDescription.hasPrefix("imu: no answer at 0x68") == true)
      pipeline.chip(0, failed: .bus(.timeout, register: 0x3A))
      pipeline.chipRecovered(0)
      let before = got.values.count
      #expect(Rig.eventually { got.values.count > before })
      #expect(got.errors.count == 1)
      manager.stopAccelerometerUpdates()
      #expect(Rig.eventually { hub.reset() })
    }

    @Test func `a board that cannot is not supported`() async throws {
      let hub = MotionHub()
      let text = """
        otolith-board: 1
        name: Compass
        buses: { bus: { simulated: i2c } }
        chips: { compass: { chip: "st,lis3mdl", on: bus, address: 0x1C, rate-hz: 80 } }
        simulation: { motion: still, noise: false }

        """
      try hub.use(served(Rig.board(text)))
      let manager = CMBatchedSensorManager(hub: hub)
      #expect(manager.accelerometerDataFrequency == 0 && manager.deviceMotionDataFrequency == 0)
      let caught = await #expect(throws: NSError.self) {
        for try await _ in manager.deviceMotionUpdates() {}
      }
      #expect(caught?.code == Int(CMErrorNotAvailable.rawValue))
      try Rig.use(text)
      #expect(!CMBatchedSensorManager.isAccelerometerSupported)
      #expect(!CMBatchedSensorManager.isDeviceMotionSupported)
      try Rig.use()
      #expect(CMBatchedSensorManager.isAccelerometerSupported)
      #expect(CMBatchedSensorManager.isDeviceMotionSupported)
    }
  }
}
