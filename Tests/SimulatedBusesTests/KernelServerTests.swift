// SPDX-License-Identifier: Apache-2.0
import Boards
import SimulatedBuses
import CAllocationCounter
import ChipCatalog
import Foundation
import LinuxBus
import LinuxSystem
import Quantities
import Runtime
import SystemPackage
import Testing

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// Tests of the server of the virtual bench, with the board that has every chip. A socket that
/// keeps records apart stands in for the kernel's device.
@Suite(.serialized, .timeLimit(.minutes(1))) struct KernelServerTests {
  static let path =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path() + "boards/simulated-all.yaml"

  /// Returns the ends of a socket pair: the server's, which does not block, and the test's, which
  /// waits for up to five seconds.
  static func pair() throws -> (server: Int32, client: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    // The call writes only while it runs.
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    // The call reads only while it runs.
    _ = unsafe setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    // A line writes two records per edge, and none may be refused for lack of room.
    var room: Int32 = 4_000_000
    _ = unsafe setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, 4)  // as above
    return (ends[0], ends[1])
  }

  /// What a server leaves when it ends.
  final class Ending: @unchecked Sendable {
    // These are written before the semaphore is signalled, and read after it.
    var error: BenchError?
    var shortfalls = KernelServer.Shortfalls()
    let isThere = DispatchSemaphore(value: 0)

    /// Returns whether the server ends within 30 seconds. It can be called again.
    func comes() -> Bool {
      guard isThere.wait(timeout: .now() + 30) == .success else { return false }
      isThere.signal()
      return true
    }
  }

  /// A server on a separate thread, which ends with this object.
  final class Running {
    let client: Int32
    let ending = Ending()
    private let wakeEvent: WakeEvent
    private var isRunning = true

    init(_ options: [String] = []) throws {
      let wakeEvent = try WakeEvent()
      let ends = try KernelServerTests.pair()
      let server = ends.server
      client = ends.client
      self.wakeEvent = wakeEvent
      let ending = ending
      let file = try BoardFile.load(
        path: KernelServerTests.path, catalogue: ChipCatalog.descriptions)
      Thread {
        defer { ending.isThere.signal() }
        let device = OwnedDescriptor(owning: FileDescriptor(rawValue: server))
        var kernel = KernelServer(device, path: "pair")
        guard let board = try? SimulatedBoard(file),
          let wiring = try? Wiring(board.places, options)
        else { return }
        board.wire(wiring)
        do throws(BenchError) { try kernel.serve(board, until: wakeEvent) } catch {
          ending.error = error
        }
        ending.shortfalls = kernel.shortfalls
      }.start()
    }

    func send(_ record: [UInt8]) throws {
      // The call reads the record only while it runs.
      let count = unsafe record.withUnsafeBytes {
        unsafe Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      try #require(count == record.count)
    }

    /// Returns the next record, which is empty if the server has ended.
    func receive() throws -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 65536)
      // The call writes the bytes only while it runs.
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe recv(client, $0.baseAddress, $0.count, 0)
      }
      try #require(count >= 0, "recv: \(errno)")
      return Array(bytes.prefix(count))
    }

    /// Returns the answer to `record`, without the records of lines that come in the meantime.
    func ask(_ record: [UInt8]) throws -> [UInt8] {
      try send(record)
      while true {
        let answer = try receive()
        if answer.isEmpty || answer[4] != 4 { return answer }
      }
    }

    /// Ends the server. Returns whether it has ended.
    func stop() -> Bool {
      guard isRunning else { return true }
      isRunning = false
      wakeEvent.signal()
      return ending.comes()
    }

    deinit {
      _ = stop()
      close(client)
    }
  }

  /// Returns the time in a line's record.
  private static func time(_ record: [UInt8]) -> Int64 {
    var time: Int64 = 0
    for byte in record[16..<24].reversed() { time = time << 8 | Int64(byte) }
    return time
  }

  @Test func `lines take their resting levels, and WHO_AM_I is read on both buses`() throws {
    let server = try Running()
    let lines = try (0..<14).map { _ in try server.receive() }
    #expect(lines.map { $0[6] } == [0, 2, 3, 4, 5, 6, 7, 8, 14, 16, 17, 18, 19, 20])
    #expect(lines.allSatisfy { $0.prefix(6) == [24, 0, 0, 0, 4, 0] && $0[12] == 0 })
    // MPU-6050: register 0x75 reads 0x68. LSM6DS3: register 0x0F reads 0x69, in SPI mode 3.
    #expect(
      try server.ask(BenchBytes.read(0x68, 0x75, 1, id: 77))
        == BenchBytes.answer(id: 77, 0, [0x68]))
    #expect(
      try server.ask(BenchBytes.spi(id: 78, select: 1, mode: 3, [0x8F, 0]))
        == BenchBytes.answer(id: 78, 0, [0, 0x69]))
    // A read without a write reads the register that was written last.
    #expect(try server.ask(BenchBytes.write(0x68, [0x75])) == BenchBytes.answer())
    #expect(
      try server.ask(BenchBytes.i2c([BenchBytes.message(0x68, 1, 1)]))
        == BenchBytes.answer(0, [0x68]))
    #expect(server.stop())
    #expect(server.ending.error == nil && server.ending.shortfalls == .init())
  }

  @Test func `an absent chip, an unknown form and a misfit have their errno`() throws {
    let server = try Running()
    #expect(try server.ask(BenchBytes.read(0x10, 0, 1)) == BenchBytes.answer(-6))
    #expect(
      try server.ask(BenchBytes.i2c([BenchBytes.message(0x68, 0x401, 1)]))
        == BenchBytes.answer(-95))
    #expect(try server.ask(BenchBytes.i2c([])) == BenchBytes.answer(-22))
    #expect(
      try server.ask(BenchBytes.spi(select: 1, mode: 1, [0x8F, 0]))
        == BenchBytes.answer(0, [0xFF, 0xFF]))
    #expect(try server.ask(BenchBytes.read(0x68, 0x75, 1)) == BenchBytes.answer(0, [0x68]))
  }

  @Test
  func `edges come at the chip's own times, never before them, and none is left out`() throws {
    let server = try Running(["mpu6050=GPIO9"])
    for (register, value) in [(0x6B, 0), (0x1A, 1), (0x19, 9), (0x38, 1)] as [(UInt8, UInt8)] {
      #expect(try server.ask(BenchBytes.write(0x68, [register, value])) == BenchBytes.answer())
    }
    var times: [Int64] = []
    // The server wakes for each edge. If it only looked every 50 ms, one of two consecutive edges
    // would be at least 10 ms late, however idle the machine is. On a busy machine it takes a while
    // until five consecutive edges are in time.
    var punctual = 0
    while times.count < 30 || (punctual < 5 && times.count < 2_000) {
      let high = try server.receive()
      let arrival = monotonicNow().nanoseconds
      #expect(high.prefix(16) == [24, 0, 0, 0, 4, 0, 9, 0, 0, 0, 0, 0, 1, 0, 0, 0])
      let time = Self.time(high)
      #expect(arrival >= time)
      if punctual < 5 { punctual = arrival - time < 5_000_000 ? punctual + 1 : 0 }
      let low = try server.receive()
      #expect(low == high.replacing(12, [0]))
      times.append(time)
    }
    // At 100 Hz there are exactly 10 ms between any two edges.
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 10_000_000 }, "\(times)")
    #expect(punctual == 5, "never five on end within 5 ms of their times")
  }

  @Test func `transactions and edges in each other's way are all served`() throws {
    let server = try Running()
    for (register, value) in [(0x6B, 0), (0x1A, 1), (0x19, 0), (0x38, 1)] as [(UInt8, UInt8)] {
      #expect(try server.ask(BenchBytes.write(0x68, [register, value])) == BenchBytes.answer())
    }
    var times: [Int64] = []
    for id in 1...3_000 {
      try server.send(BenchBytes.read(0x68, 0x3B, 14, id: id))
      while true {
        let record = try server.receive()
        try #require(record.count >= 16)
        guard record[4] == 4 else {
          #expect(Array(record.prefix(16)) == BenchBytes.answer(id: id).replacing(0, [30]))
          break
        }
        guard record[6] == 0, record[12] == 1 else { continue }
        times.append(Self.time(record))
      }
    }
    #expect(times.count > 10)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1_000_000 })
    #expect(server.stop() && server.ending.shortfalls == .init())
  }

  @Test func `what is no record is passed over and counted; nothing but such ends it`() throws {
    let server = try Running()
    for _ in 0..<15 { try server.send([1, 2, 3]) }
    #expect(try server.ask(BenchBytes.read(0x68, 0x75, 1)) == BenchBytes.answer(0, [0x68]))
    for _ in 0..<16 { try server.send([UInt8](repeating: 0, count: 16)) }
    #expect(server.ending.comes())
    #expect(
      server.ending.error?.description
        == "pair: the device sends unknown records; build otolith and the kernel module from the "
        + "same sources")
    #expect(server.ending.shortfalls.garbled == 31)
  }

  @Test func `the device goes away: it ends and says so`() throws {
    let server = try Running()
    #expect(try server.ask(BenchBytes.read(0x68, 0x75, 1)) == BenchBytes.answer(0, [0x68]))
    shutdown(server.client, Int32(SHUT_RDWR))
    #expect(server.ending.comes())
    #expect(
      server.ending.error?.description
        == "pair: the virtual bench has been removed; load its kernel module and start again")
  }

  @Test(.enabled(if: isOptimised, "unoptimised code allocates"))
  func `a transaction that a chip answers allocates nothing, an edge neither`() throws {
    let file = try BoardFile.load(path: Self.path, catalogue: ChipCatalog.descriptions)
    let board = try SimulatedBoard(file)
    board.wire(try Wiring(board.places))
    var reply = [UInt8](repeating: 0, count: 65536)
    let read = BenchBytes.read(0x68, 0x3B, 14)
    let frame = BenchBytes.spi(select: 1, [0xA0] + [UInt8](repeating: 0, count: 14))
    var edges = 0
    func run(_ rounds: Int) {
      var room = reply.mutableSpan
      for _ in 0..<rounds {
        _ = BenchConversation.answer(read.span, from: board, into: &room)
        _ = BenchConversation.answer(frame.span, from: board, into: &room)
        while let edge = board.takeEdge(until: monotonicNow()) {
          _ = BenchRecord.line(edge.line, edge.level, at: edge.time, in: &room)
          edges += 1
        }
        board.advance()
      }
    }
    for (register, value) in [(0x6B, 0), (0x1A, 1), (0x19, 0), (0x38, 1)] as [(UInt8, UInt8)] {
      var room = reply.mutableSpan
      let record = BenchBytes.write(0x68, [register, value])
      #expect(BenchConversation.answer(record.span, from: board, into: &room) == 16)
    }
    run(1_000)
    let before = otolith_allocations_of_thread()
    let end = monotonicNow() + .milliseconds(100)
    edges = 0
    while monotonicNow() < end { run(100) }
    #expect(otolith_allocations_of_thread() - before == 0)
    #expect(edges > 10)
  }

  // MARK: - The device

  @Test func `what is not there, is no device or is in use is refused`() throws {
    let cases = [
      (
        "/dev/no-bench",
        "/dev/no-bench: no virtual bench here: it exists in the guest of `make shell`"
      ),
      (
        Self.path,
        "\(Self.path): this is not a virtual bench; the default is /dev/otolith-bench"
      ),
      ("/tmp", "/tmp: this is not a virtual bench; the default is /dev/otolith-bench"),
    ]
    for (path, text) in cases {
      #expect {
        _ = try KernelServer(path: path)
      } throws: { error in
        (error as? BenchError)?.description == text
      }
    }
  }

  @Test func `a device that sends only zeros is left alone`() throws {
    var server = try KernelServer(path: "/dev/zero")
    let board = try SimulatedBoard(
      BoardFile.load(path: Self.path, catalogue: ChipCatalog.descriptions))
    let wakeEvent = try WakeEvent()
    var failure: BenchError?
    do throws(BenchError) { try server.serve(board, until: wakeEvent) } catch { failure = error }
    #expect(failure?.cause == .garbled)
  }

  @Test func `the holder of a file is named by number and name`() throws {
    let path = "/tmp/otolith-\(UUID().uuidString)"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(DeviceHolder.description(of: path) == nil)
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? file.close() }
    let found = try #require(DeviceHolder.description(of: path))
    #expect(found.hasPrefix("process \(getpid()) (") && found.hasSuffix(")"))
    #expect(
      BenchError(.busy(holder: found), "/dev/otolith-bench").description
        == "/dev/otolith-bench: \(found) already serves this virtual bench; end it first")
  }
}
