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
    Scale(batch, of: part(of: batch)).reading(batch, frame)
  }

  /// One frame of `part`.
  static func decode(_ batch: borrowing RawBatch, of part: MPU6050Part, frame: Int) -> ChipReading {
    Scale(batch, of: part).reading(batch, frame)
  }

  /// All frames of `part`.
  static func decode(
    _ batch: borrowing RawBatch, of part: MPU6050Part, _ body: (ChipReading) -> Void
  ) {
    let scale = Scale(batch, of: part)
    for frame in 0..<batch.frames { body(scale.reading(batch, frame)) }
  }

  /// The part that a batch is of.
  static func part(of batch: borrowing RawBatch) -> MPU6050Part {
    let identity = batch.format[Format.part]
    // Most are one, and need no search.
    return identity == 0x68 ? .mpu6050 : MPU6050Part(identity: identity) ?? .mpu6050
  }

  /// What the counts of a batch's frames mean.
  private struct Scale {
    private let isAccelOnly: Bool
    private let countsPerDegree: Scalar
    private let degreesAtZero: Scalar
    private let gPerCount: Scalar
    private let radiansPerCount: Scalar

    init(_ batch: borrowing RawBatch, of part: MPU6050Part) {
      let accel = MPU6050Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
      let gyro = MPU6050Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps250
      isAccelOnly = batch.frameSize != MPU6050Facts.frameSize
      countsPerDegree = part.countsPerDegree
      degreesAtZero = part.degreesAtZero
      gPerCount = accel.gPerCount
      radiansPerCount = gyro.radiansPerSecondPerCount
    }

    @inline(__always)
    func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
      var reading = ChipReading(channels: [.acceleration])
      reading.specificForce = batch.bigEndianVector(frame, 0) * gPerCount
      if isAccelOnly { return reading }
      reading.channels = MPU6050Facts.channels
      reading.temperature =
        MPU6050Part.temperature(batch.bigEndian(frame, 6), countsPerDegree, degreesAtZero)
      reading.rotationRate = batch.bigEndianVector(frame, 8) * radiansPerCount
      return reading
    }
  }
}
