// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Runtime
import Service
import Testing

/// Puts a single question to a service, as a program does.
enum ServiceAsking {
  /// Returns what the service says about its state.
  static func status(_ path: String) async throws -> ServiceStatus {
    let socket = try PacketSocket(connectingTo: path)
    #expect(
      socket.send(ServiceRequest.hello(newest: 1, oldest: 1, program: "asking").bytes) == .sent)
    #expect(socket.send(ServiceRequest.ask(.status, serial: 1).bytes) == .sent)
    var status: ServiceStatus?
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    for _ in 0..<2000 where status == nil {
      switch socket.receive(into: &buffer) {
      case .packet(let count, _):
        if case .answer(.status(let json), _) = try ServiceReply(buffer[..<count]) {
          status = ServiceStatus(json: json)
        }
      default: try await Task.sleep(for: .milliseconds(5))
      }
    }
    return try #require(status)
  }
}
