// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

extension ListeningSocket {
  /// Returns the socket that the parent of this process (a service manager) opened for it, as in
  /// sd_listen_fds(3); `nil` if `environment` announces no socket. Exactly one socket is accepted,
  /// with descriptor 3. Throws if the socket is not a listening Unix socket of `kind` with a path.
  public static func inherited(
    _ kind: Kind, environment: [String: String]
  ) throws(SocketError) -> ListeningSocket? {
    // The environment variables count only if they name this process, because the variables may be
    // inherited from another process.
    guard environment["LISTEN_PID"] == "\(getpid())",
      let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count > 0
    else { return nil }
    let number: Int32 = 3
    func refusal(_ what: String) -> SocketError {
      SocketError(.inherited(what), "descriptor \(number)")
    }
    guard count == 1 else { throw refusal("one of \(count)") }
    guard let domain = option(SO_DOMAIN, of: number) else { throw refusal("no socket") }
    guard domain == AF_UNIX else { throw refusal("no unix socket") }
    guard option(SO_TYPE, of: number) == Int32(kind.type.rawValue) else {
      throw refusal("a socket of another type")
    }
    guard option(SO_ACCEPTCONN, of: number) == 1 else { throw refusal("no listening socket") }
    guard let path = path(of: number) else { throw refusal("a socket without a file") }
    return ListeningSocket(
      inheriting: OwnedDescriptor(owning: FileDescriptor(rawValue: number)), path: path)
  }

  private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    // getsockopt(2) writes at most `size` bytes, and does not keep the pointers.
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size)
    return result == 0 ? value : nil
  }

  /// Returns the path to which the socket is bound; `nil` if the socket has no file because it is
  /// unnamed or abstract.
  private static func path(of descriptor: Int32) -> String? {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    // getsockname(2) takes any address as sockaddr. It writes at most `size` bytes, and does not
    // keep the pointers.
    let result = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    guard result == 0 else { return nil }
    let bytes = unsafe withUnsafeBytes(of: address.sun_path) { unsafe Array($0) }  // copied here
    let path = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    return path.isEmpty ? nil : path
  }
}
