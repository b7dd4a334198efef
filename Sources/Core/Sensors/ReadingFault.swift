// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The reason why a chip's raw values are not valid measurements.
public enum ReadingFault: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// All bits of the raw value are 0, as in the registers of a sensor that sleeps or was reset.
  case zeros
  /// All bits of the code are 1, as on a bus that no chip drives.
  case ones
  /// The code is the chip's code for "no data".
  case noData
  /// Bits of the code that always read 0 are set.
  case unusedBits
  /// The value is outside the part's measuring range.
  case outside
  /// The chip reports that the quantity exceeded the chip's range.
  case overflow
}

extension ChipReading {
  /// Removes `rejected` from the reading's channels, because the raw values of these channels are
  /// not valid measurements. The values stay in the reading, for use in messages.
  @inlinable @inline(__always)
  public mutating func reject(_ rejected: ChannelSet, _ fault: ReadingFault) {
    channels.subtract(rejected)
    invalid.formUnion(rejected)
    self.fault = fault
  }

  /// Adds a scalar channel with `value`. If the value is outside `limits`, rejects the channel and
  /// also `others`, the channels that are computed from it. `ones` is the code with all bits set.
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
  /// `nil` if the bytes differ. Noise and gravity make a measurement with such bytes all but
  /// impossible.
  @inlinable @inline(__always)
  package func uniformity(_ index: Int, _ offset: Int, _ count: Int) -> ReadingFault? {
    let start = index &* frameSize &+ offset
    let first = bytes[start]
    // The check of nearly every frame ends at this comparison.
    guard first == 0x00 || first == 0xFF, bytes[start &+ 1] == first else { return nil }
    let words = bytes.span.extracting(start..<start &+ count)
    for place in 2..<count where words[place] != first { return nil }
    return first == 0x00 ? .zeros : .ones
  }
}
