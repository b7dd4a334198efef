// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import SystemPackage

/// One end of a connection that transfers whole packets, and file descriptors with them
/// (SOCK_SEQPACKET, unix(7)). Its functions never block; a caller can poll `rawValue`.
public struct PacketSocket: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  public init(owning descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  /// Connects to the process that listens at `path`. Throws the error of connect(2): ENOENT,
  /// EACCES, ECONNREFUSED, or EAGAIN if too many clients wait.
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

  /// The connection's descriptor for poll(2). The descriptor is valid as long as this value exists.
  public var rawValue: Int32 { descriptor.rawValue }

  /// The result of sending a packet.
  public enum Sending: Equatable, Sendable {
    case sent
    /// There is no room for the packet, because the other end has not read earlier packets.
    case full
    /// The connection is closed, with this errno.
    case over(errno: Int32)
  }

  /// Sends `bytes` as one packet, with copies of `descriptors`.
  public borrowing func send(_ bytes: [UInt8], descriptors: [Int32] = []) -> Sending {
    // The C function does not keep the pointers.
    let result = unsafe otolith_packet_send(
      rawValue, bytes, bytes.count, descriptors, UInt32(descriptors.count))
    guard result < 0 else { return .sent }
    let number = Int32(clamping: -result)
    return number == EAGAIN || number == ENOBUFS ? .full : .over(errno: number)
  }

  /// The result of receiving a packet.
  public enum Arrival: ~Copyable, Sendable {
    /// A packet was received: the number of its bytes in the buffer, and the descriptors that came
    /// with it.
    case packet(count: Int, Descriptors)
    /// There is no packet yet.
    case nothing
    /// The other end of the connection has closed it.
    case end
    /// The packet was longer than the buffer. The rest of the packet is lost.
    case tooLong
    case over(errno: Int32)
  }

  /// Receives a packet of the connection into `buffer`.
  public borrowing func receive(into buffer: inout [UInt8]) -> Arrival {
    var numbers = [Int32](repeating: -1, count: Int(OTOLITH_DESCRIPTORS_MAX))
    var count: UInt32 = 0
    // The C functions do not keep the pointers, and write at most the size of the buffers.
    var result = unsafe otolith_packet_receive(
      rawValue, &buffer, buffer.count, &numbers, &count)
    if result == -Int64(ECONNRESET) {
      // The other end closed the connection without reading all data. The kernel reports this error
      // once, before packets that are still readable.
      result = unsafe otolith_packet_receive(
        rawValue, &buffer, buffer.count, &numbers, &count)
    }
    if result > 0 { return .packet(count: Int(result), Descriptors(numbers.prefix(Int(count)))) }
    switch Int32(clamping: -result) {
    case 0:
      // An empty packet ends the connection, but descriptors that came with it must be closed.
      _ = Descriptors(numbers.prefix(Int(count)))
      return .end
    case EAGAIN: return .nothing
    case EMSGSIZE: return .tooLong
    case let number: return .over(errno: number)
    }
  }
}

extension PacketSocket {
  /// Returns true if the next packet has descriptors; `nil` if no packet has arrived yet. The
  /// packet is not received, so this process does not get descriptors that it must close. Closing
  /// the last descriptor of a file may take as long as the file's creator chooses.
  public borrowing func carriesDescriptors() -> Bool? {
    let answer = otolith_packet_carries_descriptors(rawValue)
    return answer < 0 ? nil : answer == 1
  }

  /// Shuts the connection down in both directions and discards packets that were not read. The
  /// other end can still read what was sent. Returns false if those packets have descriptors,
  /// because closing this socket may then take long (see `carriesDescriptors`).
  public borrowing func discard() -> Bool { otolith_packet_discard(rawValue) == 1 }
}

/// The descriptors that came with a packet. Descriptors that are not taken are closed.
public struct Descriptors: ~Copyable, Sendable {
  private var numbers: [Int32]

  fileprivate init(_ numbers: some Sequence<Int32>) { self.numbers = Array(numbers) }

  public var count: Int { numbers.count }

  /// Returns the next descriptor of the packet; `nil` after the last.
  public mutating func take() -> OwnedDescriptor? {
    guard !numbers.isEmpty else { return nil }
    return OwnedDescriptor(owning: FileDescriptor(rawValue: numbers.removeFirst()))
  }

  deinit { for number in numbers { _ = close(number) } }
}
