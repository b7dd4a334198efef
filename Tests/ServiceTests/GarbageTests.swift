// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Foundation
import Runtime
import Quantities
import ServedSources
import Service
import Testing

/// Tests of programs that send what none should, while another program loses nothing.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GarbageTests {
  private static let valid = ProtocolFuzzTests.requests.map(\.bytes)
  private static let greeting = ServiceRequest.hello(newest: 1, oldest: 1, program: "g").bytes

  /// Returns whether the packet is a valid command, which the service would obey as this process is
  /// its owner.
  private static func isOrder(_ bytes: [UInt8]) -> Bool {
    guard case .ask(.reload, _)? = try? ServiceRequest(bytes[...]) else {
      guard case .ask(.forget, _)? = try? ServiceRequest(bytes[...]) else { return false }
      return true
    }
    return true
  }

  private static func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  @Test func `twenty thousand packets of garbage leave nothing behind`() async throws {
    let stream = try NumberedStream(rate: 1000)
    defer { stream.end() }
    #expect(try await eventually { stream.ledger.account.got > 100 })
    let before = try Self.descriptors()
    var random = Garbage(seed: 11)
    var packets = 0
    var connections = 0
    while packets + connections < 20_000 {
      // A service that has no room for more connections refuses them for a moment.
      guard let socket = try? PacketSocket(connectingTo: stream.served.path) else {
        try await Task.sleep(for: .milliseconds(1))
        continue
      }
      connections += 1
      if random.number(below: 3) > 0 { _ = socket.send(Self.greeting) }
      sending: for _ in 0..<random.number(below: 12) {
        var bytes: [UInt8]
        switch random.number(below: 10) {
        case 0: bytes = []
        case 1: bytes = random.bytes(1025 + random.number(below: 8000))
        case 2: bytes = Array(Self.greeting.prefix(random.number(below: Self.greeting.count)))
        default: bytes = random.packet(like: Self.valid, most: 1024)
        }
        if Self.isOrder(bytes) { bytes.append(0) }
        let others = random.number(below: 16) == 0 ? [Int32](repeating: 0, count: 3) : []
        switch socket.send(bytes, descriptors: others) {
        case .sent: packets += 1
        case .full, .over: break sending
        }
      }
    }
    #expect(connections > 1000 && packets > 5000, "\(connections) connections, \(packets) packets")
    // The connections are all gone, and nothing of them is left.
    let mine = ProcessInfo.processInfo.processIdentifier
    var last: ServiceStatus?
    // A status request may find the same queue still full.
    for _ in 0..<200 where last.map({ $0.clients.count > 2 }) ?? true {
      if last != nil { try await Task.sleep(for: .milliseconds(20)) }
      do { last = try await ServiceAsking.status(stream.served.path) } catch {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    let status = try #require(last)
    #expect(status.clients.count == 2, "the program and who asks")
    #expect(status.clients.allSatisfy { $0.process == mine })
    #expect(status.dropped > UInt64(connections / 4) && status.refused == 0)
    #expect(try await eventually { try Self.descriptors() <= before })
    #expect(await stream.isComplete(to: stream.finish()))
  }

  /// A program that sends requests without end is answered at the rate that the policy grants, and
  /// no other program waits for it.
  @Test(arguments: [(ServiceQuestion.report, 2000.0), (.status, 100)])
  func `a client that asks without end holds up no other`(_ asked: ServiceQuestion, _ rate: Double)
    async throws
  {
    let stream = try NumberedStream(rate: 1000)
    defer { stream.end() }
    #expect(try await eventually { stream.ledger.account.got > 100 })
    let socket = try PacketSocket(connectingTo: stream.served.path)
    #expect(socket.send(Self.greeting) == .sent)
    let question = ServiceRequest.ask(asked, serial: 1).bytes
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    var answers = 0
    let clock = ContinuousClock()
    let start = clock.now
    while clock.now - start < .seconds(2) {
      while socket.send(question) == .sent {}
      while case .packet = socket.receive(into: &buffer) { answers += 1 }
      await Task.yield()
    }
    let elapsed = (clock.now - start) / .seconds(1)
    // The answers are limited to the rate, and to those of a quarter of a second that a program may
    // save up; the welcome and the states of the chips came as well.
    #expect(
      Double(answers) > rate / 4 && Double(answers) < rate * elapsed + rate * 0.3,
      "\(answers) in \(elapsed) s")
    let status = try await ServiceAsking.status(stream.served.path)
    #expect(status.clients.count == 3 && status.dropped == 0)
    #expect(await stream.isComplete(to: stream.finish()))
  }

  /// A program that sends requests and reads no answers fills the buffer of its socket, and no
  /// memory of the service.
  @Test func `answers that are not taken fill no memory of the service`() async throws {
    let stream = try NumberedStream(rate: 1000)
    defer { stream.end() }
    let socket = try PacketSocket(connectingTo: stream.served.path)
    #expect(socket.send(Self.greeting) == .sent)
    let before = try await ServiceAsking.status(stream.served.path).residentMemory
    let clock = ContinuousClock()
    let start = clock.now
    while clock.now - start < .seconds(2) {
      while socket.send(ServiceRequest.ask(.status, serial: 1).bytes) == .sent {}
      try await Task.sleep(for: .milliseconds(1))
    }
    let status = try await ServiceAsking.status(stream.served.path)
    #expect(status.residentMemory < before + (8 << 20))
    #expect(status.clients.contains { $0.requests > 10 && $0.requests < 5000 })
    #expect(await stream.isComplete(to: stream.finish()))
  }

  /// A program may write any values into its shared page: it is then woken more often, or not at
  /// all.
  @Test func `false values in the shared page do no harm`() async throws {
    let stream = try NumberedStream(rate: 1000)
    defer { stream.end() }
    let socket = try PacketSocket(connectingTo: stream.served.path)
    #expect(socket.send(Self.greeting) == .sent)
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    var page: SharedMemory?
    #expect(
      try await eventually {
        guard case .packet(_, var descriptors) = socket.receive(into: &buffer) else { return false }
        for _ in 0..<3 { _ = descriptors.take() }
        guard let descriptor = descriptors.take() else { return false }
        page = try SharedMemory(mapping: descriptor, writing: true)
        return true
      })
    let memory = try #require(page)
    #expect(memory.count == ClientPage.bytes)
    // The memory was mapped above and has this many words. The service reads them meanwhile, as it
    // does for any program.
    let words = unsafe UnsafeMutableBufferPointer(
      start: memory.address.assumingMemoryBound(to: UInt64.self), count: memory.count / 8)
    var random = Garbage(seed: 5)
    let clock = ContinuousClock()
    let start = clock.now
    while clock.now - start < .seconds(2) {
      for index in words.indices {
        // The index is within bounds.
        unsafe words[index] = [0, 1, .max, 1 << 63, 1 << 62][random.number(below: 5)]
      }
      await Task.yield()
    }
    for index in words.indices { unsafe words[index] = .max }  // the index is within bounds
    let status = try await ServiceAsking.status(stream.served.path)
    #expect(status.clients.count { $0.missed == .max } == 1)
    // Each wake-up is a packet, and the program does not read its socket, so that there are as many
    // as the socket has room for.
    #expect(status.clients.contains { $0.missed == .max && $0.wakes > 10 })
    #expect(await stream.isComplete(to: stream.finish()))
    withExtendedLifetime(memory) {}
  }
}
