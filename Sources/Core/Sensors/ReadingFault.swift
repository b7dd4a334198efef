// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Why a chip's codes are no measurement.
public enum ReadingFault: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// All bits are 0, as in registers of a sensor that sleeps or was reset.
  case zeros
  /// All bits are 1, as on a bus that no chip drives.
  case ones
  /// The chip's own code for "no data".
  case noData
  /// Bits that always read 0 are set.
  case unusedBits
  /// The value is outside what the part can measure.
  case outside
  /// The chip reports that the quantity exceeded its range.
  case overflow
}

extension ChipReading {
  /// Removes `rejected` from the channels: their codes are no measurement. Their values stay, for
  /// messages.
  @inlinable @inline(__always)
  public mutating func reject(_ rejected: ChannelSet, _ fault: ReadingFault) {
    channels.subtract(rejected)
    invalid.formUnion(rejected)
    self.fault = fault
  }

  /// Adds a scalar channel with `value`, or rejects it, and `others` that are computed from it, if
  /// the value is outside `limits`. `ones` is the code with all bits set.
  @inlinable @inline(__always)
  package mutating func add(
    _ channel: Channel, _ value: Scalar, within limits: ClosedRange<Scalar>?, code: Int, ones: Int,
    with others: ChannelSet = []
  ) {
    scalars[channel] = value
    guard let limits, !limits.contains(value) else {
      channels.insert(ChannelSet(channel))
      return
    }
    reject(
      others.union(ChannelSet(channel)), code == 0 ? .zeros : code == ones ? .ones : .outside)
  }
}

extension RawBatch {
  /// Returns the fault of `count` bytes of frame `index` at `offset` that are all 0x00 or all 0xFF;
  /// `nil` if they differ. Noise and gravity make such a measurement all but impossible.
  @inlinable @inline(__always)
  package func uniformity(_ index: Int, _ offset: Int, _ count: Int) -> ReadingFault? {
    let start = index &* frameSize &+ offset
    let first = bytes[start]
    // Nearly every frame ends here.
    guard first == 0x00 || first == 0xFF, bytes[start &+ 1] == first else { return nil }
    let words = bytes.span.extracting(start..<start &+ count)
    for place in 2..<count where words[place] != first { return nil }
    return first == 0x00 ? .zeros : .ones
  }
}
