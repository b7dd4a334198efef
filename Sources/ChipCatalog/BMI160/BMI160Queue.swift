// SPDX-License-Identifier: Apache-2.0
internal import Chips

/// The BMI160's queue: full, it drops its oldest frames whole and counts them; a frame that was
/// read in part is given again. All its memory is there from the start.
struct BMI160Queue {
  private var bytes = [UInt8](repeating: 0, count: BMI160Chip.fifoSize)
  private var first = 0
  private var used = 0
  /// The lengths of the frames, oldest first, in a ring.
  private var lengths = [UInt8](repeating: 0, count: BMI160Chip.fifoSize)
  private var firstLength = 0
  private var frames = 0
  /// Frames dropped since a reader was last told.
  private var skipped = 0
  /// The place of the burst in the oldest frame.
  private var offset = 0
  /// The place in the notice of skipped frames or of the time.
  private var noticeOffset = 0
  /// Bytes read beyond the last frame in this burst.
  private var beyond = 0
  /// The value of FIFO_LENGTH: frames, and the notice of those that are lost.
  var count: Int { used + (skipped > 0 ? 2 : 0) }

  /// A new burst begins: what was read in part begins again.
  mutating func beginBurst() {
    offset = 0
    noticeOffset = 0
    beyond = 0
  }

  mutating func removeAll() {
    used = 0
    frames = 0
    skipped = 0
    beginBurst()
  }

  /// Makes room for a frame of `length` bytes; its bytes follow by `append`. `telling` where the
  /// mode has headers, in which two bytes are kept for the count of dropped frames. Returns false
  /// where frames were dropped.
  mutating func beginFrame(_ length: Int, telling: Bool) -> Bool {
    var fits = true
    while used + length + (telling && (skipped > 0 || !fits) ? 2 : 0) > bytes.count, frames > 0 {
      removeOldest()
      fits = false
      if telling { skipped = min(skipped + 1, 255) }
    }
    lengths[(firstLength + frames) % lengths.count] = UInt8(length)
    frames += 1
    return fits
  }

  /// Drops every frame, as a reader that came too late would find.
  mutating func dropAll(telling: Bool) {
    if telling { skipped = min(skipped + frames, 255) }
    used = 0
    frames = 0
    beginBurst()
  }

  mutating func append(_ byte: UInt8) {
    bytes[(first + used) % bytes.count] = byte
    used += 1
  }

  private mutating func removeOldest() {
    let length = Int(lengths[firstLength])
    first = (first + length) % bytes.count
    used -= length
    firstLength = (firstLength + 1) % lengths.count
    frames -= 1
    offset = 0
  }

  /// The next byte of a burst. Past the last frame the time is told once, `time` being 24 bits, and
  /// then nothing.
  mutating func read(time: UInt32?) -> UInt8 {
    if skipped > 0, offset == 0 {
      noticeOffset += 1
      if noticeOffset == 1 { return BMI160Header.skipped }
      defer {
        skipped = 0
        noticeOffset = 0
      }
      return UInt8(skipped)
    }
    if frames > 0 {
      let byte = bytes[(first + offset) % bytes.count]
      offset += 1
      if offset == Int(lengths[firstLength]) { removeOldest() }
      return byte
    }
    defer { beyond = min(beyond + 1, 4) }
    guard let time, beyond < 4 else { return BMI160Header.empty }
    return beyond == 0
      ? BMI160Header.sensorTime : UInt8(truncatingIfNeeded: time >> UInt32(8 * (beyond - 1)))
  }
}
