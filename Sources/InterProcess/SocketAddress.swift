// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A path as the socket calls want it.
struct SocketAddress {
  private var address: sockaddr_un

  init(_ path: String) throws(SocketError) {
    address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
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
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
