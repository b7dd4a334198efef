// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the BMI160's frames: a pure function of a batch.
public enum BMI160Decoder {
  /// Where a batch keeps what its decoding needs beside the frames.
  enum Format {
    static var accelRange: Int { 0 }
    static var gyroRange: Int { 1 }
    /// Frames of the queue have no temperature; the newest known one travels here, low byte first.
    static var temperatureLow: Int { 2 }
    static var temperatureHigh: Int { 3 }
  }

  public static func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    let accel = BMI160Map.AccelRange(rawValue: batch.format[Format.accelRange]) ?? .g2
    let gyro = BMI160Map.GyroRange(rawValue: batch.format[Format.gyroRange]) ?? .dps2000
    let gPerCount = 1 / accel.countsPerG
    let radiansPerCount = radians(fromDegrees: 1) / gyro.countsPerDegreePerSecond
    let size = batch.frameSize
    let isQueued =
      size == BMI160Facts.queueFrameSize || size == BMI160Facts.accelQueueFrameSize
    let hasGyro = size == BMI160Facts.queueFrameSize || size == BMI160Facts.registerFrameSize
    // A frame of the queue begins with its header.
    var place = isQueued ? 1 : 0
    var reading = ChipReading(channels: .acceleration)
    if hasGyro {
      reading.rotationRate = vector(batch, frame, place) * radiansPerCount
      reading.channels.insert(.rotationRate)
      place += 6
    }
    reading.specificForce = vector(batch, frame, place) * gPerCount
    let counts =
      isQueued
      ? Int16(
        bitPattern: UInt16(batch.format[Format.temperatureHigh]) << 8
          | UInt16(batch.format[Format.temperatureLow]))
      : batch.littleEndian(frame, size - 2)
    if let temperature = BMI160Facts.temperature(counts) {
      reading.temperature = temperature
      reading.channels.insert(.temperature)
    }
    return reading
  }

  private static func vector(_ batch: borrowing RawBatch, _ frame: Int, _ place: Int) -> Vector3 {
    Vector3(
      Scalar(batch.littleEndian(frame, place)), Scalar(batch.littleEndian(frame, place + 2)),
      Scalar(batch.littleEndian(frame, place + 4)))
  }
}
