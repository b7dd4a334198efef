// SPDX-License-Identifier: Apache-2.0
import Foundation
import Runtime
import LinuxSystem
import ServedSources
import Service
import Testing

/// Tests of descriptors that a service does not expect. The process that holds the last descriptor
/// of a file closes it, and that can take as long as the sender likes: here it is a TCP connection
/// with SO_LINGER (socket(7)) whose other end reads nothing.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DescriptorTests {
  private static let greeting = ServiceRequest.hello(newest: 1, oldest: 1, program: "d").bytes

  /// The ways in which the program sends such a descriptor.
  enum Way: CaseIterable {
    case beforeTheGreeting, afterTheGreeting, unread, behindEmptyPackets

    func send(_ descriptor: Int32, over socket: borrowing PacketSocket) {
      switch self {
      case .beforeTheGreeting: break
      case .afterTheGreeting: _ = socket.send(DescriptorTests.greeting)
      case .unread:
        // The service reads nothing after a malformed packet, and soon accepts nothing more.
        _ = socket.send([0])
        #expect(socket.send([3, 0, 0, 0, 0], descriptors: [descriptor]) != .full)
        return
      case .behindEmptyPackets:
        for _ in 0..<20 { _ = socket.send([]) }
        // On a busy machine, the service has already closed the connection before this packet is
        // sent.
        #expect(socket.send([3, 0, 0, 0, 0], descriptors: [descriptor]) != .full)
        return
      }
      #expect(socket.send([3, 0, 0, 0, 0], descriptors: [descriptor]) == .sent)
    }
  }

  /// Returns the number of sockets that are open in this process. Other descriptors are not
  /// counted, as some are opened when the first timer or thread needs them.
  private static func sockets() throws -> Int {
    let folder = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?
        .hasPrefix("socket:") == true
    }
  }

  @Test(arguments: Way.allCases) func `closing holds up no reader`(_ way: Way) async throws {
    let stream = try NumberedStream(rate: 1000)
    defer { stream.end() }
    #expect(try await eventually { stream.ledger.account.got > 100 })
    let before = try Self.sockets()
    do {
      // This object ends the wait when it closes the other end.
      let slow = try Lingering()
      do {
        let socket = try PacketSocket(connectingTo: stream.served.path)
        way.send(slow.takeNear(), over: socket)
        try slow.closeNear()
        // Waits until the service has closed the connection.
        var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
        #expect(
          try await eventually {
            while case .packet = socket.receive(into: &buffer) {}
            if case .nothing = socket.receive(into: &buffer) { return false }
            return true
          })
      }
      // All this takes far less than the minute for which the connection lingers, and other
      // programs get samples meanwhile.
      let got = stream.ledger.account.got
      let status = try await ServiceAsking.status(stream.served.path)
      #expect(status.clients.count == 2, "the program and who asks")
      #expect(try await eventually(within: .seconds(10)) { stream.ledger.account.got > got + 500 })
      slow.end()
    }
    #expect(
      try await eventually { try Self.sockets() <= before })
    #expect(await stream.isComplete(to: stream.finish()))
  }
}

/// A TCP connection that lingers for a minute when it is closed, as its other end reads nothing.
private final class Lingering {
  private var listening: Int32 = -1
  private var near: Int32 = -1

  init() throws {
    listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    near = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var lingering = linger(l_onoff: 1, l_linger: 60)
    // The calls take any address as a sockaddr. All pointers live only for the calls.
    let results = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        [
          unsafe bind(listening, $0, size), listen(listening, 1),
          unsafe getsockname(listening, $0, &size), unsafe connect(near, $0, size),
        ]
      }
    }
    try #require(results == [0, 0, 0, 0])
    try #require(
      unsafe setsockopt(
        near, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size)) == 0)
    let bytes = [UInt8](repeating: 1, count: 65_536)
    while unsafe send(near, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
  }

  /// Returns the descriptor of the end that lingers.
  func takeNear() -> Int32 { near }

  /// Closes this process's descriptor of the end that lingers, so that only the receiver's is left.
  /// If the receiver has already closed its descriptor, the close on this thread waits instead.
  func closeNear() throws {
    let number = near
    near = -1
    _ = try startThread(name: "close") { close(number) }
  }

  /// Resets the connection, so that no close waits any longer.
  func end() {
    if listening >= 0 { close(listening) }
    listening = -1
    if near >= 0 { close(near) }
    near = -1
  }

  deinit { end() }
}
