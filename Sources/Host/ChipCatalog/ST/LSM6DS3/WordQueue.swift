// SPDX-License-Identifier: Apache-2.0

/// A FIFO of 16-bit words that keeps the position of its next word in a repeating pattern.
struct WordQueue {
  private var words: Ring<UInt16>
  /// The position of the next word in the FIFO's repeating pattern.
  private(set) var place = 0
  /// The number of words in the FIFO's repeating pattern; 0 while the FIFO is off.
  var patternLength = 0
  /// True if the FIFO dropped a word and none was read since then.
  private(set) var hasOverrun = false

  init(capacity: Int) { words = Ring(capacity: capacity, filledWith: 0) }

  var capacity: Int { words.capacity }
  var count: Int { words.count }
  var front: UInt16 { words.front }

  mutating func append(_ word: UInt16) {
    guard !words.append(word) else { return }
    hasOverrun = true
    step()
  }

  mutating func removeFirst() {
    guard count > 0 else { return }
    hasOverrun = false
    _ = words.removeFirst()
    step()
  }

  private mutating func step() {
    if patternLength > 0 { place = (place + 1) % patternLength }
  }

  mutating func removeAll() {
    words.removeAll()
    place = 0
    hasOverrun = false
  }
}
