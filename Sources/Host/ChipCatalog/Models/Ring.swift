// SPDX-License-Identifier: Apache-2.0

/// A ring buffer for a chip's FIFO. A full ring drops its oldest element; an empty ring returns the
/// last element again.
struct Ring<Element> {
  private var elements: [Element]
  private var start = 0
  private(set) var count = 0
  private var last: Element

  init(capacity: Int, filledWith element: Element) {
    elements = [Element](repeating: element, count: capacity)
    last = element
  }

  var capacity: Int { elements.count }

  /// The oldest element, or the last element that was removed if the ring is empty.
  var front: Element { count > 0 ? elements[start] : last }

  /// Appends an element. Returns false if the oldest element was dropped to make room.
  mutating func append(_ element: Element) -> Bool {
    let isFull = count == capacity
    if isFull { drop() }
    elements[(start + count) % capacity] = element
    count += 1
    return !isFull
  }

  mutating func removeFirst() -> Element {
    if count > 0 {
      last = elements[start]
      drop()
    }
    return last
  }

  private mutating func drop() {
    start = (start + 1) % capacity
    count -= 1
  }

  mutating func removeAll() {
    start = 0
    count = 0
  }
}
