// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the ICM-20948's frames.
public struct ICM20948Decoder: FrameDecoder {
  public typealias Codes = ICM20948Configuration

  /// Places in a batch's format: the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
  }

  private let isAccelOnly: Bool
  private let gPerCount: Scalar
  private let radiansPerCount: Scalar

  public init(_ batch: borrowing RawBatch) {
    let accel = MPU6050Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = MPU6050Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps250
    isAccelOnly = batch.frameSize == ICM20948Chip.accelFrameSize
    gPerCount = accel.gPerCount
    radiansPerCount = gyro.radiansPerSecondPerCount
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: [.acceleration])
    reading.specificForce = batch.bigEndianVector(frame, 0) * gPerCount
    if isAccelOnly { return reading }
    reading.channels = ICM20948Chip.channels
    reading.rotationRate = batch.bigEndianVector(frame, 6) * radiansPerCount
    // 333.87 counts a degree, 0 at 21 degC (section 3.5 and PX4's driver).
    reading.temperature = 21 + Scalar(Int(batch.bigEndian(frame, 12))) / 333.87
    return reading
  }
}
