// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the frames of the LSM9DS1's accelerometer and gyroscope. Their sizes say what
/// is in them.
///
/// The arrows of these two sensors (data sheet, figure 1) are left-handed: x points against the
/// magnetometer's x, y and z along its y and z, and each rotation is about its own arrow. Values
/// are in the magnetometer's axes, which are right-handed: x changes its sign.
public struct LSM9DS1Decoder: FrameDecoder {
  public typealias Codes = LSM9DS1Configuration

  /// Places in a batch's format: the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
    /// The newest temperature beside the queue, low byte first.
    static var temperatureLow: Int { 2 }
    static var temperatureHigh: Int { 3 }
  }

  private let gPerCount: Scalar
  private let radiansPerCount: Scalar
  private let temperature: Int16

  public init(_ batch: borrowing RawBatch) {
    let accel = LSM6DS3Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = LSM9DS1Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps245
    gPerCount = LSM9DS1Chip.gPerCount(accel)
    radiansPerCount = gyro.radiansPerCount
    temperature = Int16(
      bitPattern: UInt16(batch.format[Format.temperatureHigh]) << 8
        | UInt16(batch.format[Format.temperatureLow]))
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .acceleration)
    // The accelerometer ends each kind of frame.
    reading.specificForce = vector(batch, frame, batch.frameSize - 6) * gPerCount
    guard batch.frameSize > LSM9DS1Chip.accelBurstSize else { return reading }
    reading.channels = LSM9DS1Chip.channels
    reading.rotationRate = vector(batch, frame, batch.frameSize - 12) * radiansPerCount
    let counts =
      batch.frameSize == LSM9DS1Chip.burstSize ? batch.littleEndian(frame, 0) : temperature
    reading.temperature = 25 + Scalar(Int(counts)) / LSM9DS1Chip.countsPerDegree
    return reading
  }

  private func vector(_ batch: borrowing RawBatch, _ frame: Int, _ offset: Int) -> Vector3 {
    var counts = batch.littleEndianVector(frame, offset)
    counts.x = -counts.x
    return counts
  }
}
