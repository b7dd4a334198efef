// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the LSM6DSO, LSM6DSOX, LSM6DSO32 and ISM330DHCX: three-axis accelerometer and
/// gyroscope with a FIFO in which a tag in each word names the sensor.
///
/// The requested bandwidth applies to the accelerometer; the gyroscope's filter follows the rate.
/// The gyroscope is off in low power, and when only detections are requested.
public typealias LSM6DSO<Bus: ChipBus> = RegisterDriver<LSM6DSOChip, Bus>

/// The chip-specific parts of the driver.
public struct LSM6DSOChip: LSM6Chip {
  public typealias Decoder = LSM6DSODecoder

  public var table = ConfigurationTable()
  public var temperature: InlineArray<2, UInt8> = [0, 0]
  var sources = LSM6DS3Sources()

  public init() {}

  public enum Queue: WatermarkQueue {
    public static func port(of driver: borrowing LSM6DSO<some ChipBus>) -> UInt8 {
      LSM6DSOMap().fifoDataOutTag.address
    }

    public static func frameSize(of driver: borrowing LSM6DSO<some ChipBus>) -> Int {
      driver.codes.setWords * wordSize
    }

    /// After an interrupted read the FIFO must be emptied, because the position in a FIFO word is
    /// unknown.
    public static var losesPlace: Bool { true }

    /// The tags of a burst are checked, because data after an unexpected tag cannot be decoded.
    public static var checksFrames: Bool { true }

    /// Reads the FIFO's fill level. A margin of three samples covers samples that arrive between
    /// the read of the count and the read of the samples; otherwise the chip could drop the oldest
    /// sample undetected.
    public static func look(
      _ driver: inout LSM6DSO<some ChipBus>
    ) throws(ChipError) -> QueueLook {
      let status: InlineArray<2, UInt8> = try driver.bus.bytes(from: LSM6DS3Map().fifoStatus1)
      let flags = LSM6DSOMap().fifoStatus2.contents(status[1])
      let words = driver.codes.setWords
      let waiting = (Int(flags { $0.diffFifo } ?? 0) << 8 | Int(status[0])) / words
      return QueueLook(
        waiting: waiting,
        isOverrun: flags { $0.overRunLatched } == true || flags { $0.fifoOvrIa } == true
          || waiting > queueWords / words - 3)
    }
  }

  /// Reads the source registers in one burst, which clears them, and appends their detections.
  public static func lookForDetections<Bus: ChipBus>(
    _ driver: inout LSM6DSO<Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    let kinds = driver.codes.functions.kinds
    guard Bus.abilities.contains(.detections), !kinds.isEmpty else { return }
    let bytes: InlineArray<3, UInt8> = try driver.bus.bytes(from: LSM6DSOMap().wakeUpSrc)
    let isTold = driver.acquires(.detections) && event.edges > 0
    driver.chip.sources.note(
      bytes, at: isTold ? event.edgeTime : driver.now, of: kinds, into: &batch)
  }

  public static func describe(_ batch: inout RawBatch, of driver: borrowing LSM6DSO<some ChipBus>) {
    let isQueued = driver.acquires(.fifo) && !driver.isTesting
    driver.codes.describe(&batch, part: driver.codes.part.rawValue)
    guard isQueued else { return }
    batch.setTemperature(high: driver.chip.temperature[1], low: driver.chip.temperature[0])
    for frame in 0..<batch.frames
    where !LSM6DSOWords.isSample(batch, frame * batch.frameSize, words: driver.codes.setWords) {
      batch.frames = frame
      return
    }
  }

  public static func prepareTable(_ driver: inout LSM6DSO<some ChipBus>) throws(ChipError) {
    driver.chip.table = driver.codes.lines
  }
}

/// Decodes the family's frames to physical values. A frame is a register burst, or one or two FIFO
/// words with their tags, in FIFO order.
public struct LSM6DSODecoder: FrameDecoder {
  public typealias Codes = LSM6DSOConfiguration

  private let gPerCount: Scalar
  private let radiansPerCount: Scalar
  private let isQueued: Bool
  private let hasGyro: Bool

  public init(_ batch: borrowing RawBatch) {
    let units = InertialUnits<Codes>(batch)
    gPerCount = units.gPerCount * (LSM6DSOPart(rawValue: batch.part) ?? .expected).accelFactor
    radiansPerCount = units.radiansPerCount
    isQueued = batch.isTemperatureBeside
    hasGyro = batch.frameSize > LSM6DSOChip.wordSize
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
      counts = batch.temperatureBeside
    }
    reading.rotationRate = batch.littleEndianVector(frame, gyro) * radiansPerCount
    reading.specificForce = batch.littleEndianVector(frame, accel) * gPerCount
    reading.temperature = 25 + Scalar(Int(counts)) / LSM6DSOPart.countsPerDegree
    if let fault = fault(batch, frame) { reading.reject(reading.channels, fault) }
    InertialThermometer.check(&reading)
    return reading
  }

  public func invalidFrames(_ batch: borrowing RawBatch) -> Int {
    guard hasGyro else { return 0 }
    var count = 0
    for frame in 0..<batch.frames where fault(batch, frame) != nil { count += 1 }
    return count
  }

  /// Returns the fault of a frame of both sensors whose bytes, except the tags, are all 0x00 or all
  /// 0xFF.
  private func fault(_ batch: borrowing RawBatch, _ frame: Int) -> ReadingFault? {
    guard isQueued else { return batch.uniformity(frame, 2, 12) }
    guard let first = batch.uniformity(frame, 1, 6), first == batch.uniformity(frame, 8, 6) else {
      return nil
    }
    return first
  }

  public static func limits(of channel: Channel, of part: LSM6DSOPart) -> ClosedRange<Scalar>? {
    channel == .temperature ? InertialThermometer.limits : nil
  }
}

/// Checks of the tags of the words in a FIFO burst.
enum LSM6DSOWords {
  /// Returns the sensor for a tag; `nil` if the tag names no sensor or its parity is odd, which
  /// ST's FIFO examples treat as corrupt.
  static func sensor(_ tag: UInt8) -> LSM6DSOMap.Tag? {
    guard tag.nonzeroBitCount & 1 == 0 else { return nil }
    return LSM6DSOMap().fifoDataOutTag.contents(tag)({ $0.tagSensor })
  }

  /// Returns true if the `words` words at `place` form one sample: one word of each sensor, all
  /// with the same counter value.
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

extension LSM6DSOChip {
  public typealias SelfTest = LSM6SelfTest<LSM6DSOChip>

  /// Returns the values of the self-test. Waits are from ST's example for the family, limits from
  /// DS12140 revision 2, table 2. The register code for 4 g means 8 g on the LSM6DSO32.
  public static func selfTestFacts(of part: LSM6DSOPart) -> LSM6SelfTestFacts {
    LSM6SelfTestFacts(
      family: .lsm6ds3trc, wait: 100_000,
      gPerCount: LSM6DSOMap.AccelFullScale.g4.gPerCount * part.accelFactor, limits: 0.05...1.7)
  }
}
