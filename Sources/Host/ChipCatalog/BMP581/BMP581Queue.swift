// SPDX-License-Identifier: Apache-2.0

/// The FIFO of a BMP581: 32 frames of one quantity, or 16 of both (section 4.6; Bosch's API). A
/// full FIFO drops its oldest frame.
struct BMP581Queue {
  /// The code of a quantity that was not measured.
  static var none: UInt32 { 0x7F_7F7F }

  private var frames = Ring(capacity: 32, filledWith: InlineArray<6, UInt8>(repeating: 0x7F))
  /// The number of bytes of the oldest frame that were already read.
  private var taken = 0
  /// The size of a frame in bytes; 0 if the FIFO is off.
  var size = 0

  var count: Int { frames.count }

  var capacity: Int { size == 6 ? 16 : 32 }

  mutating func removeAll() {
    frames.removeAll()
    taken = 0
  }

  /// Makes the next read begin with the first byte of the oldest frame.
  mutating func rewind() { taken = 0 }

  mutating func append(_ first: UInt32?, _ second: UInt32?, stopsWhenFull: Bool) {
    if count == capacity {
      guard !stopsWhenFull else { return }
      _ = frames.removeFirst()
      taken = 0
    }
    let word = first ?? second ?? Self.none
    var frame = InlineArray<6, UInt8>(repeating: 0x7F)
    for index in 0..<3 {
      frame[index] = UInt8(truncatingIfNeeded: word >> (8 * UInt32(index)))
      frame[index + 3] = UInt8(truncatingIfNeeded: (second ?? Self.none) >> (8 * UInt32(index)))
    }
    _ = frames.append(frame)
  }

  /// Fills the FIFO with copies of its oldest frame.
  mutating func overrun() {
    let oldest = frames.front
    while count < capacity { _ = frames.append(oldest) }
  }

  /// Returns the next byte; 0x7F if the FIFO is empty.
  mutating func takeByte() -> UInt8 {
    guard count > 0 else { return 0x7F }
    let byte = frames.front[taken]
    taken += 1
    if taken == size {
      _ = frames.removeFirst()
      taken = 0
    }
    return byte
  }
}
