// SPDX-License-Identifier: Apache-2.0
import SimulatedBuses
import Registers

/// A bus with one device, which returns the bytes that it was last sent with each bit inverted, and
/// with an SPI device that does so at once. Other addresses each fail in a different way.
final class Echo: BusTarget {
  private var last: [UInt8] = []
  private(set) var advances = 0

  @_lifetime(received: copy received)
  func transfer(
    _ sent: Span<UInt8>, _ received: inout MutableSpan<UInt8>, at address: UInt8
  ) throws(BusError) {
    switch address {
    case 0x50: break
    case 0x51: throw .timeout
    case 0x52: throw .system(errno: 5)
    case 0x53: throw .arbitrationLost
    case 0x54: throw .system(errno: 70_000)
    default: throw .noAcknowledge
    }
    if sent.count > 0 {
      last = []
      for index in sent.indices { last.append(~sent[index]) }
    }
    for index in received.indices { received[index] = last.isEmpty ? 0 : last[index % last.count] }
  }

  func exchange(_ bytes: inout MutableSpan<UInt8>, at select: UInt8) throws(BusError) {
    guard select == 3 else { throw .noAcknowledge }
    for index in bytes.indices { bytes[index] = ~bytes[index] }
  }

  func advance() { advances += 1 }
}

extension BusConversation {
  /// Returns all replies to `bytes`.
  mutating func replies(to bytes: [UInt8], from target: some BusTarget) -> [UInt8] {
    var replies: [UInt8] = []
    take(bytes.span)
    while answer(from: target, into: &replies) {}
    return replies
  }
}

/// Numbers that look random and are the same in every run (xorshift64*).
struct Fixed: RandomNumberGenerator {
  var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
