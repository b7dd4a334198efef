// SPDX-License-Identifier: Apache-2.0
import Runtime
import Boards
import ChipCatalog
import Otolith
import ServedSources
import Testing

/// Motion as an asynchronous sequence.
@Suite(.serialized, .timeLimit(.minutes(1))) struct MotionsTests {
  static func board(_ bus: String = "simulated: i2c", rate: Int = 100) throws -> Board {
    let simulation =
      bus.hasPrefix("simulated") ? "simulation: { motion: still, noise: false }" : ""
    return try BoardFile.parse(
      """
      otolith-board: 1
      name: Still
      buses: { bus: { \(bus) } }
      chips: { imu: { chip: "invensense,mpu6050", on: bus, address: 0x68, rate-hz: \(rate) } }
      \(simulation)

      """, file: "test.yaml", catalogue: ChipCatalog.descriptions)
  }

  static func hub(_ bus: String = "simulated: i2c", rate: Int = 100) throws -> MotionHub {
    let hub = MotionHub()
    try hub.use(served(board(bus, rate: rate)))
    return hub
  }

  /// Polls for at most 30 s; only a failing test takes that long.
  static func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<3000 {
      if condition() { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return condition()
  }

  /// Returns true if the chips deliver nothing any more.
  static func isSilent(_ hub: MotionHub) async throws -> Bool {
    guard let session = hub.source else { return true }
    let before = session.pipeline.samples.count
    try await Task.sleep(for: .milliseconds(100))
    return session.pipeline.samples.count == before
  }

  @Test func `motions come in order, none missing, until the loop ends`() async throws {
    let hub = try Self.hub()
    var motions: [MotionSample] = []
    for try await motion in hub.motions() {
      motions.append(motion)
      if motions.count == 30 { break }
    }
    for (before, after) in zip(motions, motions.dropFirst()) {
      #expect(after.timestamp > before.timestamp && after.missing == 0)
    }
    let last = try #require(motions.last)
    #expect(last.contents.contains([.attitude, .rotationRate]))
    #expect(abs(last.gravity.z + 1) < 0.001)
    #expect(try await Self.isSilent(hub))
    #expect(hub.reset())
  }

  @Test func `cancellation stops the chips`() async throws {
    let hub = try Self.hub()
    let loop = Task {
      var count = 0
      for try await _ in hub.motions() { count += 1 }
      return count
    }
    let session = try #require(hub.source)
    #expect(try await Self.eventually { session.pipeline.motions.count > 10 })
    #expect(!hub.reset(), "somebody listens")
    loop.cancel()
    // A cancelled loop ends without an error.
    #expect(try await loop.value > 0)
    #expect(try await Self.eventually { hub.reset() })
    let before = session.pipeline.samples.count
    try await Task.sleep(for: .milliseconds(100))
    #expect(session.pipeline.samples.count == before)
  }

  /// A task is locked while it is cancelled and its stream ends, and also while an element is
  /// delivered to it: the two must not wait for each other.
  @Test(arguments: ["samples", "events", "batches"])
  func `cancellation during delivery ends the loop`(kind: String) async throws {
    let source = ScriptedSource()
    let hub = MotionHub()
    try hub.use(served(source))
    let feeder = Task.detached {
      var sample = Sample(timestamp: .now, channels: .acceleration)
      var turns = 0
      while !Task.isCancelled {
        turns += 1
        sample.timestamp = .now
        // The samples are 2 s apart, so that each lasts long enough to be an orientation.
        if kind == "events" { sample.timestamp = Timestamp(seconds: 2 * Double(turns)) }
        sample.acceleration = turns % 2 == 0 ? Vector3(0, -1, 0) : Vector3(-1, 0, 0)
        source.send(sample)
        try await Task.sleep(for: .microseconds(100))
      }
    }
    for _ in 0..<300 {
      let loops = (0..<4).map { _ in
        Task {
          var count = 0
          switch kind {
          case "samples": for try await _ in hub.accelerations() { count += 1 }
          case "events": for try await _ in hub.orientations() { count += 1 }
          default: for try await _ in hub.batches(of: .acceleration, every: .zero) { count += 1 }
          }
          return count
        }
      }
      try await Task.sleep(for: .milliseconds(2))
      for loop in loops { loop.cancel() }
      for loop in loops { _ = try await loop.value }
    }
    feeder.cancel()
    #expect(try await Self.eventually { hub.reset() })
  }

  /// A stream that is released without a loop stops the chips too.
  @Test func `a stream that is let go stops the chips`() async throws {
    let hub = try Self.hub()
    do {
      var iterator = hub.motions().makeAsyncIterator()
      #expect(try await iterator.next() != nil)
    }
    #expect(try await Self.eventually { hub.reset() })
  }

  /// A loop that is too slow gets the newest samples in order.
  @Test func `a slow loop keeps the newest samples`() async throws {
    let hub = try Self.hub()
    var iterator = hub.motions(buffering: .newest(4)).makeAsyncIterator()
    let session = try #require(hub.source)
    // All but four of forty are dropped by then, however late the delivering thread is.
    let loop = iterator
    #expect(try await Self.eventually { loop.statistics.dropped >= 36 })
    let newest = try #require(session.pipeline.motions.newest)
    var seen: [MotionSample] = []
    while seen.count < 4, let motion = try await iterator.next() { seen.append(motion) }
    let first = try #require(seen.first)
    #expect((newest.timestamp - first.timestamp).seconds < 0.1)
    for (before, after) in zip(seen, seen.dropFirst()) {
      #expect(after.timestamp > before.timestamp)
    }
  }

  @Test func `two hubs run at the rates of their own boards`() async throws {
    let slow = try Self.hub(rate: 50)
    let fast = try Self.hub(rate: 200)
    var slowTimes: [Timestamp] = []
    var iterator = fast.motions(buffering: .newest(10_000)).makeAsyncIterator()
    for try await motion in slow.motions() {
      slowTimes.append(motion.timestamp)
      if slowTimes.count == 25 { break }
    }
    // One loop has ended, the other continues.
    #expect(try await Self.isSilent(slow))
    let session = try #require(fast.source)
    let before = session.pipeline.samples.count
    #expect(try await Self.eventually { session.pipeline.samples.count > before })
    var fastTimes: [Timestamp] = []
    while fastTimes.count < 60, let motion = try await iterator.next() {
      fastTimes.append(motion.timestamp)
    }
    // A busy machine makes a loop miss motions, but never brings two of them closer together.
    func closest(_ times: [Timestamp]) -> Double {
      zip(times, times.dropFirst()).dropFirst(5).map { ($1 - $0).seconds }.min() ?? 0
    }
    let ratio = closest(slowTimes) / closest(fastTimes)
    #expect((2.5...6).contains(ratio), "\(ratio)")
  }

  /// Two loops on one hub get the same motions; the chips run until the last loop ends.
  @Test func `two loops over one hub see the same motions`() async throws {
    let hub = try Self.hub()
    async let first = Self.timestamps(hub, 20)
    async let second = Self.timestamps(hub, 40)
    let (a, b) = try await (first, second)
    #expect(a.count == 20 && b.count == 40)
    #expect(Set(a.map(\.nanoseconds)).intersection(b.map(\.nanoseconds)).count >= 10)
    #expect(try await Self.eventually { hub.reset() })
  }

  static func timestamps(_ hub: MotionHub, _ count: Int) async throws -> [Timestamp] {
    var times: [Timestamp] = []
    for try await motion in hub.motions() {
      times.append(motion.timestamp)
      if times.count == count { break }
    }
    return times
  }

  @Test func `a missing bus ends motions with an error`() async throws {
    let hub = try Self.hub("i2c: /dev/i2c-97")
    let error = try await #require(throws: SessionError.self) {
      for try await _ in hub.motions() {}
    }
    #expect(error.description.hasPrefix("/dev/i2c-97 does not exist"))
    #expect(hub.reset())
  }

  /// With `make test KIND=service-mode` the tests must run behind a service; otherwise they would
  /// show nothing.
  @Test func `tests run behind a service where that was requested`() throws {
    let source = ScriptedSource()
    #expect((try served(source) === source) == !isServiceMode)
  }

  @Test func `the board is chosen once`() throws {
    let hub = try Self.hub()
    #expect(hub.source?.name == "Still")
    let other = try served(Self.board())
    let asked = #expect(throws: SourceInUse.self) { try hub.use(other) }
    #expect(
      asked?.description == """
        Still is already in use: call use(_:) before the first manager or stream; in tests, call \
        reset() before it
        """)
    for (count, subject, them) in [
      (1, "1 manager or stream listens", "it"), (2, "2 managers or streams listen", "them"),
    ] {
      let listenings = try (0..<count).map { _ in try hub.listen(Ledger()) }
      let listened = #expect(throws: SourceInUse.self) { try hub.use(other) }
      #expect(
        listened?.description == """
          \(subject) to Still already: call use(_:) before the first manager or stream; in tests, \
          stop \(them) and call reset() before it
          """)
      for listening in listenings { listening.stop() }
    }
    #expect(hub.reset())
    try hub.use(served(Self.board(rate: 50)))
    #expect(hub.source?.rate(of: .rotationRate) == 50)
  }
}
