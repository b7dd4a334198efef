// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the MPU-6050's frames: a pure function of a batch.
public enum MPU6050Decoder {
  /// Where a batch keeps the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
  }

  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    let accel = MPU6050Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = MPU6050Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps250
    let gPerCount = 1 / accel.countsPerG
    let radiansPerCount = radians(fromDegrees: 1) / gyro.countsPerDegreePerSecond
    var reading = ChipReading(channels: MPU6050Facts.channels)
    reading.specificForce =
      Vector3(
        Double(batch.bigEndian(frame, 0)), Double(batch.bigEndian(frame, 2)),
        Double(batch.bigEndian(frame, 4))) * gPerCount
    reading.temperature = MPU6050Facts.temperature(batch.bigEndian(frame, 6))
    reading.rotationRate =
      Vector3(
        Double(batch.bigEndian(frame, 8)), Double(batch.bigEndian(frame, 10)),
        Double(batch.bigEndian(frame, 12))) * radiansPerCount
    return reading
  }
}
