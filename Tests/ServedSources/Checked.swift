// SPDX-License-Identifier: Apache-2.0

/// Sixteen words that belong together: half of one and half of another do not add up.
package struct Checked: BitwiseCopyable, Sendable {
  private var words: InlineArray<15, UInt64>
  private var sum: UInt64

  /// Number `number` of its stream.
  package init(_ number: UInt64) {
    words = InlineArray(repeating: 0)
    sum = 0
    for index in words.indices {
      // Another in each word, so that none is right instead of another.
      words[index] = number &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(index)
      sum = (sum << 7 | sum >> 57) ^ words[index]
    }
    words[0] = number
  }

  package var number: UInt64 { words[0] }

  /// Whether it is whole.
  package var isWhole: Bool {
    let whole = Checked(number)
    return sum == whole.sum && words.indices.allSatisfy { words[$0] == whole.words[$0] }
  }
}
