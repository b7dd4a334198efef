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
    let size = batch.frameSize
    return decode(
      batch, frame: frame,
      isQueued: size == BMI160Facts.queueFrameSize || size == BMI160Facts.accelQueueFrameSize,
      hasGyro: size == BMI160Facts.queueFrameSize || size == BMI160Facts.registerFrameSize)
  }

  /// Of a batch whose kind of frame is known.
  @inline(__always)
  static func decode(_ batch: borrowing RawBatch, frame: Int, isQueued: Bool, hasGyro: Bool)
    -> ChipReading
  {
    let accel = BMI160Map.AccelRange(rawValue: batch.format[Format.accelRange]) ?? .g2
    let gyro = BMI160Map.GyroRange(rawValue: batch.format[Format.gyroRange]) ?? .dps2000
    let radiansPerCount = radians(fromDegrees: 1) / gyro.countsPerDegreePerSecond
    // A frame of the queue begins with its header.
    var place = isQueued ? 1 : 0
    var reading = ChipReading(channels: .acceleration)
    if hasGyro {
      reading.rotationRate = vector(batch, frame, place) * radiansPerCount
      reading.channels.insert(.rotationRate)
      place += 6
    }
    reading.specificForce = vector(batch, frame, place) * accel.gPerCount
    let counts =
      isQueued
      ? Int16(
        bitPattern: UInt16(batch.format[Format.temperatureHigh]) << 8
          | UInt16(batch.format[Format.temperatureLow]))
      : batch.littleEndian(frame, batch.frameSize - 2)
    if let temperature = BMI160Facts.temperature(counts) {
      reading.temperature = temperature
      reading.channels.insert(.temperature)
    }
    return reading
  }

  private static func vector(_ batch: borrowing RawBatch, _ frame: Int, _ place: Int) -> Vector3 {
    batch.littleEndianVector(frame, place)
  }
}
