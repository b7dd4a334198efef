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
    Scale(batch).reading(batch, frame)
  }

  static func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    let scale = Scale(batch)
    for frame in 0..<batch.frames { body(scale.reading(batch, frame)) }
  }

  /// What the counts of a batch's frames mean.
  private struct Scale {
    private let isAccelOnly: Bool
    private let part: MPU6050Part
    private let gPerCount: Scalar
    private let radiansPerCount: Scalar

    init(_ batch: borrowing RawBatch) {
      let accel = MPU6050Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
      let gyro = MPU6050Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps250
      let identity = batch.format[Format.part]
      isAccelOnly = batch.frameSize != MPU6050Facts.frameSize
      // Most are one, and need no search.
      part = identity == 0x68 ? .mpu6050 : MPU6050Part(identity: identity) ?? .mpu6050
      gPerCount = 1 / accel.countsPerG
      radiansPerCount = radians(fromDegrees: 1) / gyro.countsPerDegreePerSecond
    }

    @inline(__always)
    func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
      var reading = ChipReading(channels: [.acceleration])
      reading.specificForce = batch.bigEndianVector(frame, 0) * gPerCount
      if isAccelOnly { return reading }
      reading.channels = MPU6050Facts.channels
      reading.temperature = part.temperature(batch.bigEndian(frame, 6))
      reading.rotationRate = batch.bigEndianVector(frame, 8) * radiansPerCount
      return reading
    }
  }
}
