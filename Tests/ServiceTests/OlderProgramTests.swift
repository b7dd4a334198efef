// SPDX-License-Identifier: Apache-2.0
import Runtime
import LinuxSystem
import Quantities
import ServedSources
import Service
import Testing

/// A program of version 2, by its packets: it has a ring of samples of its own kind.
@Suite(.serialized, .timeLimit(.minutes(1))) struct OlderProgramTests {
  /// The answer to a fence comes after everything that was there when it was asked, in every version (docs/service.md).
  @Test func `what was measured before a fence is in its ring`() throws {
    let script = ScriptedSource([.acceleration, .illuminance])
    let served = try Served(script)
    defer { served.end() }
    let socket = try PacketSocket(connectingTo: served.path)
    _ = socket.send(ServiceRequest.hello(newest: 2, oldest: 1, program: "old").bytes)
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    let end = ContinuousClock.now + .seconds(40)
    var ring: BroadcastRing<SampleOfSix>?
    while ring == nil, ContinuousClock.now < end {
      guard case .packet(let count, var descriptors) = socket.receive(into: &buffer),
        case .welcome(2, let source) = try ServiceReply(buffer[..<count]),
        let descriptor = descriptors.take()
      else { continue }
      #expect(source.channels == .acceleration && source.layout == .six)
      let memory = try SharedMemory(mapping: descriptor)
      ring = BroadcastRing(
        following: unsafe RingMemory(at: memory.address, count: memory.count / 8, of: memory))
    }
    let samples = try #require(ring)
    func ask(_ question: ServiceQuestion, _ serial: UInt32) throws -> Bool {
      _ = socket.send(ServiceRequest.ask(question, serial: serial).bytes(in: 2))
      while ContinuousClock.now < end {
        guard case .packet(let count, _) = socket.receive(into: &buffer) else { continue }
        if case .answer(.done, serial) = try ServiceReply(buffer[..<count]) { return true }
      }
      return false
    }
    #expect(try ask(.want(.everything), 1))
    for round in 1...400 {
      for number in 0..<50 {
        var sample = Sample(
          timestamp: .zero + .microseconds(Int64(50 * round + number)),
          channels: [.acceleration, .illuminance])
        sample.acceleration = Vector3(0, 0, -1)
        script.send(sample)
      }
      #expect(try ask(.fence, UInt32(1 + round)))
      #expect(samples.count == UInt64(50 * round))
    }
  }
}
