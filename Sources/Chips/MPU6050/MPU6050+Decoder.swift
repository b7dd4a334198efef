// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the family's frames: a pure function of a batch.
public enum MPU6050Decoder {
  /// Where a batch keeps the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
    /// The identity of the part's row; 0: MPU-6050.
    static var part: Int { 2 }
  }

  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    let accel = MPU6050Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    var reading = ChipReading(channels: [.acceleration])
    reading.specificForce =
      Vector3(
        Double(batch.bigEndian(frame, 0)), Double(batch.bigEndian(frame, 2)),
        Double(batch.bigEndian(frame, 4))) * (1 / accel.countsPerG)
    guard batch.frameSize == MPU6050Facts.frameSize else { return reading }
    let identity = batch.format[Format.part]
    // Most are one, and need no search.
    let part =
      identity == 0x68 ? .mpu6050 : MPU6050Part(identity: identity) ?? .mpu6050
    let gyro = MPU6050Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps250
    reading.channels = MPU6050Facts.channels
    reading.temperature = part.temperature(batch.bigEndian(frame, 6))
    reading.rotationRate =
      Vector3(
        Double(batch.bigEndian(frame, 8)), Double(batch.bigEndian(frame, 10)),
        Double(batch.bigEndian(frame, 12)))
      * (radians(fromDegrees: 1) / gyro.countsPerDegreePerSecond)
    return reading
  }
}
