// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
public import LinuxBus
internal import SystemPackage

/// One end of a connection that carries whole packets, and descriptors beside them (SOCK_SEQPACKET,
/// unix(7)). It never waits: a caller that wants to waits on `rawValue`.
public struct PacketSocket: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  public init(owning descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  /// Connects to the process that listens at `path`. Throws what connect(2) says: ENOENT, EACCES,
  /// ECONNREFUSED, EAGAIN where too many wait already.
  public init(connectingTo path: String) throws(SystemError) {
    guard let address = try? SocketAddress(path) else { throw SystemError(errno: ENAMETOOLONG) }
    let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let number = socket(AF_UNIX, Int32(kind), 0)
    guard number >= 0 else { throw SystemError(errno: Glibc.errno) }
    let descriptor = OwnedDescriptor(owning: FileDescriptor(rawValue: number))
    let failure = address.connect(number)
    guard failure == 0 else { throw SystemError(errno: failure) }
    self.descriptor = descriptor
  }

  /// The number, for poll(2). Valid as long as this value lives.
  public var rawValue: Int32 { descriptor.rawValue }

  /// The outcome of sending a packet.
  public enum Sending: Equatable, Sendable {
    case sent
    /// The other end has not taken what waits for it.
    case full
    /// The connection is over.
    case over(errno: Int32)
  }

  /// Sends `bytes` as one packet, with copies of `descriptors`.
  public borrowing func send(_ bytes: [UInt8], descriptors: [Int32] = []) -> Sending {
    // The pointers live for the call alone.
    let result = unsafe otolith_packet_send(
      rawValue, bytes, bytes.count, descriptors, UInt32(descriptors.count))
    guard result < 0 else { return .sent }
    let number = Int32(clamping: -result)
    return number == EAGAIN || number == ENOBUFS ? .full : .over(errno: number)
  }

  /// The outcome of receiving.
  public enum Arrival: ~Copyable, Sendable {
    /// So many bytes of the buffer, and these descriptors.
    case packet(count: Int, Descriptors)
    /// Nothing yet.
    case nothing
    /// The other end has closed it.
    case end
    /// A packet that was too long; its rest is lost.
    case tooLong
    case over(errno: Int32)
  }

  /// Takes a packet into `buffer`.
  public borrowing func receive(into buffer: inout [UInt8]) -> Arrival {
    var numbers = [Int32](repeating: -1, count: Int(OTOLITH_DESCRIPTORS_MAX))
    var count: UInt32 = 0
    // The pointers of both calls live for them alone, which write no more than fits.
    var result = unsafe otolith_packet_receive(
      rawValue, &buffer, buffer.count, &numbers, &count)
    if result == -Int64(ECONNRESET) {
      // The other end closed and left something unread. What it had said before comes after that
      // error, which is told once.
      result = unsafe otolith_packet_receive(
        rawValue, &buffer, buffer.count, &numbers, &count)
    }
    if result > 0 { return .packet(count: Int(result), Descriptors(numbers.prefix(Int(count)))) }
    switch Int32(clamping: -result) {
    case 0:
      // An empty packet may carry descriptors too.
      _ = Descriptors(numbers.prefix(Int(count)))
      return .end
    case EAGAIN: return .nothing
    case EMSGSIZE: return .tooLong
    case let number: return .over(errno: number)
    }
  }
}

extension PacketSocket {
  /// Returns true where the next packet carries descriptors; `nil` where there is no packet yet,
  /// and one that comes a moment later may. It is not taken, and they do not become this process's,
  /// which would have to close them: closing the last one of a file may take as long as its maker
  /// chooses.
  public borrowing func carriesDescriptors() -> Bool? {
    let answer = otolith_packet_carries_descriptors(rawValue)
    return answer < 0 ? nil : answer == 1
  }

  /// Ends the connection both ways, and throws away what was not read; what was sent is still there
  /// for the other end. Returns false where descriptors are among it: then closing this socket may
  /// take long, as above.
  public borrowing func discard() -> Bool { otolith_packet_discard(rawValue) == 1 }
}

/// Descriptors that came with a packet; those that are not taken are closed.
public struct Descriptors: ~Copyable, Sendable {
  private var numbers: [Int32]

  fileprivate init(_ numbers: some Sequence<Int32>) { self.numbers = Array(numbers) }

  public var count: Int { numbers.count }

  /// The next one; `nil` where there is none left.
  public mutating func take() -> OwnedDescriptor? {
    guard !numbers.isEmpty else { return nil }
    return OwnedDescriptor(owning: FileDescriptor(rawValue: numbers.removeFirst()))
  }

  deinit { for number in numbers { _ = close(number) } }
}
