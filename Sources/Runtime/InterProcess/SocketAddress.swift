// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A path as the socket calls want it.
struct SocketAddress {
  private var address: sockaddr_un
  private let length: socklen_t

  /// `isNotified` reads a first `@` as the mark of the abstract namespace, as $NOTIFY_SOCKET has
  /// it: such a name ends where its text does.
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
    // The count was checked above; the rest stays zero and ends the text.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
  }

  /// bind(2); 0 or the errno.
  func bind(_ descriptor: Int32) -> Int32 {
    // The address lives for the call alone.
    unsafe withPointer { unsafe Glibc.bind(descriptor, $0, $1) == 0 ? 0 : errno }
  }

  /// connect(2); 0 or the errno.
  func connect(_ descriptor: Int32) -> Int32 {
    // The address lives for the call alone.
    unsafe withPointer { unsafe Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
  }

  private func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    // sockaddr is how the calls name any address; its family says which it is.
    unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, length)
      }
    }
  }
}
