// SPDX-License-Identifier: Apache-2.0
public import Quantities

// Default functions for decoders of chips whose raw values are always valid measurements.
extension FrameDecoder {
  @inlinable @inline(__always)
  public static func limits(of channel: Channel, of part: Codes.Part) -> ClosedRange<Scalar>? {
    nil
  }

  /// Returns the number of frames that contain raw values which are not valid measurements. These
  /// are the frames from which `reading` rejects a channel.
  @inlinable
  public func invalidFrames(_ batch: borrowing RawBatch) -> Int {
    var count = 0
    for frame in 0..<batch.frames where !reading(batch, frame).invalid.isEmpty { count &+= 1 }
    return count
  }
}
