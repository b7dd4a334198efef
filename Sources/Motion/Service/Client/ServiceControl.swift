// SPDX-License-Identifier: Apache-2.0
package import Runtime
internal import LinuxSystem
internal import Quantities

/// An operator's requests to the service. These requests do not start any chip.
package struct ServiceControl: Sendable {
  private let connection: ServiceConnection

  /// Connects to the service at `path`. Throws if the service does not exist or rejects this
  /// process.
  package init(path: String) throws(ServiceFailure) { connection = try ServiceConnection(path) }

  /// Returns the state of the service and its clients, as `ServiceStatus` in JSON.
  package func statusJSON() throws(ServiceFailure) -> [UInt8] {
    guard case .status(let json) = try ask(.status) else { throw .garbled(connection.path) }
    return json
  }

  /// Returns the state of the service and its clients.
  package func status() throws(ServiceFailure) -> ServiceStatus {
    guard let status = ServiceStatus(json: try statusJSON()) else {
      throw .garbled(connection.path)
    }
    return status
  }

  /// Asks the service to reload its board file and restart the board. Throws `denied` unless this
  /// process runs as root or as the service's user, and `unavailable` if the file is invalid; the
  /// board then continues unchanged.
  package func reload() throws(ServiceFailure) { _ = try ask(.reload) }

  /// Asks the service to delete what fusion has learned about the board, and to restart the board.
  /// Throws the same errors as `reload`.
  package func forget() throws(ServiceFailure) { _ = try ask(.forget) }

  private func ask(_ question: ServiceQuestion) throws(ServiceFailure) -> ServiceAnswer {
    // Serial 0 is for requests whose answer is ignored. No other request is pending at the same
    // time, so this request can have serial 1.
    let serial: UInt32 = 1
    guard
      connection.socket.send(
        ServiceRequest.ask(question, serial: serial).bytes) == .sent
    else { throw .closed(connection.path) }
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    let deadline = monotonicNow() + ServiceConnection.timeout
    var poller = Poller()
    poller.add(connection.socket.rawValue)
    while true {
      switch connection.socket.receive(into: &buffer) {
      case .packet(let count, _):
        switch ServiceConnection.reply(buffer[..<count]) {
        case .answer(.refused(let refusal), serial: serial): throw ServiceFailure(refusal)
        case .answer(let answer, serial: serial): return answer
        case .farewell(let refusal): throw ServiceFailure(refusal)
        case .wake, .chips, .answer: break
        case .welcome, nil: throw .garbled(connection.path)
        }
      case .nothing:
        guard monotonicNow() < deadline else { throw .silent(connection.path) }
        _ = try? poller.wait(until: deadline)
      case .end: throw .closed(connection.path)
      case .over: throw .closed(connection.path)
      case .tooLong: throw .garbled(connection.path)
      }
    }
  }
}
