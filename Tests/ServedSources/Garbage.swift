// SPDX-License-Identifier: Apache-2.0
internal import SeededRandom

/// Packets of all kinds: random ones, and valid ones with errors in them.
package struct Garbage {
  private var random: SplitMix

  package init(seed: UInt64) { random = SplitMix(state: seed) }

  package mutating func number(below limit: Int) -> Int {
    Int(random.next() % UInt64(max(limit, 1)))
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      var word = random.next()
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Returns a random packet, or one of `valid` with an error in it.
  package mutating func packet(like valid: [[UInt8]], most: Int) -> [UInt8] {
    var packet = valid[number(below: valid.count)]
    switch number(below: 8) {
    case 0: return bytes(number(below: most))
    // A packet whose kind is known, and all else is random.
    case 1: return Array(packet.prefix(1)) + bytes(number(below: most))
    case 2: packet.removeLast(number(below: packet.count + 1))
    case 3: packet += bytes(1 + number(below: 8))
    case 4: packet.insert(UInt8(number(below: 256)), at: number(below: packet.count + 1))
    case 5:
      let other = valid[number(below: valid.count)]
      let end = number(below: packet.count + 1)
      packet.replaceSubrange(end..., with: other.dropFirst(number(below: 16)))
    default:
      // Lengths and kinds are small numbers, so that single bits and the ends of the range are the
      // most dangerous changes.
      guard !packet.isEmpty else { return packet }
      for _ in 0...number(below: 3) {
        let place = number(below: packet.count)
        switch number(below: 4) {
        case 0: packet[place] = 0xFF
        case 1: packet[place] = 0
        case 2: packet[place] ^= 1 << UInt8(number(below: 8))
        default: packet[place] = UInt8(number(below: 256))
        }
      }
    }
    return packet
  }
}
