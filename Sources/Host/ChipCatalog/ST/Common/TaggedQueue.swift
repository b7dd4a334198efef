// SPDX-License-Identifier: Apache-2.0
internal import Chips

/// The FIFO of a chip whose words carry a tag: the sensor in bits 3 to 7, and in bits 1 and 2 a
/// counter of the time slots that held words.
struct TaggedQueue {
  private typealias Word = InlineArray<7, UInt8>

  private var words: Ring<Word>
  /// True if bit 0 of a tag gives the tag an even parity.
  private let hasParity: Bool
  /// Flags that are true if words were dropped since the last read of the FIFO, and since the last
  /// read of the FIFO's status.
  private(set) var hasOverrun = false
  private var hadOverrun = false
  private var slots: UInt8 = 0

  init(capacity: Int, hasParity: Bool) {
    words = Ring(capacity: capacity, filledWith: Word(repeating: 0))
    self.hasParity = hasParity
  }

  var count: Int { words.count }
  var capacity: Int { words.capacity }

  mutating func removeAll() {
    words.removeAll()
    (hasOverrun, hadOverrun) = (false, false)
  }

  /// Begins a time slot, whose words all have the same counter value.
  mutating func beginSlot() { slots &+= 1 }

  /// Appends a word. A full FIFO drops its oldest word, or this word if it stops at `limit` words.
  mutating func append(_ tag: LSM6DSOMap.Tag, _ axes: InlineArray<3, UInt16>, stopsAt limit: Int?) {
    if let limit, words.count >= min(limit, capacity) { return }
    let bits = tag.rawValue << 3 | (slots & 3) << 1
    var word = Word(repeating: hasParity ? bits | UInt8(bits.nonzeroBitCount & 1) : bits)
    for index in 0..<3 {
      word[1 + 2 * index] = UInt8(truncatingIfNeeded: axes[index])
      word[2 + 2 * index] = UInt8(truncatingIfNeeded: axes[index] >> 8)
    }
    if !words.append(word) { (hasOverrun, hadOverrun) = (true, true) }
  }

  /// Returns a byte of the oldest word. The read of the last byte removes the word.
  mutating func read(_ index: UInt8) -> UInt8 {
    let byte = words.front[Int(index)]
    if index == 6 {
      _ = words.removeFirst()
      hasOverrun = false
    }
    return byte
  }

  /// Returns the flags of FIFO_STATUS2 with the word count's high bits, and clears the latched
  /// overrun flag.
  mutating func readStatus(isAtWatermark: Bool, isNearlyFull: Bool) -> UInt8 {
    var flags = UInt8(truncatingIfNeeded: count >> 8)
    if isAtWatermark { flags |= 0x80 }
    if hasOverrun { flags |= 0x40 }
    if isNearlyFull { flags |= 0x20 }
    if hadOverrun { flags |= 0x08 }
    hadOverrun = false
    return flags
  }
}
