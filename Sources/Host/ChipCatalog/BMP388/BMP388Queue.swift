// SPDX-License-Identifier: Apache-2.0

/// The FIFO of a BMP388 or BMP390: 512 bytes of frames of several kinds, each with a header
/// (BST-BMP388-DS001, section 3.6; Bosch's BMP3 driver and DFRobot's have the same headers).
///
/// A frame that was read in part is sent again from its header with the next read, as in Bosch's
/// other parts (BST-BMI160-DS000-07, section 2.5). If the buffer of Bosch's BMP3 driver ends inside
/// a frame, the driver leaves that frame to the next read.
struct BMP388Queue {
  /// The kinds of FIFO frames, which are the values of their headers. A header tells which
  /// quantities follow.
  enum Header {
    static var pressureAndTemperature: UInt8 { 0x94 }
    static var temperature: UInt8 { 0x90 }
    static var pressure: UInt8 { 0x84 }
    static var time: UInt8 { 0xA0 }
    static var configurationChange: UInt8 { 0x48 }
    static var error: UInt8 { 0x44 }
    static var empty: UInt8 { 0x80 }
  }

  struct Frame {
    fileprivate(set) var bytes: InlineArray<7, UInt8>
    fileprivate(set) var size = 1

    init(_ header: UInt8) { bytes = InlineArray(repeating: header) }

    mutating func append(_ byte: UInt8) {
      guard size < 7 else { return }
      bytes[size] = byte
      size += 1
    }

    /// Appends a number of 24 bits to a frame, lowest byte first.
    mutating func append(_ bits: UInt32) {
      for index in 0..<3 as Range<UInt32> {
        append(UInt8(truncatingIfNeeded: bits >> (8 * index)))
      }
    }
  }

  static let capacity = 512

  // The smallest FIFO frame has two bytes.
  private var frames = Ring(capacity: capacity / 2, filledWith: Frame(Header.empty))
  private var bytes = 0
  /// The number of bytes of the FIFO's oldest frame that were already read.
  private var taken = 0
  /// The frame that a read beyond the last frame returns: the sensor time once, then empty frames.
  private var beyond = Frame(Header.empty)
  private var takenBeyond = 0
  private var hasSentTime = false

  /// The number of bytes in the FIFO. A frame that was read only in part counts as a whole.
  var length: Int { bytes }

  /// Begins a new burst, which starts with the header of the oldest frame.
  mutating func beginBurst() {
    taken = 0
    takenBeyond = 0
  }

  mutating func removeAll() {
    frames.removeAll()
    bytes = 0
    taken = 0
    takenBeyond = 0
    hasSentTime = false
  }

  /// Appends a frame. A full FIFO drops its oldest frames, or the new frame if `stopsWhenFull`.
  mutating func append(_ frame: Frame, stopsWhenFull: Bool = false) {
    while bytes + frame.size > Self.capacity {
      guard !stopsWhenFull, frames.count > 0 else { return }
      removeFirst()
    }
    _ = frames.append(frame)
    bytes += frame.size
    hasSentTime = false
  }

  /// Fills the FIFO with copies of its oldest frame until the oldest frame itself is lost.
  mutating func overrun() {
    let oldest = frames.front
    for _ in 0...(Self.capacity / oldest.size) { append(oldest) }
  }

  private mutating func removeFirst() {
    bytes -= frames.front.size
    _ = frames.removeFirst()
    taken = 0
  }

  /// Returns the next byte of the FIFO. A read beyond the last frame returns the sensor time once,
  /// if the sensor time is enabled, and then empty frames.
  mutating func takeByte(time: UInt32?) -> UInt8 {
    guard frames.count > 0 else { return takeByteBeyond(time: time) }
    let byte = frames.front.bytes[taken]
    taken += 1
    if taken == frames.front.size { removeFirst() }
    takenBeyond = 0
    return byte
  }

  private mutating func takeByteBeyond(time: UInt32?) -> UInt8 {
    if takenBeyond == 0 {
      if let time, !hasSentTime {
        beyond = Frame(Header.time)
        beyond.append(time)
        hasSentTime = true
      } else {
        beyond = Frame(Header.empty)
        beyond.append(UInt8(0))
      }
    }
    let byte = beyond.bytes[takenBeyond]
    takenBeyond = takenBeyond + 1 == beyond.size ? 0 : takenBeyond + 1
    return byte
  }
}
