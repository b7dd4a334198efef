// SPDX-License-Identifier: Apache-2.0

/// A few elements on their way to somebody, oldest first, without an array. Of more than fit the newest are kept.
struct FixedQueue<let capacity: Int, Element: BitwiseCopyable & Equatable & Sendable>: Sendable {
  private var slots: InlineArray<capacity, Element>
  private var first = 0
  private(set) var count = 0

  /// `filler` stands where nothing is.
  init(filler: Element) { slots = InlineArray(repeating: filler) }

  mutating func append(_ element: Element) {
    if count == capacity {
      first = (first + 1) % capacity
      count -= 1
    }
    slots[(first + count) % capacity] = element
    count += 1
  }

  mutating func next() -> Element? {
    guard count > 0 else { return nil }
    defer {
      first = (first + 1) % capacity
      count -= 1
    }
    return slots[first]
  }
}

extension FixedQueue: Equatable {
  static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count
    where a.slots[(a.first + index) % capacity] != b.slots[(b.first + index) % capacity] {
      return false
    }
    return true
  }
}
