// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// A decoder for one batch. Values that the batch's frames share are computed once.
public protocol FrameDecoder {
  associatedtype Codes: ChipConfiguration

  /// Creates the decoder for a batch from the batch's format alone.
  init(_ batch: borrowing RawBatch)

  /// Creates the decoder for a batch from a driver with the register codes `codes`, over a
  /// connection with `abilities`.
  init(_ batch: borrowing RawBatch, of codes: Codes, with abilities: DriverAbilities)

  /// Returns the physical values of one frame, in the chip's axes.
  func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading

  /// Returns the smallest and the largest value that `part` can measure according to its data
  /// sheet, in the unit of `channel`; `nil` if the full scale of the part is the only limit.
  static func limits(of channel: Channel, of part: Codes.Part) -> ClosedRange<Scalar>?

  /// Calls `body` with the physical values of every frame, oldest first.
  func readings(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void)
}

extension FrameDecoder {
  @inlinable @inline(__always)
  public init(_ batch: borrowing RawBatch, of codes: Codes, with abilities: DriverAbilities) {
    self.init(batch)
  }

  // `readings` is inlined into the chip's module, so that the loop in `readings` calls `reading`
  // directly.
  @inlinable @inline(__always)
  public func readings(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    for frame in 0..<batch.frames { body(reading(batch, frame)) }
  }

  /// Returns the physical values of one frame in a batch, decoded according to the batch's format.
  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    Self(batch).reading(batch, frame)
  }
}
