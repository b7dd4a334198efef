// SPDX-License-Identifier: Apache-2.0
public import Quantities

// Default functions of a decoder whose codes are all measurements.
extension FrameDecoder {
  @inlinable @inline(__always)
  public static func limits(of channel: Channel, of part: Codes.Part) -> ClosedRange<Scalar>? {
    nil
  }

  @inlinable @inline(__always)
  public func invalidFrames(_ batch: borrowing RawBatch) -> Int { 0 }

  /// Returns the number of frames of a batch that decode to a rejected channel, for decoders of
  /// slow chips.
  @inlinable
  package func countInvalid(_ batch: borrowing RawBatch) -> Int {
    var count = 0
    for frame in 0..<batch.frames where !reading(batch, frame).invalid.isEmpty { count &+= 1 }
    return count
  }

  /// Returns the number of frames of a batch whose `count` bytes at `offset` are all 0x00 or all
  /// 0xFF.
  @inlinable @inline(__always)
  package func countUniform(_ batch: borrowing RawBatch, _ offset: Int, _ count: Int) -> Int {
    var found = 0
    for frame in 0..<batch.frames where batch.uniformity(frame, offset, count) != nil {
      found &+= 1
    }
    return found
  }
}
