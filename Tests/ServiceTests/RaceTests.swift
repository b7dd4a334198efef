// SPDX-License-Identifier: Apache-2.0
import Boards
import Fusion
import Foundation
import Runtime
import LinuxSystem
import Otolith
import Quantities
import Registers
import ServedSources
import Service
import Synchronization
import Testing

/// Tests of programs that change their mind while the service comes and goes.
@Suite(.serialized, .timeLimit(.minutes(3))) struct RaceTests {
  /// A source that was stopped stays stopped, even if the service comes back at that moment: the
  /// last demand that the program sends is for nothing. The test plays the service, so that it
  /// knows the moment.
  @Test func `a client may stop while the service comes back`() async throws {
    let path = Served.path()
    let script = ScriptedSource(.acceleration)
    for round in 0..<12 {
      let served = try Served(script, path: path)
      let source = try ServiceSource(path: path)
      try source.start()
      served.end()
      let listening = try ListeningSocket(path: path, kind: .packets)
      let socket = Self.first(listening)
      var buffer = [UInt8](repeating: 0, count: 1024)
      #expect(try await eventually { Self.request(socket, &buffer) != nil }, "its greeting")
      let rings = [
        script.pipeline.samples.owner, script.pipeline.motions.owner,
        script.pipeline.detections.owner,
      ].compactMap { ($0 as? SharedMemory)?.fileDescriptor }
      let page = try SharedMemory("page", count: ClientPage.bytes, writers: .holders)
      let goes = Atomic<Bool>(false)
      let stopping = ThreadHandle(
        try startThread(name: "stops") {
          while !goes.load(ordering: .acquiring) {}
          let end = Timestamp.now + .microseconds(Int64(80 * round))
          while Timestamp.now < end {}
          source.stop()
        })
      goes.store(true, ordering: .releasing)
      let welcome = ServiceReply.welcome(version: 1, ServedSource(script))
      #expect(
        socket.send(welcome.bytes, descriptors: rings + [page.fileDescriptor]) == .sent)
      var said: [SampleDemand] = []
      _ = try await eventually(within: .milliseconds(500)) {
        while case .ask(.want(let demand), let serial)? = Self.request(socket, &buffer) {
          said.append(demand)
          _ = socket.send(ServiceReply.answer(.done, serial: serial).bytes)
        }
        return said.contains(.nothing)
      }
      stopping.join()
      try await Task.sleep(for: .milliseconds(50))
      while case .ask(.want(let demand), _)? = Self.request(socket, &buffer) { said.append(demand) }
      #expect(said.isEmpty || said.last == .nothing, "round \(round): \(said.count)")
    }
  }

  private static func first(_ listening: borrowing ListeningSocket) -> PacketSocket {
    while true {
      if case .client(let descriptor) = listening.accept() {
        return PacketSocket(owning: descriptor)
      }
    }
  }

  private static func request(
    _ socket: borrowing PacketSocket, _ buffer: inout [UInt8]
  ) -> ServiceRequest? {
    guard case .packet(let count, _) = socket.receive(into: &buffer) else { return nil }
    return try? ServiceRequest(buffer[..<count])
  }

  /// The service receives the newest demand, even if it changes while the source starts.
  @Test func `a client may change its request while the service starts`() async throws {
    let script = ScriptedSource(.acceleration)
    let served = try Served(script)
    defer { served.end() }
    let source = try ServiceSource(path: served.path)
    for round in 0..<2000 {
      let (old, new) = (Double(2 * round + 1), Double(2 * round + 2))
      source.want(SampleDemand(.acceleration, at: old))
      let goes = Atomic<Bool>(false)
      let thread = ThreadHandle(
        try startThread(name: "wants") {
          while !goes.load(ordering: .acquiring) {}
          let end = Timestamp.now + TimeSpan(nanoseconds: Int64(100 * (round % 400)))
          while Timestamp.now < end {}
          source.want(SampleDemand(.acceleration, at: new))
        })
      try await Task.sleep(for: .microseconds(200))
      goes.store(true, ordering: .releasing)
      try source.start()
      thread.join()
      let isReported = try await eventually(within: .seconds(3)) {
        script.pipeline.demand[.acceleration] == new
      }
      #expect(isReported, "round \(round): \(script.pipeline.demand[.acceleration])")
      source.stop()
      guard isReported else { break }
    }
  }

  /// A later run does not report the failure that ended an earlier one, however long its start
  /// takes.
  @Test func `a start after a failure says nothing of it`() async throws {
    let source = SlowSource()
    let hub = MotionHub()
    try hub.use(source)
    let first = Ledger()
    let listening = try hub.listen(first)
    source.pipeline.chip(0, failed: .resetTimedOut)
    #expect(try await eventually { first.account.failures == 1 })
    listening.stop()
    let second = Ledger()
    let again = try hub.listen(second)
    #expect(await hub.flush())
    #expect(second.account.failures == 0)
    again.stop()
  }

  /// A program ends at once, even while it waits for the greeting of a service that does not
  /// answer.
  @Test func `a client may end while the service does not answer`() async throws {
    let path = Served.path()
    let served = try Served(ScriptedSource(.acceleration), path: path)
    var source: ServiceSource? = try ServiceSource(path: path)
    try source?.start()
    served.end()
    let listening = try ListeningSocket(path: path, kind: .packets)
    // The connection is accepted, and its greeting not answered.
    let socket = Self.first(listening)
    let start = ContinuousClock.now
    source = nil
    #expect(ContinuousClock.now - start < .seconds(5))
    _ = consume socket
  }

  /// A program that needs nothing lets the machine sleep.
  @Test func `a client without requests sleeps`() async throws {
    let served = try Served(ScriptedSource(.acceleration))
    defer { served.end() }
    let source = try ServiceSource(path: served.path)
    try await Task.sleep(for: .milliseconds(200))
    let before = try Self.waits()
    try await Task.sleep(for: .seconds(2))
    #expect(try Self.waits() - before < 3)
    withExtendedLifetime(source) {}
  }

  /// Returns how often the threads that follow services have gone to sleep, from
  /// /proc/PID/task/TID/status (proc(5)).
  private static func waits() throws -> Int {
    let tasks = "/proc/self/task"
    var sum = 0
    for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
      guard let text = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8),
        text.hasPrefix("Name:\totolith service\n")
      else { continue }
      for line in text.split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches:") {
        sum += Int(line.split(separator: "\t").last ?? "") ?? 0
      }
    }
    return sum
  }
}

/// A source that takes time to start.
private final class SlowSource: MotionSource {
  let name = "slow"
  let channels: ChannelSet = .pressure
  let location: Location? = nil
  let trueNorth: TrueNorth? = nil
  let report: [ChipReport] = []
  let pipeline = MotionPipeline(chips: [.pressure])

  func rate(of channel: Channel) -> Double? { nil }
  func start() {
    Thread.sleep(forTimeInterval: 0.1)
    pipeline.begin()
  }
  func stop() {}
  func channels(ofChip index: Int) -> ChannelSet { channels }
  func sentence(for error: ChipError, ofChip index: Int) -> String { "" }
}
