// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Registers

/// The FIFO of Bosch's IMUs. When it is full it drops and counts whole frames, oldest first. A
/// frame that was read in part is sent again. All memory is allocated at init.
struct FrameQueue {
  private var bytes: [UInt8]
  private var first = 0
  private var used = 0
  /// The lengths of the FIFO's frames in bytes, oldest first, in a ring buffer.
  private var lengths: [UInt8]
  private var firstLength = 0
  private var frames = 0
  /// The number of dropped frames that no skip frame has reported yet.
  private var skipped = 0
  /// The position of the next byte to read in the FIFO's oldest frame.
  private var offset = 0
  /// The position of the next byte to read in the skip frame or the sensor-time frame.
  private var noticeOffset = 0
  /// The number of bytes that the current burst has read past the last frame.
  private var beyond = 0

  /// Creates a FIFO of `size` bytes.
  init(size: Int) {
    bytes = [UInt8](repeating: 0, count: size)
    lengths = bytes
  }

  /// The contents of FIFO_LENGTH: the frames, and the skip frame if frames were dropped.
  var count: Int { used + (skipped > 0 ? 2 : 0) }

  /// Starts a new burst read of the FIFO. A frame that was read in part will be sent again from its
  /// start.
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

  /// Makes room for a frame of `length` bytes, which are then added by `append`. `telling` is true
  /// in header mode, in which two bytes are reserved for the skip frame. Returns false if frames
  /// were dropped.
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

  /// Drops every frame in the FIFO, as if the host had read much too late.
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

  /// Appends the contents of a frame: the header that names the frame's sensors, if `hasHeader`,
  /// and the six registers that start at `gyro` and at `accel`. A parameter is `nil` if its sensor
  /// is not in the frame.
  mutating func append(
    gyro: UInt8?, accel: UInt8?, hasHeader: Bool, of registers: RegisterFile
  ) {
    if hasHeader {
      append(
        accel == nil
          ? BMI160Header.gyro : gyro == nil ? BMI160Header.accel : BMI160Header.gyroAndAccel)
    }
    if let gyro { for address in gyro..<(gyro + 6) { append(registers[address]) } }
    if let accel { for address in accel..<(accel + 6) { append(registers[address]) } }
  }

  private mutating func removeOldest() {
    let length = Int(lengths[firstLength])
    first = (first + length) % bytes.count
    used -= length
    firstLength = (firstLength + 1) % lengths.count
    frames -= 1
    offset = 0
  }

  /// Returns the next byte of a burst. After the last frame the FIFO sends the sensor time once, as
  /// the 24 bits of `time`, and then no more data.
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
