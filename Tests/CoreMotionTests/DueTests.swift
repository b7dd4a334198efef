// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Otolith
import ServedSources
import Synchronization
import Testing

/// The hub sleeps until a listener needs an item, and no listener gets a later item because of
/// that.
@Suite(.timeLimit(.minutes(2))) struct DueTests {
  private let hub = MotionHub()
  private let source = ScriptedSource([.acceleration, .rotationRate], rate: 1000)

  init() throws { try hub.use(served(source)) }

  /// The time until which the hub's thread sleeps, as the pipeline knows it.
  private var due: Timestamp { hub.source?.pipeline.due ?? .distantFuture }

  private func send(_ milliseconds: ClosedRange<Int64>) {
    for time in milliseconds {
      var sample = Sample(
        timestamp: .zero + .milliseconds(time), channels: [.acceleration, .rotationRate])
      sample.acceleration = Vector3(0, 0, -1)
      source.send(sample)
    }
  }

  private func manager(every interval: Double, _ got: Collected<Timed>) -> CMMotionManager {
    let manager = CMMotionManager(hub: hub)
    manager.accelerometerUpdateInterval = interval
    manager.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
    return manager
  }

  private func milliseconds(_ got: Collected<Timed>) -> [Int] {
    got.values.map { Int(($0.time * 1000).rounded()) }
  }

  /// 10 Hz from 1 kHz: the thread is awake from 0.75 ms before the next 100 ms on, and delivers
  /// that item immediately.
  @Test func `the clock sleeps until the next tenth`() async {
    let got = Collected<Timed>()
    let manager = manager(every: 0.1, got)
    send(1000...1049)
    #expect(await hub.flush())
    // If the thread found nothing, any next sample wakes it.
    send(1050...1050)
    #expect(Rig.eventually { due == Timestamp(nanoseconds: 1_099_250_000) })
    send(1051...1099)
    // The wait is shorter than 0.25 s, after which the thread wakes in any case.
    #expect(!Rig.eventually(0.05) { due.nanoseconds != 1_099_250_000 })
    send(1100...1100)
    #expect(Rig.eventually { due.nanoseconds == 1_199_250_000 })
    #expect(Rig.eventually { milliseconds(got) == [1000, 1100] })
    manager.stopAccelerometerUpdates()
  }

  /// The earliest time of all listeners: a second manager, a stream, a batch. A receiver without
  /// `due` needs each sample.
  @Test func `a source is due when the soonest of its listeners is`() async throws {
    let got = [Collected<Timed>(), Collected<Timed>()]
    let slow = manager(every: 0.2, got[0])
    let fast = manager(every: 0.05, got[1])
    send(1000...1019)
    #expect(await hub.flush())
    send(1020...1020)
    #expect(Rig.eventually { due.nanoseconds == 1_049_250_000 })
    fast.stopAccelerometerUpdates()
    send(1021...1021)
    #expect(await hub.flush())
    send(1022...1022)
    #expect(Rig.eventually { due.nanoseconds == 1_199_250_000 })
    let batches = hub.batches(of: .acceleration, every: .milliseconds(40)).makeAsyncIterator()
    send(1023...1023)
    #expect(Rig.eventually { due.nanoseconds == 1_063_000_000 })
    let receiver = Truth()
    let listening = try hub.listen(receiver)
    send(1024...1024)
    #expect(Rig.eventually { receiver.seen.samples == [1.024] })
    #expect(Rig.eventually { due == .zero })
    listening.stop()
    withExtendedLifetime(batches) {}
    slow.stopAccelerometerUpdates()
  }

  /// The time is at most 0.25 s after the newest sample and after now.
  @Test func `a source is due within a quarter of a second`() async {
    let got = Collected<Timed>()
    let manager = manager(every: 10, got)
    send(1000...1020)
    #expect(await hub.flush())
    send(1021...1021)
    // The value depends on whether the hub's thread was awake at the last sample.
    #expect(
      Rig.eventually { [1_270_000_000, 1_271_000_000].contains(due.nanoseconds) })
    // A clock that jumps back is detected by the machine's clock.
    send(500...501)
    #expect(Rig.eventually { due.nanoseconds == 751_000_000 })
    manager.stopAccelerometerUpdates()
  }

  /// A stream that starts or gets a shorter interval during the sleep gets only later items.
  @Test func `what begins in a sleep gets nothing older than its start`() async throws {
    let got = (0..<4).map { _ in Collected<Timed>() }
    let manager = manager(every: 0.2, got[0])
    send(1000...1050)
    #expect(await hub.flush())
    send(1051...1060)
    // A second stream of this manager, another manager, and a receiver.
    manager.gyroUpdateInterval = 0
    manager.startGyroUpdates(to: Rig.queue()) { got[1].add($0?.timed, $1) }
    let other = self.manager(every: 0, got[2])
    let receiver = Truth()
    let listening = try hub.listen(receiver)
    send(1061...1063)
    #expect(await hub.flush())
    #expect(Rig.eventually { milliseconds(got[1]) == [1061, 1062, 1063] })
    #expect(Rig.eventually { milliseconds(got[2]) == [1061, 1062, 1063] })
    #expect(receiver.seen.samples == [1.061, 1.062, 1.063])
    listening.stop()
    other.stopAccelerometerUpdates()
    manager.stopGyroUpdates()
    // The shorter interval applies to items after the change.
    send(1064...1080)
    #expect(await hub.flush())
    send(1081...1090)
    manager.accelerometerUpdateInterval = 0
    #expect(manager.accelerometerUpdateInterval == 0)
    send(1091...1093)
    #expect(Rig.eventually { milliseconds(got[0]) == [1000, 1091, 1092, 1093] })
    manager.stopAccelerometerUpdates()
  }

  /// The number of wake-ups of the hub's thread for a 10 Hz manager with a board at 1 kHz, from the
  /// kernel's count of voluntary switches (proc(5), voluntary_ctxt_switches).
  @Test func `a slow manager wakes its thread seldom`() throws {
    let hub = MotionHub()
    try hub.use(served(Rig.board(Rig.text(compass: false, rate: 1000))))
    let before = Self.threads()
    let got = Collected<Timed>()
    let manager = CMMotionManager(hub: hub)
    manager.accelerometerUpdateInterval = 0.1
    manager.startAccelerometerUpdates(to: Rig.queue()) { got.add($0?.timed, $1) }
    #expect(Rig.eventually(20) { got.values.count >= 5 })
    // Threads of other suites' hubs are included, but the new thread with the fewest switches is
    // this hub's.
    let first = Self.threads().filter { before[$0.key] == nil }
    let start = got.values.count
    #expect(Rig.eventually(30) { got.values.count >= start + 20 })
    let last = Self.threads()
    let wakes = first.compactMap { thread in last[thread.key].map { $0 - thread.value } }
    #expect(try #require(wakes.min()) < 100, "of 2000 samples")
    manager.stopAccelerometerUpdates()
  }

  /// Returns how often each hub thread has slept, by thread identifier.
  private static func threads() -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
      let folder = "/proc/self/task/\(name)"
      guard let thread = Int(name),
        let comm = try? String(contentsOfFile: folder + "/comm", encoding: .utf8),
        comm.hasPrefix("otolith listen"),
        let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: {
          $0.hasPrefix("voluntary_ctxt_switches:")
        }), let count = Int(line.split(separator: "\t").last ?? "")
      else { continue }
      counts[thread] = count
    }
    return counts
  }
}
