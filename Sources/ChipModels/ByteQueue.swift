// SPDX-License-Identifier: Apache-2.0

/// A chip's queue: full, it loses its oldest byte; empty, it repeats its last.
struct ByteQueue {
  private var bytes: [UInt8]
  private var first = 0
  private(set) var count = 0
  private var last: UInt8 = 0

  init(capacity: Int) { bytes = [UInt8](repeating: 0, count: capacity) }

  /// Returns false when a byte was lost.
  mutating func append(_ byte: UInt8) -> Bool {
    bytes[(first + count) % bytes.count] = byte
    if count < bytes.count {
      count += 1
      return true
    }
    first = (first + 1) % bytes.count
    return false
  }

  mutating func removeFirst() -> UInt8 {
    guard count > 0 else { return last }
    last = bytes[first]
    first = (first + 1) % bytes.count
    count -= 1
    return last
  }

  mutating func removeAll() {
    first = 0
    count = 0
  }
}
