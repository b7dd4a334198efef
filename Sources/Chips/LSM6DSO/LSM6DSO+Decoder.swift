// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
public import Sensors

/// Physical values of the family's frames. A frame is a burst of registers, or one or two words of
/// the queue with their tags, in the order in which they were in it.
public struct LSM6DSODecoder: FrameDecoder {
  public typealias Codes = LSM6DSOConfiguration

  /// Places in a batch's format: the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
    static var part: Int { 2 }
    static var isQueued: Int { 3 }
    /// The newest temperature beside the queue, low byte first.
    static var temperatureLow: Int { 4 }
    static var temperatureHigh: Int { 5 }
  }

  private let gPerCount: Scalar
  private let radiansPerCount: Scalar
  private let isQueued: Bool
  private let hasGyro: Bool
  private let temperature: Int16

  public init(_ batch: borrowing RawBatch) {
    let accel = LSM6DSOMap.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = LSM6DSOMap.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps250
    let part = LSM6DSOPart(rawValue: batch.format[Format.part]) ?? .expected
    gPerCount = accel.gPerCount * part.accelFactor
    radiansPerCount = gyro.radiansPerCount
    isQueued = batch.format[Format.isQueued] != 0
    hasGyro = batch.frameSize > LSM6DSOChip.wordSize
    temperature = Int16(
      bitPattern: UInt16(batch.format[Format.temperatureHigh]) << 8
        | UInt16(batch.format[Format.temperatureLow]))
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .acceleration)
    guard hasGyro else {
      reading.specificForce = batch.littleEndianVector(frame, isQueued ? 1 : 0) * gPerCount
      return reading
    }
    reading.channels = LSM6DSOChip.channels
    var (gyro, accel) = (2, 8)
    var counts = batch.littleEndian(frame, 0)
    if isQueued {
      let first = batch.byte(frame * batch.frameSize)
      (gyro, accel) = LSM6DSOWords.sensor(first) == .gyro ? (1, 8) : (8, 1)
      counts = temperature
    }
    reading.rotationRate = batch.littleEndianVector(frame, gyro) * radiansPerCount
    reading.specificForce = batch.littleEndianVector(frame, accel) * gPerCount
    reading.temperature = 25 + Scalar(Int(counts)) / LSM6DSOPart.countsPerDegree
    return reading
  }
}

/// The words of a burst out of the queue.
enum LSM6DSOWords {
  /// Returns the sensor that a tag names; `nil` for one of another kind, or whose bits are not even
  /// in number (ST's examples for the queue hold it to be broken then).
  static func sensor(_ tag: UInt8) -> LSM6DSOMap.Tag? {
    guard tag.nonzeroBitCount & 1 == 0 else { return nil }
    return LSM6DSOMap().fifoDataOutTag.contents(tag)({ $0.tagSensor })
  }

  /// Tells whether the `words` words at `place` are one sample: of each sensor a word, all with one
  /// count of the chip's.
  static func isSample(_ batch: borrowing RawBatch, _ place: Int, words: Int) -> Bool {
    let tag = batch.byte(place)
    guard words == 2 else { return sensor(tag) == .accel }
    let next = batch.byte(place + LSM6DSOChip.wordSize)
    let count = LSM6DSOMap().fifoDataOutTag.layout.tagCnt.mask
    guard (tag ^ next) & count == 0 else { return false }
    return sensor(tag) == .gyro && sensor(next) == .accel
      || sensor(tag) == .accel && sensor(next) == .gyro
  }
}
