// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the family's frames.
public struct LPS2xDecoder: FrameDecoder {
  public typealias Codes = LPS2xConfiguration

  private let part: LPS2xPart

  public init(_ batch: borrowing RawBatch) {
    part = LPS2xPart(rawValue: batch.format[0]) ?? .expected
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    let start = frame * batch.frameSize
    let high = Int32(Int8(bitPattern: batch.byte(start + 2)))
    let counts = high << 16 | Int32(batch.byte(start + 1)) << 8 | Int32(batch.byte(start))
    var reading = ChipReading(channels: [.pressure, .temperature])
    reading.pressure = Scalar(counts) / LPS2xChip.countsPerKilopascal
    reading.temperature =
      part.zeroCountsDegrees + Scalar(batch.littleEndian(frame, 3)) / part.countsPerDegree
    return reading
  }
}
