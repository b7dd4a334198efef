// SPDX-License-Identifier: Apache-2.0

/// The newest values of a sequence, at most `capacity`, stored without an array. `self[0]` is the
/// oldest value. The type also serves as a queue, which drops its oldest values if they are not
/// read.
struct Latest<let capacity: Int, Value: Equatable & Sendable & BitwiseCopyable>: Sendable {
  private var storage: InlineArray<capacity, Value>
  private var first = 0
  private(set) var count = 0

  /// Creates an empty sequence. `placeholder` fills the unused memory.
  init(placeholder: Value) { storage = InlineArray(repeating: placeholder) }

  // Both accessors of an element are mutating although they change nothing, because otherwise the
  // compiler copies the whole sequence for each element.
  subscript(index: Int) -> Value { mutating get { storage[(first + index) % capacity] } }

  var last: Value? { mutating get { count > 0 ? self[count - 1] : nil } }

  /// Appends a value. Drops the oldest value if there is no room.
  mutating func append(_ value: Value) {
    if count == capacity { removeFirst() }
    storage[(first + count) % capacity] = value
    count += 1
  }

  mutating func remove(_ number: Int, at index: Int) {
    guard number > 0 else { return }
    var place = index
    while place + number < count {
      storage[(first + place) % capacity] = self[place + number]
      place += 1
    }
    count = place
  }

  mutating func removeFirst() {
    guard count > 0 else { return }
    first = (first + 1) % capacity
    count -= 1
  }

  /// Removes and returns the oldest value; `nil` if the sequence is empty.
  mutating func next() -> Value? {
    guard count > 0 else { return nil }
    defer { removeFirst() }
    return self[0]
  }

  mutating func removeAll() { count = 0 }
}

extension Latest: Equatable {
  static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count
    where a.storage[(a.first + index) % capacity] != b.storage[(b.first + index) % capacity] {
      return false
    }
    return true
  }
}
