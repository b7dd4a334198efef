// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the LIS3MDL's frames: a pure function of a batch.
public enum LIS3MDLDecoder {
  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    let scale = LIS3MDLMap.FullScale(rawValue: batch.format[0]) ?? .gauss4
    var reading = ChipReading(channels: .magneticField)
    reading.magneticField =
      Vector3(
        Scalar(batch.littleEndian(frame, 0)), Scalar(batch.littleEndian(frame, 2)),
        Scalar(batch.littleEndian(frame, 4))) / scale.countsPerMicrotesla
    if batch.frameSize > LIS3MDLFacts.frameSize {
      // 8 counts a degree, 0 at 25 degC (section 2.2, and ST's own driver).
      reading.temperature = 25 + Scalar(batch.littleEndian(frame, 6)) / 8
      reading.channels.insert(.temperature)
    }
    return reading
  }
}
