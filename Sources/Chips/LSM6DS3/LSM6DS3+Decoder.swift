// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the family's frames: a pure function of a batch. A frame is a burst of registers, or the same
/// without the temperature: a set of the queue; or the accelerometer alone. Its size says which.
public enum LSM6DS3Decoder {
  /// Where a batch keeps the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
    static var family: Int { 2 }
  }

  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    let accel = LSM6DS3Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = LSM6DS3Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps245
    var reading = ChipReading(channels: .acceleration)
    var offset = 0
    if batch.frameSize == LSM6DS3Facts.burstSize {
      let family = LSM6DS3Family(rawValue: batch.format[Format.family]) ?? .lsm6ds3trc
      reading.channels.insert(.temperature)
      reading.temperature = 25 + Scalar(batch.littleEndian(frame, 0)) / family.countsPerDegree
      offset = 2
    }
    if batch.frameSize != LSM6DS3Facts.accelSize {
      // The gyroscope comes first, in the registers as in the queue.
      reading.channels.insert(.rotationRate)
      reading.rotationRate =
        vector(batch, frame, offset) * radians(fromDegrees: gyro.degreesPerSecondPerCount)
      offset += 6
    }
    reading.specificForce = vector(batch, frame, offset) * accel.gPerCount
    return reading
  }

  /// Three words, in counts.
  private static func vector(_ batch: borrowing RawBatch, _ frame: Int, _ offset: Int) -> Vector3 {
    Vector3(
      Scalar(batch.littleEndian(frame, offset)), Scalar(batch.littleEndian(frame, offset + 2)),
      Scalar(batch.littleEndian(frame, offset + 4)))
  }
}
