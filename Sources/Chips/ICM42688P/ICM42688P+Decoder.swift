// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the ICM-42688-P's frames.
public struct ICM42688PDecoder: FrameDecoder {
  public typealias Codes = ICM42688PConfiguration

  /// Places in a batch's format: what decoding needs beside the frames.
  enum Format {
    static var accelRange: Int { 0 }
    static var gyroRange: Int { 1 }
    static var frame: Int { 2 }
  }

  private let gPerCount: Scalar
  private let radiansPerCount: Scalar
  private let frame: ICM42688PFrame

  public init(_ batch: borrowing RawBatch) {
    let accel = ICM42688PMap.AccelRange(rawValue: batch.format[Format.accelRange]) ?? .g16
    let gyro = ICM42688PMap.GyroRange(rawValue: batch.format[Format.gyroRange]) ?? .dps2000
    frame = ICM42688PFrame(rawValue: batch.format[Format.frame]) ?? .registers
    gPerCount = accel.gPerCount
    // 19 bits have 131 counts a degree per second (table 1), and travel as 20.
    radiansPerCount =
      radians(fromDegrees: 1)
      / (frame == .packet4 ? 131.0 / 8 : gyro.countsPerDegreePerSecond)
  }

  public func reading(_ batch: borrowing RawBatch, _ index: Int) -> ChipReading {
    var reading = ChipReading(channels: [.acceleration, .temperature])
    // Temperature before the sensors in the registers, the header before them in a packet.
    let place = frame.isPacket ? 1 : 2
    let start = index * frame.size
    var force = batch.bigEndianVector(index, place)
    if frame == .packet4 { force += rest(batch, start, shift: 4) }
    reading.specificForce = force * gPerCount
    if frame.hasGyro {
      var turn = batch.bigEndianVector(index, place + 6)
      if frame == .packet4 { turn += rest(batch, start, shift: 0) }
      reading.rotationRate = turn * radiansPerCount
      reading.channels.insert(.rotationRate)
    }
    switch frame {
    case .packet1, .packet3:
      // 2.07 counts a degree (section 6.1).
      let counts = Int8(bitPattern: batch.byte(start + (frame == .packet1 ? 7 : 13)))
      reading.temperature = 25 + Scalar(Int(counts)) / 2.07
    default:
      // 132.48 counts a degree, 0 at 25 degC (section 4.13).
      let counts = batch.bigEndian(index, frame == .packet4 ? 13 : 0)
      reading.temperature = 25 + Scalar(Int(counts)) / 132.48
    }
    return reading
  }

  /// Returns the lowest four bits of each axis, in counts of sixteen.
  private func rest(_ batch: borrowing RawBatch, _ start: Int, shift: UInt8) -> Vector3 {
    func part(_ axis: Int) -> Scalar {
      Scalar(Int(batch.byte(start + 17 + axis) >> shift & 0x0F)) / 16
    }
    return Vector3(part(0), part(1), part(2))
  }
}
