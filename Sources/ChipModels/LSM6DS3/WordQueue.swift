// SPDX-License-Identifier: Apache-2.0

/// A queue of 16-bit words that keeps the place of its next word in a repeating pattern.
struct WordQueue {
  private var words: [UInt16]
  private var first = 0
  private(set) var count = 0
  /// The next word's place in the pattern.
  private(set) var place = 0
  /// Words of the pattern; 0 while nothing is queued.
  var patternLength = 0
  /// Whether a word was pushed out since the queue was last below its brim.
  private(set) var hasOverrun = false

  init(capacity: Int) { words = [UInt16](repeating: 0, count: capacity) }

  var capacity: Int { words.count }

  /// The oldest word; an empty queue shows the one it showed last.
  var front: UInt16 { words[first] }

  /// Full, it loses its oldest word.
  mutating func append(_ word: UInt16) {
    if count == words.count {
      hasOverrun = true
      drop()
    }
    words[(first + count) % words.count] = word
    count += 1
  }

  mutating func removeFirst() {
    guard count > 0 else { return }
    hasOverrun = false
    drop()
  }

  private mutating func drop() {
    first = (first + 1) % words.count
    count -= 1
    if patternLength > 0 { place = (place + 1) % patternLength }
  }

  mutating func removeAll() {
    first = 0
    count = 0
    place = 0
    hasOverrun = false
  }
}
