// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the family's frames.
public struct AK8963Decoder: FrameDecoder {
  public typealias Codes = AK8963Configuration

  /// Places in a batch's format: the factory's adjustments of x, y, z, and whether words have 14
  /// bits.
  enum Format {
    static var adjustment: Int { 0 }
    static var isNarrow: Int { 3 }
  }

  /// Microtesla a count.
  private let scale: Vector3

  public init(_ batch: borrowing RawBatch) { self.init(batch, from: 0) }

  /// Of a batch whose format has what is needed from place `first` on.
  init(_ batch: borrowing RawBatch, from first: Int) {
    let count = AK8963Chip.microteslaPerCount * (batch.format[first + Format.isNarrow] == 0 ? 1 : 4)
    scale =
      Vector3(
        AK8963Chip.factor(of: batch.format[first]),
        AK8963Chip.factor(of: batch.format[first + 1]),
        AK8963Chip.factor(of: batch.format[first + 2])) * count
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .magneticField)
    let counts = batch.littleEndianVector(frame, 0)
    reading.magneticField = Vector3(counts.x * scale.x, counts.y * scale.y, counts.z * scale.z)
    return reading
  }
}
