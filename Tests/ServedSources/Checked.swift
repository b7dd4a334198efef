// SPDX-License-Identifier: Apache-2.0

/// Sixteen words that belong together: the sum of an element that mixes two does not match.
package struct Checked: BitwiseCopyable, Sendable {
  private var words: InlineArray<15, UInt64>
  private var sum: UInt64

  /// Makes element `number` of its stream.
  package init(_ number: UInt64) {
    words = InlineArray(repeating: 0)
    sum = 0
    for index in words.indices {
      // Each word has a different value, so that no word can pass for another.
      words[index] = number &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(index)
      sum = (sum << 7 | sum >> 57) ^ words[index]
    }
    words[0] = number
  }

  package var number: UInt64 { words[0] }

  /// Whether all words are of one element.
  package var isWhole: Bool {
    let whole = Checked(number)
    return sum == whole.sum && words.indices.allSatisfy { words[$0] == whole.words[$0] }
  }
}
