// SPDX-License-Identifier: Apache-2.0
internal import Sensors

/// The contents of a burst out of the queue.
struct BMI160Frames {
  /// Frames that the chip says it dropped because the queue was full.
  var skipped = 0
  /// True where there was a frame of one sensor alone.
  var isIncomplete = false
  /// True where the end of the burst cut a frame off; the chip gives it again.
  var isCutOff = false
  /// True where something else stood in a header's place.
  var isMisaligned = false

  /// Moves the whole frames among the first `bytes` bytes of `batch` together, to its begin, and
  /// counts them: those with `header`, which are `size` bytes long.
  @inline(__always)
  static func sort(_ batch: inout RawBatch, bytes: Int, header: UInt8, size: Int) -> BMI160Frames {
    var found = BMI160Frames()
    var from = 0
    var to = 0
    batch.frames = 0
    while from < bytes {
      switch batch.byte(from) & ~BMI160Header.tags {
      case header:
        guard from &+ size <= bytes else {
          found.isCutOff = true
          return found
        }
        if from != to {
          for index in 0..<size { batch.bytes[to &+ index] = batch.byte(from &+ index) }
        }
        batch.frames &+= 1
        from &+= size
        to &+= size
      case BMI160Header.accel, BMI160Header.gyro:
        found.isIncomplete = true
        from &+= 7
      case BMI160Header.skipped:
        if from &+ 1 < bytes { found.skipped &+= Int(batch.byte(from &+ 1)) }
        found.isCutOff = from &+ 1 == bytes
        from &+= 2
      case BMI160Header.sensorTime: from &+= 4
      case BMI160Header.configuration: from &+= 2
      case BMI160Header.empty: return found
      default:
        found.isMisaligned = true
        return found
      }
    }
    return found
  }
}
