// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the LIS3MDL's frames.
public struct LIS3MDLDecoder: FrameDecoder {
  public typealias Codes = LIS3MDLConfiguration

  private let countsPerMicrotesla: Scalar

  public init(_ batch: borrowing RawBatch) {
    let scale = LIS3MDLMap.FullScale(rawValue: batch.format[0]) ?? .gauss4
    countsPerMicrotesla = scale.countsPerMicrotesla
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .magneticField)
    reading.magneticField = batch.littleEndianVector(frame, 0) / countsPerMicrotesla
    if batch.frameSize > LIS3MDLChip.frameSize {
      // 8 counts a degree, 0 at 25 degC (section 2.2, and ST's own driver).
      reading.temperature = 25 + Scalar(batch.littleEndian(frame, 6)) / 8
      reading.channels.insert(.temperature)
    }
    return reading
  }
}
