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
    let isQueued = batch.frameSize == BMI160Facts.queueFrameSize
    // A frame of the queue begins with its header.
    let first = isQueued ? 1 : 0
    var reading = ChipReading(channels: [.acceleration, .rotationRate])
    reading.rotationRate =
      Vector3(
        Double(batch.littleEndian(frame, first)), Double(batch.littleEndian(frame, first + 2)),
        Double(batch.littleEndian(frame, first + 4))) * radiansPerCount
    reading.specificForce =
      Vector3(
        Double(batch.littleEndian(frame, first + 6)), Double(batch.littleEndian(frame, first + 8)),
        Double(batch.littleEndian(frame, first + 10))) * gPerCount
    let counts =
      isQueued
      ? Int16(
        bitPattern: UInt16(batch.format[Format.temperatureHigh]) << 8
          | UInt16(batch.format[Format.temperatureLow]))
      : batch.littleEndian(frame, 20)
    if let temperature = BMI160Facts.temperature(counts) {
      reading.temperature = temperature
      reading.channels = BMI160Facts.channels
    }
    return reading
  }
}
