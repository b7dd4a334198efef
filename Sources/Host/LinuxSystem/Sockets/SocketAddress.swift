// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The address of a Unix domain socket, in the format that the system calls expect.
struct SocketAddress {
  private var address: sockaddr_un
  private let length: socklen_t

  /// Creates an address. With `isNotified` a leading `@` means a name in the abstract namespace, as
  /// in $NOTIFY_SOCKET. Such a name has exactly the length of its text.
  init(_ path: String, isNotified: Bool = false) throws(SocketError) {
    address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    let isAbstract = isNotified && path.hasPrefix("@")
    if isAbstract { bytes[0] = 0 }
    length = socklen_t(
      isAbstract
        ? MemoryLayout<sa_family_t>.size + bytes.count : MemoryLayout<sockaddr_un>.size)
    let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard bytes.count <= limit else { throw SocketError(.tooLong(limit: limit), path) }
    // The text is shorter than the field, as checked above, so that zero bytes follow and terminate
    // it.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
  }

  /// Calls bind(2) for `descriptor` and returns 0 or the errno.
  func bind(_ descriptor: Int32) -> Int32 {
    // The C function does not keep the address's pointer.
    unsafe withPointer { unsafe Glibc.bind(descriptor, $0, $1) == 0 ? 0 : errno }
  }

  /// Calls connect(2) for `descriptor` and returns 0 or the errno.
  func connect(_ descriptor: Int32) -> Int32 {
    // The C function does not keep the address's pointer.
    unsafe withPointer { unsafe Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
  }

  private func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    // bind(2) and connect(2) take any address as sockaddr; the address's family field gives the
    // real type.
    unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, length)
      }
    }
  }
}
