// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Fusion
import Runtime
import Quantities
import Registers
import ServedSources
import Service
import Testing

/// Tests of what a program sees of a source that another process owns.
@Suite(.timeLimit(.minutes(2))) struct AttachingTests {
  static func sample(_ number: Int) -> Sample {
    var sample = Sample(
      timestamp: Timestamp(nanoseconds: Int64(number + 1) * 1_000_000), channels: .acceleration)
    sample.acceleration = Vector3(Double(number), 0, -1)
    return sample
  }

  @Test func `every sample comes in order`() async throws {
    let script = ScriptedSource(.acceleration, rate: 1000, name: "a script")
    let served = try Served(script)
    defer { served.end() }
    let source = try ServiceSource(path: served.path)
    #expect(source.name == "a script")
    #expect(source.channels == .acceleration)
    #expect(source.rate(of: .acceleration) == 1000)
    #expect(source.rate(of: .rotationRate) == nil)
    #expect(!script.isRunning)
    try source.start()
    #expect(script.isRunning)
    var reader = source.pipeline.samples.reader()
    for number in 0..<1000 { script.send(Self.sample(number)) }
    #expect(await source.flush(until: .now + .seconds(10)))
    for number in 0..<1000 { #expect(reader.read()?.sample == Self.sample(number)) }
    #expect(reader.read() == nil)
    #expect(source.pipeline.overwritten == 0)
    source.stop()
    #expect(!script.isRunning)
    script.send(Self.sample(0))
    #expect(reader.read() == nil)
  }

  @Test func `clients see chips fail and recover`() async throws {
    let script = ScriptedSource(.acceleration)
    let served = try Served(script)
    defer { served.end() }
    let source = try ServiceSource(path: served.path)
    try source.start()
    script.fail("the cat has taken the sensors")
    #expect(await source.flush(until: .now + .seconds(10)))
    guard case .failed(let error) = source.pipeline.chips[0] else {
      Issue.record("it has not failed")
      return
    }
    #expect(error == .bus(.noAcknowledge, register: 0))
    #expect(source.sentence(for: error, ofChip: 0) == "the cat has taken the sensors")
    script.recover()
    #expect(await source.flush(until: .now + .seconds(10)))
    #expect(source.pipeline.chips == [.delivering])
    source.stop()
  }

  /// A program that connects later learns at once which chips have failed, although nothing changes
  /// then; so does a second manager in a process.
  @Test func `chips that failed earlier are reported to a client that connects later`() async throws
  {
    let script = ScriptedSource(.acceleration)
    let served = try Served(script)
    defer { served.end() }
    let first = try ServiceSource(path: served.path)
    try first.start()
    let second = try ServiceSource(path: served.path)
    script.fail("out")
    for _ in 0..<2 {
      try second.start()
      #expect(second.pipeline.chips == [.failed(.bus(.noAcknowledge, register: 0))])
      second.stop()
    }
    script.recover()
    try second.start()
    #expect(second.pipeline.chips == [.delivering])
    second.stop()
    first.stop()
  }

  /// A source that is released disconnects at once, whether or not there are samples.
  @Test func `a source that is released disconnects at once`() async throws {
    let served = try Served(ScriptedSource(.acceleration))
    defer { served.end() }
    let socket = try PacketSocket(connectingTo: served.path)
    for _ in 0..<2 {
      #expect(
        socket.send(ServiceRequest.hello(newest: 1, oldest: 1, program: "twice").bytes) == .sent)
    }
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    #expect(
      try await eventually(within: .seconds(30)) {
        if case .end = socket.receive(into: &buffer) { true } else { false }
      })
  }

  @Test func `refusals keep their meaning`() throws {
    let script = ScriptedSource(.acceleration)
    let served = try Served(script)
    defer { served.end() }
    let source = try ServiceSource(path: served.path)
    script.refuse(.denied())
    let denied = #expect(throws: SessionError.self) { try source.start() }
    #expect(denied?.isDenied == true)
    script.refuse(.taken(by: "process 1 (init)"))
    let taken = #expect(throws: SessionError.self) { try source.start() }
    #expect(taken?.isTaken == true)
    #expect(taken?.description.contains("process 1 (init)") == true)
    script.refuse(nil)
    try source.start()
    source.stop()
  }

  @Test func `a service that comes back is joined again`() async throws {
    let script = ScriptedSource(.acceleration)
    let served = try Served(script)
    let source = try ServiceSource(path: served.path)
    try source.start()
    var reader = source.pipeline.samples.reader()
    script.send(Self.sample(0))
    #expect(try await eventually { source.pipeline.samples.count == 1 })
    let changes = source.pipeline.chipChanges
    served.end()
    #expect(
      try await eventually {
        source.pipeline.chips == [.failed(.bus(.adapterGone, register: 0))]
      })
    #expect(source.pipeline.chipChanges == changes + 1)
    #expect(
      source.sentence(for: .resetTimedOut, ofChip: 0).contains("\(served.path) has stopped"))
    let again = try Served(ScriptedSource(.acceleration), path: served.path)
    defer { again.end() }
    #expect(try await eventually { source.pipeline.chips == [.starting] })
    _ = reader.read()
    source.stop()
  }

  @Test func `without a service attaching says how to start one`() {
    let error = #expect(throws: SessionError.self) {
      _ = try ServiceSource(path: "/tmp/there-is-no-such.sock")
    }
    #expect(
      error?.description
        == "no otolith service listens at /tmp/there-is-no-such.sock: start it (sudo systemctl start otolith, or otolith service)"
    )
  }
}
