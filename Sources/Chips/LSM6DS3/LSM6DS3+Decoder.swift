// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// Physical values of the family's frames. A frame is a burst of registers, or the same without the
/// temperature: a set of the queue; or the accelerometer alone. Its size says which.
public struct LSM6DS3Decoder: FrameDecoder {
  public typealias Codes = LSM6DS3Configuration

  /// The places in a batch of the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
    static var family: Int { 2 }
    /// The place of the flag that the newest temperature travels here, low byte first, and not in
    /// the frames.
    static var isTemperatureBeside: Int { 3 }
    static var temperatureLow: Int { 4 }
    static var temperatureHigh: Int { 5 }
  }

  private let gPerCount: Scalar
  private let radiansPerCount: Scalar
  private let countsPerDegree: Scalar
  private let hasTemperature: Bool
  private let isTemperatureBeside: Bool
  private let isAccelAlone: Bool

  public init(_ batch: borrowing RawBatch) { self.init(batch, within: .all) }

  @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: LSM6DS3Configuration, with abilities: DriverAbilities
  ) { self.init(batch, within: abilities) }

  /// A set of the queue has no temperature, and but for low power there is a gyroscope.
  @inline(__always)
  private init(_ batch: borrowing RawBatch, within abilities: DriverAbilities) {
    let accel = LSM6DS3Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = LSM6DS3Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps245
    let family = LSM6DS3Family(rawValue: batch.format[Format.family]) ?? .lsm6ds3trc
    gPerCount = accel.gPerCount
    radiansPerCount = radians(fromDegrees: gyro.degreesPerSecondPerCount)
    countsPerDegree = family.countsPerDegree
    hasTemperature =
      !abilities.isDisjoint(with: [.dataReady, .polling])
      && batch.frameSize == LSM6DS3Chip.burstSize
    isTemperatureBeside =
      abilities.isSuperset(of: [.fifo, .dataReady])
      && batch.format[Format.isTemperatureBeside] != 0
    isAccelAlone =
      abilities.contains(.lowPower) && batch.frameSize == LSM6DS3Chip.accelSize
  }

  @inline(__always)
  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .acceleration)
    var offset = 0
    if hasTemperature {
      reading.channels.insert(.temperature)
      reading.temperature = 25 + Scalar(Int(batch.littleEndian(frame, 0))) / countsPerDegree
      offset = 2
    } else if isTemperatureBeside {
      let counts = Int16(
        bitPattern: UInt16(batch.format[Format.temperatureHigh]) << 8
          | UInt16(batch.format[Format.temperatureLow]))
      reading.channels.insert(.temperature)
      reading.temperature = 25 + Scalar(Int(counts)) / countsPerDegree
    }
    if !isAccelAlone {
      // The gyroscope comes first, in the registers as in the queue.
      reading.channels.insert(.rotationRate)
      reading.rotationRate = vector(batch, frame, offset, radiansPerCount)
      offset += 6
    }
    reading.specificForce = vector(batch, frame, offset, gPerCount)
    return reading
  }

  private func vector(
    _ batch: borrowing RawBatch, _ frame: Int, _ offset: Int, _ unit: Scalar
  ) -> Vector3 {
    batch.littleEndianVector(frame, offset) * unit
  }
}
