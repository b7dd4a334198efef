// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// Physical values of the family's frames.
public struct MPU6050Decoder: FrameDecoder {
  /// The places in a batch of the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
    /// The identity of the part's row; 0: MPU-6050.
    static var part: Int { 2 }
  }

  private let isAccelOnly: Bool
  private let thermometer: (countsPerDegree: Scalar, degreesAtZero: Scalar)
  private let gPerCount: Scalar
  private let radiansPerCount: Scalar

  public init(_ batch: borrowing RawBatch) {
    let identity = batch.format[Format.part]
    // Most are of one part, and need no search.
    let part = identity == 0x68 ? .mpu6050 : MPU6050Part(identity: identity) ?? .mpu6050
    self.init(batch, of: part)
  }

  /// A batch may be older than what the driver knows now.
  @inlinable @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: MPU6050Configuration, with abilities: DriverAbilities
  ) {
    if abilities.contains(.relatives) {
      self.init(batch)
    } else {
      self.init(batch, of: codes.part)
    }
  }

  @inline(__always) @usableFromInline init(_ batch: borrowing RawBatch, of part: MPU6050Part) {
    let accel = MPU6050Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = MPU6050Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps250
    isAccelOnly = batch.frameSize == MPU6050Chip.accelFrameSize
    thermometer = part.thermometer
    gPerCount = accel.gPerCount
    radiansPerCount = gyro.radiansPerSecondPerCount
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    value(batch, frame)
  }

  public func readings(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    for frame in 0..<batch.frames { body(value(batch, frame)) }
  }

  @inline(__always)
  private func value(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: [.acceleration])
    reading.specificForce = batch.bigEndianVector(frame, 0) * gPerCount
    if isAccelOnly { return reading }
    reading.channels = MPU6050Chip.channels
    reading.temperature =
      Scalar(Int(batch.bigEndian(frame, 6))) / thermometer.countsPerDegree
      + thermometer.degreesAtZero
    reading.rotationRate = batch.bigEndianVector(frame, 8) * radiansPerCount
    return reading
  }
}
