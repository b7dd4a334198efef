// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the LIS3MDL's frames: a pure function of a batch.
public enum LIS3MDLDecoder {
  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    let scale = LIS3MDLMap.FullScale(rawValue: batch.format[0]) ?? .gauss4
    var reading = ChipReading(channels: LIS3MDLFacts.channels)
    reading.magneticField =
      Vector3(
        Double(batch.littleEndian(frame, 0)), Double(batch.littleEndian(frame, 2)),
        Double(batch.littleEndian(frame, 4))) / scale.countsPerMicrotesla
    return reading
  }
}
