// SPDX-License-Identifier: Apache-2.0
import Foundation
import Runtime
import LinuxSystem
import MotionServer
import Otolith
import Quantities
import ServedSources
import Service
import Synchronization
import Testing

/// Tests of the movement that a service counts for its programs: what it keeps as programs come and
/// go. A test gives the answers.
@Suite(.timeLimit(.minutes(1))) struct ServedMovementTests {
  /// Records the questions about movement, and answers them.
  final class Counter: Sendable {
    /// Each change between counting and not counting.
    let counting = Mutex<[Bool]>([])
    let asked = Mutex<[ServiceQuestion]>([])
    /// The test locks this while answers shall take time, as those of a slow disk.
    let disk = Mutex(())

    var answers: @Sendable (ServiceQuestion) -> ServiceAnswer {
      { question in
        if case .movement(let counts) = question {
          self.counting.withLock { if $0.last ?? false != counts { $0.append(counts) } }
        }
        self.disk.withLock { _ in }
        self.asked.withLock { $0.append(question) }
        return .activities([])
      }
    }
  }

  @Test func `a service counts while a program wants it`() async throws {
    let counter = Counter()
    let served = try Served(ScriptedSource(), movement: counter.answers)
    defer { served.end() }
    var one: ServiceSource? = try ServiceSource(path: served.path)
    let two = try ServiceSource(path: served.path)
    _ = try one?.ask(.movement(counts: true))
    _ = try two.ask(.movement(counts: true))
    _ = try two.ask(.movement(counts: true))
    #expect(try await eventually { counter.counting.withLock { $0 } == [true] })
    _ = try two.ask(.movement(counts: false))
    _ = try two.ask(.total(from: 1, to: 2))
    #expect(counter.counting.withLock { $0 } == [true])
    #expect(counter.asked.withLock { $0.last } == .total(from: 1, to: 2))
    // A program that is gone no longer needs anything counted.
    one = nil
    #expect(try await eventually { counter.counting.withLock { $0 } == [true, false] })
  }

  /// A service that ends or restarts its board no longer counts for its former programs.
  @Test func `a service that ends stops counting`() throws {
    let counter = Counter()
    let served = try Served(ScriptedSource(), movement: counter.answers)
    let source = try ServiceSource(path: served.path)
    _ = try source.ask(.movement(counts: true))
    served.end()
    #expect(counter.counting.withLock { $0 } == [true, false])
  }

  /// Only the program whose question needs the slow disk waits for it.
  @Test func `a slow disk delays its client, and no other`() async throws {
    let counter = Counter()
    let served = try Served(ScriptedSource(), movement: counter.answers)
    defer { served.end() }
    let one = try ServiceSource(path: served.path)
    let two = try ServiceSource(path: served.path)
    let isAnswered = Atomic(false)
    let isBusy = Atomic(false)
    let isDone = Atomic(false)
    let writing = ThreadHandle(
      try startThread(name: "writes") {
        counter.disk.withLock { _ in
          isBusy.store(true, ordering: .releasing)
          while !isDone.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.001) }
        }
      })
    #expect(try await eventually { isBusy.load(ordering: .acquiring) })
    let asking = ThreadHandle(
      try startThread(name: "asks") {
        _ = try? one.ask(.total(from: 0, to: 1))
        isAnswered.store(true, ordering: .releasing)
      })
    // Meanwhile, twenty questions of another program are answered.
    for _ in 0..<20 { #expect(await two.flush(until: .now + .seconds(10))) }
    let isTooEarly = isAnswered.load(ordering: .acquiring)
    #expect(!isTooEarly)
    isDone.store(true, ordering: .releasing)
    writing.join()
    asking.join()
    let isAnsweredAtLast = isAnswered.load(ordering: .acquiring)
    #expect(isAnsweredAtLast)
  }

  @Test func `a service that does not count says so, and its motion goes on`() async throws {
    let served = try Served(ScriptedSource())
    defer { served.end() }
    let source = try ServiceSource(path: served.path)
    #expect(source.kind.isService && source.kind.board == nil)
    let error = try #require(throws: SessionError.self) { try source.ask(.movement(counts: true)) }
    #expect(error.description == "this service does not count movement")
    // The motion of the service goes on as before.
    #expect(await source.flush(until: .now + .seconds(10)))
  }

  /// The newest version that both know is spoken. A future program that speaks no version of this
  /// service is refused, with the reason.
  @Test(arguments: [(1, 1, 1), (2, 1, 1), (9, 1, 1), (9, 2, 0), (0, 0, 0)])
  func `the newest common version is spoken, and a client that is too new gets an error`(
    _ newest: UInt16, _ oldest: UInt16, _ spoken: UInt16
  ) throws {
    let served = try Served(ScriptedSource())
    defer { served.end() }
    let socket = try PacketSocket(connectingTo: served.path)
    _ = socket.send(ServiceRequest.hello(newest: newest, oldest: oldest, program: "v").bytes)
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
      guard case .packet(let count, _) = socket.receive(into: &buffer) else { continue }
      switch try ServiceReply(buffer[..<count]) {
      case .welcome(let version, _): #expect(version == spoken)
      case .farewell(let refusal): #expect(spoken == 0 && refusal.reason == .version)
      default: continue
      }
      return
    }
    Issue.record("the service says nothing")
  }
}
