// SPDX-License-Identifier: Apache-2.0
import SimulatedBuses
import Runtime
import Foundation
import LinuxSystem
import Testing

/// Tests of the socket, with clients that behave and clients that do not.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SocketServerTests {
  /// A server on a separate thread, which ends with this object.
  final class Running {
    let path: String
    private let wakeEvent: WakeEvent
    private let ended = DispatchSemaphore(value: 0)
    private var isRunning = true

    init(path: String? = nil) throws {
      let path = path ?? Self.newPath()
      let wakeEvent = try WakeEvent()
      let ready = DispatchSemaphore(value: 0)
      let ended = ended
      self.path = path
      self.wakeEvent = wakeEvent
      Thread {
        if var server = try? SocketServer(path: path) {
          ready.signal()
          server.serve(Echo(), until: wakeEvent)
        }
        ended.signal()
      }.start()
      try #require(ready.wait(timeout: .now() + 30) == .success)
    }

    static func newPath() -> String { "/tmp/otolith-\(UUID().uuidString.prefix(8)).sock" }

    /// Ends the server. Returns whether it has ended.
    func stop() -> Bool {
      guard isRunning else { return true }
      isRunning = false
      wakeEvent.signal()
      return ended.wait(timeout: .now() + 30) == .success
    }

    deinit { _ = stop() }
  }

  /// A connection of a client, whose every wait has a limit.
  final class Client {
    let descriptor: Int32

    init(_ path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      // The server has checked the path's length. The pointers live only for the calls.
      unsafe withUnsafeMutableBytes(of: &address.sun_path) {
        unsafe $0.copyBytes(from: Array(path.utf8))
      }
      let result = unsafe withUnsafePointer(to: address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))  // as above
        }
      }
      try #require(result == 0, "connect: \(errno)")
      var limit = timeval(tv_sec: 5, tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      // The calls read the limit only while they run.
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// Sends bytes. Returns how many were sent, which is fewer if the server does not read them.
    @discardableResult
    func send(_ bytes: [UInt8], flags: Int32 = 0) -> Int {
      // The call reads the bytes only while it runs.
      unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags | Int32(MSG_NOSIGNAL))
      }
    }

    /// Returns the next `count` bytes, or fewer if the server ended the connection.
    func receive(_ count: Int) -> [UInt8] {
      var all: [UInt8] = []
      while all.count < count {
        var bytes = [UInt8](repeating: 0, count: count - all.count)
        // The call writes the bytes only while it runs.
        let got = unsafe bytes.withUnsafeMutableBytes {
          unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard got > 0 else { break }
        all += bytes.prefix(got)
      }
      return all
    }

    /// Whether the server has ended the connection and sent no more.
    var isEnded: Bool {
      var byte: UInt8 = 0
      // The call writes the byte only while it runs.
      let got = unsafe recv(descriptor, &byte, 1, 0)
      return got == 0 || (got < 0 && errno == ECONNRESET)
    }

    deinit { close(descriptor) }
  }

  static let request: [UInt8] = [0x49, 0x50, 1, 0, 2, 0, 0x0F]
  static let answer: [UInt8] = [0, 2, 0, 0xF0, 0xF0]

  private func isServed(_ path: String) throws -> Bool {
    let client = try Client(path)
    client.send(Self.request)
    return client.receive(5) == Self.answer
  }

  @Test func `two clients take turns, in halves of requests`() throws {
    let server = try Running()
    let first = try Client(server.path)
    let second = try Client(server.path)
    for _ in 0..<100 {
      first.send([0x49, 0x50, 1, 0])
      second.send([0x49, 0x50, 1, 0, 1])
      second.send([0, 0x33])
      #expect(second.receive(4) == [0, 1, 0, 0xCC])
      first.send([2, 0, 0x0F])
      #expect(first.receive(5) == Self.answer)
    }
  }

  @Test func `a thousand requests at once are answered in their order`() throws {
    let server = try Running()
    let client = try Client(server.path)
    var requests: [UInt8] = []
    var answers: [UInt8] = []
    for index in 0..<1_000 {
      let byte = UInt8(truncatingIfNeeded: index)
      requests += [0x53, 3, 1, 0, byte]
      answers += [0, 1, 0, ~byte]
    }
    #expect(client.send(requests) == requests.count)
    #expect(client.receive(answers.count) == answers)
  }

  @Test func `a client that leaves or talks rubbish disturbs no other`() throws {
    let server = try Running()
    for _ in 0..<50 {
      try Client(server.path).send([0x49, 0x50, 0xFF])
      try Client(server.path).send(Self.request)
      _ = try Client(server.path)
      let rubbish = try Client(server.path)
      rubbish.send([UInt8](repeating: 0xA5, count: 10_000))
      #expect(rubbish.receive(3) == [22, 0, 0])
      #expect(rubbish.isEnded)
    }
    #expect(try isServed(server.path))
  }

  @Test func `a client that never reads holds up no other`() throws {
    let server = try Running()
    let deaf = try Client(server.path)
    // Each request has six bytes and an answer of 8192.
    let greedy = [UInt8]([[UInt8]](repeating: [0x49, 0x50, 0, 0, 0, 0x20], count: 1_000).joined())
    var sent = 0
    var refusals = 0
    // Sends until nothing is accepted for a fifth of a second: the server no longer reads.
    while refusals < 20, sent < 4_000_000 {
      let count = deaf.send(greedy, flags: Int32(MSG_DONTWAIT))
      sent += max(count, 0)
      refusals = count > 0 ? 0 : refusals + 1
      if count <= 0 { Thread.sleep(forTimeInterval: 0.01) }
    }
    #expect(sent < 4_000_000, "its requests are taken without end")
    for _ in 0..<20 { #expect(try isServed(server.path)) }
    // When the client reads, it gets the answers from the first on.
    #expect(deaf.receive(8195).prefix(3) == [0, 0, 0x20])
  }

  @Test func `one that closes its half still hears the answers`() throws {
    let server = try Running()
    let client = try Client(server.path)
    client.send(Self.request + Self.request)
    shutdown(client.descriptor, Int32(SHUT_WR))
    #expect(client.receive(10) == Self.answer + Self.answer)
    #expect(client.isEnded)
  }

  @Test func `the 257th client is refused`() throws {
    let server = try Running()
    var clients: [Client] = []
    for _ in 0..<256 {
      let client = try Client(server.path)
      client.send(Self.request)
      #expect(client.receive(5) == Self.answer)
      clients.append(client)
    }
    let last = try Client(server.path)
    #expect(last.receive(3) == [24, 0, 0])
    #expect(last.isEnded)
    clients.removeFirst()
    // The server needs time to see that the client is gone.
    Thread.sleep(forTimeInterval: 0.2)
    #expect(try isServed(server.path))
  }

  // MARK: - The place

  @Test func `the socket goes with the server, and comes again`() throws {
    let path = Running.newPath()
    for _ in 0..<3 {
      let server = try Running(path: path)
      #expect(try isServed(path))
      #expect(server.stop())
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `a living server is not pushed aside`() throws {
    let server = try Running()
    #expect {
      _ = try SocketServer(path: server.path)
    } throws: { error in
      (error as? SocketError)?.description
        == "\(server.path): another process listens on this socket; end it, or choose another path"
    }
    #expect(try isServed(server.path))
  }

  @Test func `the socket of a process that is no more is replaced`() throws {
    let path = Running.newPath()
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The pointers live only for the calls.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: Array(path.utf8))
    }
    let bound = unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))  // as above
      }
    }
    #expect(bound == 0)
    close(descriptor)
    #expect(FileManager.default.fileExists(atPath: path))
    let server = try Running(path: path)
    #expect(try isServed(path))
    #expect(server.stop())
  }

  @Test func `what cannot be the place of a socket is refused, with why`() throws {
    let folder = "/tmp/otolith-\(UUID().uuidString.prefix(8))"
    let long = folder + "/" + String(repeating: "x", count: 107)
    let file = "\(folder)/file"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try "kept".write(toFile: file, atomically: true, encoding: .utf8)
    let cases: [(String, String)] = [
      (file, "\(file): exists and is not a socket; remove it, or choose another path"),
      (
        long,
        "\(long): a socket's path has 107 bytes at most, and this one \(long.utf8.count); "
          + "choose a shorter one, such as /tmp/otolith.sock"
      ),
      (
        "\(folder)/none/x",
        "\(folder)/none/x: there is no folder \(folder)/none; make it, or choose another path"
      ),
      (
        "/proc/x", "/proc/x: cannot listen on this socket: No such file or directory"
      ),
      (
        "\(file)/x", "\(file)/x: there is no folder \(file); make it, or choose another path"
      ),
    ]
    for (path, text) in cases {
      #expect {
        _ = try SocketServer(path: path)
      } throws: { error in
        (error as? SocketError)?.description == text
      }
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
  }
}
