// SPDX-License-Identifier: Apache-2.0
public import CoreMotion
import History
import Otolith
import ServedSources
import Synchronization
import Testing

// The conformance as programs write it.
extension CMSensorDataList: Sequence {
  public typealias Iterator = NSFastEnumerationIterator
  public func makeIterator() -> NSFastEnumerationIterator { NSFastEnumerationIterator(self) }
}

extension HubSuites {
  /// The recorder with simulated boards and its own folders.
  @Suite struct SensorRecorderTests {
    /// A hub and a folder, which are removed with this object.
    final class Bench {
      let hub = MotionHub()
      /// A recorder created before any request; it then has nothing to continue.
      let recorder: CMSensorRecorder
      let folder =
        FileManager.default.temporaryDirectory.path + "/otolith-recorder-\(UUID().uuidString)"

      init(rate: Int = 200, bus: String = "simulated: i2c") throws {
        recorder = CMSensorRecorder(hub: hub, folder: folder)
        try hub.use(served(Rig.board(Rig.text(compass: false, bus: bus, rate: rate))))
      }

      deinit {
        leave()
        try? FileManager.default.removeItem(atPath: folder)
      }

      var store: SampleStore { SampleStore(folder: folder + "/acceleration-simulated") }

      /// Ends the writing, like the end of the process.
      func leave() { RecorderController.leave(folder) }

      func items(_ list: CMSensorDataList?) -> [CMRecordedAccelerometerData] {
        var items: [CMRecordedAccelerometerData] = []
        guard let list else { return [] }
        for case let item as CMRecordedAccelerometerData in list { items.append(item) }
        return items
      }

      /// Returns all items of the last hour.
      func items() -> [CMRecordedAccelerometerData] {
        items(recorder.accelerometerData(from: Date() - 3600, to: Date() + 60))
      }
    }

    @Test(arguments: [40, 50, 200, 1000]) func `samples that were recorded are returned`(
      _ rate: Int
    ) throws {
      let bench = try Bench(rate: rate)
      let recorder = bench.recorder
      let before = Date()
      #expect(recorder.accelerometerData(from: before - 3600, to: before + 60) == nil)
      recorder.recordAccelerometer(forDuration: 60)
      #expect(Rig.eventually(15) { bench.items().count >= 120 })
      let items = bench.items()
      let period = 1 / Double(min(rate, 50))
      // If the machine is too busy, the simulated chip's FIFO overflows, which is counted.
      let isWhole = try bench.store.summary().lost == 0
      for (a, b) in zip(items, items.dropFirst()) {
        let step = b.timestamp - a.timestamp
        #expect(isWhole ? abs(step - period) < period * 0.02 : step > period * 0.98)
        #expect(abs(b.startDate.timeIntervalSince(a.startDate) - step) < 0.001)
        #expect(a.identifier <= b.identifier)
      }
      // The board is flat, face up and at rest.
      for item in items {
        #expect(abs(item.acceleration.z + 1) < 0.001 && abs(item.acceleration.x) < 0.001)
      }
      let first = try #require(items.first), last = try #require(items.last)
      #expect(first.identifier >= 1 && last.identifier > first.identifier)
      #expect((before - 0.1...Date()).contains(first.startDate))
      // Both clocks show the same time.
      let uptime = ProcessInfo.processInfo.systemUptime
      #expect(abs(Date().timeIntervalSince(last.startDate) - (uptime - last.timestamp)) < 0.01)
    }

    /// The interval is (from, to]; the date of an element is the start of the next query.
    @Test func `a query excludes its begin and includes its end`() throws {
      let bench = try Bench()
      let recorder = bench.recorder
      recorder.recordAccelerometer(forDuration: 60)
      #expect(Rig.eventually(15) { bench.items().count >= 100 })
      bench.leave()
      let all = bench.items()
      let middle = all[all.count / 2].startDate
      let older = bench.items(recorder.accelerometerData(from: middle - 3600, to: middle))
      let newer = bench.items(recorder.accelerometerData(from: middle, to: middle + 3600))
      #expect(older.last?.startDate == middle)
      #expect((newer.first?.startDate ?? .distantPast) > middle)
      #expect((older + newer).map(\.timestamp) == all.map(\.timestamp))
      #expect(recorder.accelerometerData(from: middle, to: middle) == nil)
      #expect(recorder.accelerometerData(from: middle + 60, to: middle) == nil)
      #expect(recorder.accelerometerData(from: middle + 3600, to: middle + 7200) == nil)
      #expect(recorder.accelerometerData(from: middle - 43_201 - 60, to: .distantFuture) == nil)
    }

    /// The next process continues until the end of the request.
    @Test func `the next process continues the recording`() throws {
      let bench = try Bench()
      bench.recorder.recordAccelerometer(forDuration: 4)
      let end = Date() + 4
      #expect(Rig.eventually(15) { bench.items().count >= 25 })
      bench.leave()
      let first = bench.items()
      #expect(Rig.eventually { bench.hub.reset() }, "the chips sleep")
      try bench.hub.use(served(Rig.board(Rig.text(compass: false, rate: 200))))
      let next = CMSensorRecorder(hub: bench.hub, folder: bench.folder)
      #expect(Rig.eventually(15) { bench.items().count > first.count + 25 })
      #expect(Rig.eventually(15) { Date() > end + 1 })
      // At the end of the request the chips may sleep.
      #expect(Rig.eventually { bench.hub.reset() })
      // The hub gets a board, because without one it has no simulated samples.
      try bench.hub.use(served(Rig.board(Rig.text(compass: false))))
      let items = bench.items()
      let last = try #require(items.last)
      // The difference is that between reading two clocks.
      #expect((-0.5...0.005).contains(last.startDate.timeIntervalSince(end)))
      #expect(
        try #require(items.dropFirst(first.count).first).identifier
          > (try #require(first.last)).identifier)
      _ = next
    }

    /// Without a request no chip runs, and the board can still be chosen.
    @Test func `nothing runs without a request`() throws {
      let bench = try Bench()
      let recorder = bench.recorder
      recorder.recordAccelerometer(forDuration: 0)
      recorder.recordAccelerometer(forDuration: -5)
      recorder.recordAccelerometer(forDuration: .nan)
      try bench.hub.use(served(Rig.board()))
      #expect(!FileManager.default.fileExists(atPath: bench.folder))
    }

    @Test func `requests are cut to twelve hours, and extended by later ones`() throws {
      let bench = try Bench()
      bench.recorder.recordAccelerometer(forDuration: 100)
      let left = { bench.store.request()?.remaining().seconds ?? 0 }
      #expect((95...100).contains(left()))
      bench.recorder.recordAccelerometer(forDuration: 10)
      #expect((95...100).contains(left()))
      bench.recorder.recordAccelerometer(forDuration: 1e9)
      #expect((43_195...43_200).contains(left()))
    }

    /// At most twelve hours from the start are returned.
    @Test func `a long fetch is cut`() throws {
      let bench = try Bench()
      let now = Mutex(ClockReading(wall: 0, boot: .zero))
      let clocks = HostClocks(boot: BootIdentifier(high: 3, low: 3)) { now.withLock { $0 } }
      do {
        var writer = try SampleWriter(bench.store, clocks: clocks)
        // 20 hours with a sample every 10 minutes.
        for index in 1...120 as ClosedRange<Int64> {
          let time = Timestamp(nanoseconds: index * 600_000_000_000)
          now.withLock {
            $0 = ClockReading(wall: 1_767_225_600_000_000_000 + time.nanoseconds, boot: time)
          }
          try writer.append([
            TimedAcceleration(timestamp: time, acceleration: Vector3(0, 0, -1))
          ])
        }
      }
      let newYear = Date(timeIntervalSince1970: 1_767_225_600)
      _ = bench.hub.source
      let items = bench.items(
        bench.recorder.accelerometerData(from: newYear, to: newYear + 86_400))
      #expect(items.count == 72)
      #expect(items.last?.startDate == newYear + 43_200)
      let rest = bench.items(
        bench.recorder.accelerometerData(from: newYear + 43_200, to: newYear + 86_400))
      #expect(rest.count == 48)
    }

    /// A list can be iterated twice, and by two iterators at once.
    @Test func `a list can be iterated again`() throws {
      let bench = try Bench()
      bench.recorder.recordAccelerometer(forDuration: 60)
      #expect(Rig.eventually(15) { bench.items().count >= 50 })
      bench.leave()
      let list = try #require(
        bench.recorder.accelerometerData(from: Date() - 3600, to: Date()))
      var one = NSFastEnumerationIterator(list)
      var two = list.makeIterator()
      _ = one.next()
      let second = one.next() as? CMRecordedAccelerometerData
      _ = two.next()
      let other = two.next() as? CMRecordedAccelerometerData
      #expect(second?.startDate == other?.startDate && second != nil)
      #expect(Array(list).count == bench.items(list).count)
      var none = NSFastEnumerationIterator(CMSensorDataList())
      #expect(none.next() == nil)
    }

    @Test func `a recorded item comes back from an archive`() throws {
      let bench = try Bench()
      bench.recorder.recordAccelerometer(forDuration: 60)
      #expect(Rig.eventually(15) { !bench.items().isEmpty })
      let item = try #require(bench.items().last)
      let data = try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
      let read = try #require(
        try NSKeyedUnarchiver.unarchivedObject(
          ofClass: CMRecordedAccelerometerData.self, from: data))
      #expect(read.identifier == item.identifier && read.startDate == item.startDate)
      #expect(read.timestamp == item.timestamp && read.acceleration.z == item.acceleration.z)
    }

    /// Two recorders share one writer; a board that cannot be opened loses only its own samples.
    @Test func `a board that cannot be opened costs only what it does not deliver`() throws {
      let bench = try Bench(bus: "i2c: /dev/i2c-97")
      let recorder = bench.recorder
      recorder.recordAccelerometer(forDuration: 60)
      CMSensorRecorder(hub: bench.hub, folder: bench.folder).recordAccelerometer(forDuration: 60)
      let store = SampleStore(folder: bench.folder + "/acceleration")
      #expect(store.request() != nil)
      #expect(recorder.accelerometerData(from: Date() - 60, to: Date() + 60) == nil)
    }

    @Test func `a recorder is available where there is an accelerometer`() throws {
      try Rig.use()
      #expect(CMSensorRecorder.isAccelerometerRecordingAvailable())
      try Rig.use(
        """
        otolith-board: 1
        name: Compass
        buses: { bus: { simulated: i2c } }
        chips: { compass: { chip: "st,lis3mdl", on: bus, address: 0x1C, rate-hz: 80 } }
        simulation: { motion: still, noise: false }

        """)
      #expect(!CMSensorRecorder.isAccelerometerRecordingAvailable())
      #expect(CMSensorRecorder.authorizationStatus() == currentAuthorization())
    }
  }
}
