// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import NIOCore

/// The reason why the server cannot listen on an address, as a message for users.
package struct WebServerError: LocalizedError, CustomStringConvertible {
  package let description: String
  package var errorDescription: String? { description }
  package let isDenied: Bool

  package init(description: String, isDenied: Bool = false) {
    self.description = description
    self.isDenied = isDenied
  }
}

/// An address to listen on. It is IPv4 or IPv6; the brackets that URLs use for IPv6 are optional.
package struct ListeningAddress: Sendable {
  /// The address without brackets.
  package let text: String
  let socketAddress: SocketAddress
  private let port: UInt16

  package init(_ address: String, port: UInt16) throws(WebServerError) {
    let isInBrackets = address.hasPrefix("[") && address.hasSuffix("]") && address.contains(":")
    text = isInBrackets ? String(address.dropFirst().dropLast()) : address
    self.port = port
    do { socketAddress = try SocketAddress(ipAddress: text, port: Int(port)) } catch {
      throw WebServerError(
        description:
          "cannot listen on \(address), port \(port): it is not an address such as 0.0.0.0 or ::1")
    }
  }

  /// Returns an error whose message explains why bind(2) or listen(2) failed.
  func failure(_ error: any Error) -> WebServerError {
    let number = (error as? IOError)?.errnoCode
    let reason =
      switch number {
      case EADDRINUSE: "another program uses this port"
      // `strerror` returns a string that belongs to the C library. Copy the string before another
      // call changes it.
      case let number?: unsafe String(cString: strerror(number)).lowercased()
      case nil: "\(error)"
      }
    return WebServerError(
      description: "cannot listen on \(text), port \(port): \(reason)",
      isDenied: number == EACCES)
  }
}
