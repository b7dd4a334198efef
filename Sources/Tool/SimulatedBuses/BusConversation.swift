// SPDX-License-Identifier: Apache-2.0
internal import Registers

/// The server's conversation with one client in the bus protocol, independent of the transport.
///
/// All numbers are little endian. Requests:
///
///      'I' address:u8 write-length:u16 read-length:u16 bytes  I2C transaction: writes, then reads
///      'S' select:u8 length:u16 bytes                         SPI frame, full duplex
///
/// Each request is answered in order by
///
///      status:u8 length:u16 bytes
///
/// The status is 0 or a Linux errno; after an errno no bytes follow. Requests may be pipelined. An
/// unknown opcode ends the conversation, because the start of the next request is unknown.
package struct BusConversation: Sendable {
  /// The longest I2C message, which is the limit of i2c-dev (Linux, drivers/i2c/i2c-dev.c,
  /// i2cdev_ioctl_rdwr).
  package static let longestMessage = 8192
  /// The longest SPI frame, which is the default of spidev (Linux, drivers/spi/spidev.c, bufsiz).
  package static let longestFrame = 4096

  /// The received bytes of requests that are incomplete or have not been answered yet.
  private var pending: [UInt8] = []
  /// The offset of the next request in `pending`.
  private var start = 0
  /// The number of bytes of a rejected request that must still be skipped.
  private var skipped = 0
  /// True once the conversation has ended. Further requests are ignored.
  package private(set) var isOver = false

  package init() {}

  /// The number of pending bytes.
  package var pendingCount: Int { pending.count - start }

  /// Receives bytes from the client, in chunks of any size.
  package mutating func take(_ bytes: Span<UInt8>) {
    guard !isOver else { return }
    let dropped = min(skipped, bytes.count)
    skipped -= dropped
    if start > 0 {
      pending.removeSubrange(..<start)
      start = 0
    }
    for index in dropped..<bytes.count { pending.append(bytes[index]) }
  }

  /// Executes the next request on `target` and appends the reply to `replies`. Returns false if
  /// no complete request is pending.
  package mutating func answer(from target: some BusTarget, into replies: inout [UInt8]) -> Bool {
    guard !isOver, let opcode = byte(0) else { return false }
    switch opcode {
    case UInt8(ascii: "I"):
      guard let address = byte(1), let written = number(2), let read = number(4) else {
        return false
      }
      return transfer(address, written, read, target, &replies)
    case UInt8(ascii: "S"):
      guard let select = byte(1), let count = number(2) else { return false }
      return exchange(select, count, target, &replies)
    default:
      Self.refuse(.invalid, &replies)
      end()
      return true
    }
  }

  // MARK: Requests

  private mutating func transfer(
    _ address: UInt8, _ written: Int, _ read: Int, _ target: some BusTarget,
    _ replies: inout [UInt8]
  ) -> Bool {
    let header = 6
    guard written <= Self.longestMessage, read <= Self.longestMessage, address < 0x80 else {
      skip(header + written)
      Self.refuse(.invalid, &replies)
      return true
    }
    guard pendingCount >= header + written else { return false }
    let body = start + header
    start = body + written
    let reply = Self.begin(read, &replies)
    do throws(BusError) {
      var received = replies.mutableSpan
      // `_mutatingExtracting` is `extracting(last:)` in the standard library of Swift 6.3; SE-0467
      // removes the underscore.
      var room = received._mutatingExtracting(last: read)
      try target.transfer(
        pending.span.extracting(body..<(body + written)), &room, at: address)
    } catch {
      replies.removeLast(replies.count - reply)
      Self.refuse(Status(error), &replies)
    }
    return true
  }

  private mutating func exchange(
    _ select: UInt8, _ count: Int, _ target: some BusTarget, _ replies: inout [UInt8]
  ) -> Bool {
    let header = 4
    guard count <= Self.longestFrame else {
      skip(header + count)
      Self.refuse(.tooLong, &replies)
      return true
    }
    guard pendingCount >= header + count else { return false }
    let body = start + header
    start = body + count
    let reply = Self.begin(count, &replies)
    for index in 0..<count { replies[reply + 3 + index] = pending[body + index] }
    do throws(BusError) {
      var bytes = replies.mutableSpan
      var frame = bytes._mutatingExtracting(last: count)
      try target.exchange(&frame, at: select)
    } catch {
      replies.removeLast(replies.count - reply)
      Self.refuse(Status(error), &replies)
    }
    return true
  }

  // MARK: Bytes

  private func byte(_ offset: Int) -> UInt8? {
    start + offset < pending.count ? pending[start + offset] : nil
  }

  private func number(_ offset: Int) -> Int? {
    guard let low = byte(offset), let high = byte(offset + 1) else { return nil }
    return Int(low) | Int(high) << 8
  }

  /// Skips the next `count` bytes, including those that have not been received yet.
  private mutating func skip(_ count: Int) {
    let here = min(count, pendingCount)
    start += here
    skipped = count - here
  }

  private mutating func end() {
    isOver = true
    pending = []
    start = 0
  }

  /// Begins a successful reply of `count` bytes. Returns the offset of these bytes.
  private static func begin(_ count: Int, _ replies: inout [UInt8]) -> Int {
    let start = replies.count
    replies.append(0)
    replies.append(UInt8(truncatingIfNeeded: count))
    replies.append(UInt8(truncatingIfNeeded: count >> 8))
    for _ in 0..<count { replies.append(0) }
    return start
  }

  /// Appends a reply that has only a status.
  static func refuse(_ status: Status, _ replies: inout [UInt8]) {
    replies.append(status.rawValue)
    replies.append(0)
    replies.append(0)
  }
}

/// The outcome of a request: a Linux errno (include/uapi/asm-generic/errno.h), on every platform.
struct Status: Equatable {
  let rawValue: UInt8

  static let good = Status(rawValue: 0)
  static let noDevice = Status(rawValue: 6)  // ENXIO
  static let inputOutput = Status(rawValue: 5)  // EIO
  static let again = Status(rawValue: 11)  // EAGAIN
  static let busy = Status(rawValue: 16)  // EBUSY
  static let gone = Status(rawValue: 19)  // ENODEV
  static let invalid = Status(rawValue: 22)  // EINVAL
  static let tooManyClients = Status(rawValue: 24)  // EMFILE
  static let tooLong = Status(rawValue: 90)  // EMSGSIZE
  static let unsupported = Status(rawValue: 95)  // EOPNOTSUPP
  static let timeout = Status(rawValue: 110)  // ETIMEDOUT
}

extension Status {
  /// Creates the status that Linux reports for the error (Documentation/i2c/fault-codes.rst).
  init(_ error: BusError) {
    switch error {
    case .noAcknowledge: self = .noDevice
    case .arbitrationLost: self = .again
    case .timeout: self = .timeout
    case .adapterGone: self = .gone
    case .unsupported: self = .unsupported
    case .tooLong: self = .tooLong
    case .busy: self = .busy
    case .system(let number):
      self = (1...255).contains(number) ? Status(rawValue: UInt8(number)) : .inputOutput
    }
  }
}
