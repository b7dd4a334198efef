// SPDX-License-Identifier: Apache-2.0
internal import FlyingSocks
internal import Foundation
internal import Glibc

/// The reason why an address cannot be listened on, as a sentence for users.
package struct WebServerError: LocalizedError, CustomStringConvertible {
  package let description: String
  package let isDenied: Bool

  package var errorDescription: String? { description }
}

enum ListeningAddress {
  /// Listens on an address of this machine; returns the port too, as port 0 selects a free one.
  static func open(_ address: String, _ port: UInt16) throws(WebServerError) -> (Socket, UInt16) {
    let isIPv6 = address.contains(":")
    guard isAddress(address, isIPv6 ? AF_INET6 : AF_INET) else {
      throw WebServerError(
        description:
          "cannot listen on \(address), port \(port): it is no address, such as 0.0.0.0 or ::1",
        isDenied: false)
    }
    do {
      let listener = try Socket(domain: isIPv6 ? AF_INET6 : AF_INET)
      try listener.setValue(true, for: .localAddressReuse)
      try listener.setFlags(.nonBlocking)
      if isIPv6 {
        try listener.bind(to: .inet6(ip6: address, port: port))
      } else {
        try listener.bind(to: .inet(ip4: address, port: port))
      }
      try listener.listen()
      switch try listener.sockname() {
      case .ip4(_, let port), .ip6(_, let port): return (listener, port)
      case .unix: return (listener, port)
      }
    } catch {
      var reason = "\(error.localizedDescription)"
      var isDenied = false
      if case SocketError.failed(_, let number, let message) = error {
        reason =
          switch number {
          case EADDRINUSE: "another program listens there"
          default: message.lowercased()
          }
        isDenied = number == EACCES
      }
      throw WebServerError(
        description: "cannot listen on \(address), port \(port): \(reason)", isDenied: isDenied)
    }
  }

  /// Returns true where inet_pton(3) accepts the text.
  private static func isAddress(_ text: String, _ family: Int32) -> Bool {
    var room = in6_addr()
    // Both are valid for the call, which writes at most the size of the larger address type.
    return unsafe inet_pton(family, text, &room) == 1
  }
}
