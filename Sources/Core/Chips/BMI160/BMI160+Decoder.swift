// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// Decodes the BMI160's frames to physical values.
public struct BMI160Decoder: FrameDecoder {
  public typealias Codes = BMI160Configuration

  private let units: InertialUnits<Codes>
  private let isQueued: Bool
  private let hasGyro: Bool

  public init(_ batch: borrowing RawBatch) {
    let size = batch.frameSize
    self.init(
      batch, isQueued: size == BMI160Chip.queueFrameSize || size == BMI160Chip.accelQueueFrameSize,
      hasGyro: size == BMI160Chip.queueFrameSize || size == BMI160Chip.registerFrameSize)
  }

  @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: BMI160Configuration, with abilities: DriverAbilities
  ) {
    let ways = abilities.intersection([.dataReady, .polling, .fifo])
    if ways == .fifo || !ways.contains(.fifo), abilities.isDisjoint(with: [.lowPower, .detections])
    {
      // If samples come only from the FIFO, or only from the registers, all frames of a batch are
      // of the same kind.
      self.init(batch, isQueued: ways == .fifo, hasGyro: true)
    } else {
      self.init(batch)
    }
  }

  @inline(__always)
  private init(_ batch: borrowing RawBatch, isQueued: Bool, hasGyro: Bool) {
    units = InertialUnits(batch)
    self.isQueued = isQueued
    self.hasGyro = hasGyro
  }

  @inline(__always)
  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    // A FIFO frame begins with a header byte.
    var place = isQueued ? 1 : 0
    var reading = ChipReading(channels: .acceleration)
    if hasGyro {
      reading.rotationRate = batch.littleEndianVector(frame, place) * units.radiansPerCount
      reading.channels.insert(.rotationRate)
      place += 6
    }
    reading.specificForce = batch.littleEndianVector(frame, place) * units.gPerCount
    let counts =
      isQueued ? batch.separateTemperature : batch.littleEndian(frame, batch.frameSize - 2)
    if let temperature = BMI160Chip.temperature(counts) {
      reading.temperature = temperature
      reading.channels.insert(.temperature)
    }
    if hasGyro, let fault = batch.uniformity(frame, isQueued ? 1 : 0, 12) {
      reading.reject(reading.channels, fault)
    }
    InertialThermometer.check(&reading)
    return reading
  }

  public static func limits(of channel: Channel, of part: BMI160Part) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}

/// The numbers of frames of each kind in one FIFO burst.
struct BMI160Frames {
  /// The number of frames that the chip dropped because the FIFO was full, as the chip reports it.
  var skipped = 0
  /// True if a frame holds data from only one sensor.
  var isIncomplete = false
  /// True if the burst ended inside a frame; the next burst returns that frame again.
  var isCutOff = false
  /// True if a byte at the position of a header is not a valid header.
  var isMisaligned = false

  /// True if every frame in the burst holds all sensors and the chip reported no dropped frames.
  var isWhole: Bool { skipped == 0 && !isIncomplete && !isMisaligned }

  /// Moves the complete frames among the first `bytes` bytes of `batch` to the start of the batch,
  /// and counts the frames. A complete frame starts with `header` and has `size` bytes.
  @inline(__always)
  static func sort(_ batch: inout RawBatch, bytes: Int, header: UInt8, size: Int) -> BMI160Frames {
    var found = BMI160Frames()
    var from = 0
    var to = 0
    batch.frames = 0
    while from < bytes {
      switch batch.byte(from) & ~BMI160Header.tags {
      case header:
        guard from &+ size <= bytes else {
          found.isCutOff = true
          return found
        }
        if from != to {
          for index in 0..<size { batch.bytes[to &+ index] = batch.byte(from &+ index) }
        }
        batch.frames &+= 1
        from &+= size
        to &+= size
      case BMI160Header.accel, BMI160Header.gyro:
        found.isIncomplete = true
        from &+= 7
      case BMI160Header.skipped:
        if from &+ 1 < bytes { found.skipped &+= Int(batch.byte(from &+ 1)) }
        found.isCutOff = from &+ 1 == bytes
        from &+= 2
      case BMI160Header.sensorTime: from &+= 4
      case BMI160Header.configuration: from &+= 2
      case BMI160Header.empty: return found
      default:
        found.isMisaligned = true
        return found
      }
    }
    return found
  }
}
