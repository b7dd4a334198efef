// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// A chip of the LSM6 family whose FIFO consists of words, each with a tag that names its sensor.
public protocol LSM6TaggedChip: LSM6Chip where Codes: LSM6TaggedCodes {
  /// The size of the FIFO in words.
  static var queueWords: Int { get }
  /// The first of the two registers with the FIFO's fill level and flags.
  static var queueStatus: RO<WholeByte> { get }
  /// The mask of the word count's high bits in the second of the two FIFO status registers.
  static var countHighMask: UInt8 { get }
  /// True if bit 0 of a tag makes the number of ones in the tag even.
  static var hasTagParity: Bool { get }
  /// The first of the three source registers for detections: wake-up, tap and orientation.
  static var detectionSources: RO<WholeByte> { get }

  /// The state of the detections between polls.
  var sources: LSM6DS3Sources { get set }
}

/// The register codes for a chip of the LSM6 family with a tagged FIFO.
public protocol LSM6TaggedCodes: LSM6Codes, InertialCodes {
  /// The detections that are configured.
  var detectionKinds: DetectionSet { get }
  /// All register writes of the configuration.
  var rows: ConfigurationTable { get }
  /// The code of the part in a batch's format.
  var partCode: UInt8 { get }
}

extension LSM6TaggedCodes {
  public var abilities: DriverAbilities {
    detectionKinds.isEmpty ? readout.abilities : readout.abilities.union(.detections)
  }

  /// The number of FIFO words in a sample.
  public var setWords: Int { isAccelAlone ? 1 : 2 }

  public var partCode: UInt8 { 0 }
}

/// The FIFO of a chip with tags.
public protocol LSM6TaggedQueue: WatermarkQueue where Chip: LSM6TaggedChip {}

extension LSM6TaggedQueue {
  public static func port(of driver: borrowing RegisterDriver<Chip, some ChipBus>) -> UInt8 {
    LSM6DSOMap().fifoDataOutTag.address
  }

  public static func frameSize(of driver: borrowing RegisterDriver<Chip, some ChipBus>) -> Int {
    driver.codes.setWords * LSM6TaggedFrames.wordSize
  }

  /// After an interrupted read the FIFO must be emptied, because the position in a FIFO word is
  /// unknown.
  public static var losesAlignment: Bool { true }

  /// The tags of a burst are checked, because data after an unexpected tag cannot be decoded.
  public static var checksFrames: Bool { true }

  /// Reads the FIFO's fill level. A margin of three samples covers samples that arrive between the
  /// read of the count and the read of the samples; otherwise the chip could drop the oldest sample
  /// undetected.
  public static func readFillLevel(
    _ driver: inout RegisterDriver<Chip, some ChipBus>
  ) throws(ChipError) -> FillLevel {
    let status: InlineArray<2, UInt8> = try driver.bus.bytes(from: Chip.queueStatus)
    let flags = LSM6DSOMap().fifoStatus2.contents(status[1])
    let words = driver.codes.setWords
    let waiting = (Int(status[1] & Chip.countHighMask) << 8 | Int(status[0])) / words
    return FillLevel(
      waiting: waiting,
      isOverrun: flags { $0.overRunLatched } == true || flags { $0.fifoOvrIa } == true
        || waiting > Chip.queueWords / words - 3)
  }
}

extension LSM6TaggedChip {
  /// Reads the source registers in one burst, which clears the registers, and appends their
  /// detections.
  public static func readDetections<Bus: ChipBus>(
    _ driver: inout RegisterDriver<Self, Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    let kinds = driver.codes.detectionKinds
    guard Bus.abilities.contains(.detections), !kinds.isEmpty else { return }
    let bytes: InlineArray<3, UInt8> = try driver.bus.bytes(from: detectionSources)
    let hasEdge = driver.acquires(.detections) && event.edges > 0
    driver.chip.sources.note(
      bytes, at: hasEdge ? event.edgeTime : driver.now, of: kinds, into: &batch)
  }

  public static func describe(
    _ batch: inout RawBatch, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) {
    let isQueued = driver.acquires(.fifo) && !driver.isTesting
    driver.codes.describe(&batch, part: driver.codes.partCode)
    guard isQueued else { return }
    batch.setTemperature(high: driver.chip.temperature[1], low: driver.chip.temperature[0])
    let words = driver.codes.setWords
    for frame in 0..<batch.frames
    where !LSM6TaggedFrames.isSample(batch, frame, words: words, hasParity: hasTagParity) {
      batch.frames = frame
      return
    }
  }

  public static func prepareTable(
    _ driver: inout RegisterDriver<Self, some ChipBus>
  ) throws(ChipError) { driver.chip.table = driver.codes.rows }

  public static func detections(of codes: Codes) -> DetectionSet { LSM6Functions.basic }
}

/// The frames of a chip with a tagged FIFO: a register burst, or one or two FIFO words with their
/// tags, in FIFO order.
struct LSM6TaggedFrames {
  /// The size of a FIFO word in bytes: a tag, then three axes, low byte first.
  static var wordSize: Int { 7 }

  /// The thermometer's counts per degree Celsius; 0 counts correspond to 25 degrees.
  static var countsPerDegree: Scalar { 256 }

  private let gPerCount: Scalar
  private let radiansPerCount: Scalar
  private let isQueued: Bool
  private let hasGyro: Bool

  init(_ batch: borrowing RawBatch, gPerCount: Scalar, radiansPerCount: Scalar) {
    self.gPerCount = gPerCount
    self.radiansPerCount = radiansPerCount
    isQueued = batch.isTemperatureSeparate
    hasGyro = batch.frameSize > Self.wordSize
  }

  func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
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
      (gyro, accel) = Self.sensor(first) == .gyro ? (1, 8) : (8, 1)
      counts = batch.separateTemperature
    }
    reading.rotationRate = batch.littleEndianVector(frame, gyro) * radiansPerCount
    reading.specificForce = batch.littleEndianVector(frame, accel) * gPerCount
    reading.temperature = 25 + Scalar(Int(counts)) / Self.countsPerDegree
    if let fault = fault(batch, frame) { reading.reject(reading.channels, fault) }
    InertialThermometer.check(&reading)
    return reading
  }

  /// Returns the fault of a frame with both sensors if all bytes except the tags are 0x00, or if
  /// all are 0xFF.
  private func fault(_ batch: borrowing RawBatch, _ frame: Int) -> ReadingFault? {
    guard isQueued else { return batch.uniformity(frame, 2, 12) }
    guard let first = batch.uniformity(frame, 1, 6), first == batch.uniformity(frame, 8, 6) else {
      return nil
    }
    return first
  }

  /// Returns the sensor for a tag; `nil` if the tag names no sensor.
  static func sensor(_ tag: UInt8) -> LSM6DSOMap.Tag? {
    LSM6DSOMap().fifoDataOutTag.contents(tag)({ $0.tagSensor })
  }

  /// Returns true if the `words` words of a frame form one sample: one word from each sensor, all
  /// with the same counter value. With `hasParity`, a tag with an odd number of ones is treated as
  /// corrupt, as in ST's FIFO examples.
  static func isSample(
    _ batch: borrowing RawBatch, _ frame: Int, words: Int, hasParity: Bool
  ) -> Bool {
    let place = frame * batch.frameSize
    let tag = batch.byte(place)
    guard !hasParity || tag.nonzeroBitCount & 1 == 0 else { return false }
    guard words == 2 else { return sensor(tag) == .accel }
    let next = batch.byte(place + wordSize)
    let count = LSM6DSOMap().fifoDataOutTag.layout.tagCnt.mask
    guard !hasParity || next.nonzeroBitCount & 1 == 0, (tag ^ next) & count == 0 else {
      return false
    }
    return sensor(tag) == .gyro && sensor(next) == .accel
      || sensor(tag) == .accel && sensor(next) == .gyro
  }
}

extension LSM6Functions {
  /// Adds the register writes for the basic detections that are the same in all parts with a tagged
  /// FIFO. Sources stay latched until they are read only if they are routed to a pin. So if samples
  /// use one pin, detections are routed to the other pin even if that pin is not wired.
  func add(to rows: inout ConfigurationTable, of readout: ReadoutMode) {
    let map = LSM6DSOMap()
    let shared = LSM6DS3Map()
    let number = readout.interruptPin.number
    let pin = readout.acquisition == .detections ? number : 3 - number
    rows.add(map.md1Cfg) { pin == 1 ? events($0) : .nothing }
    rows.add(map.md2Cfg) { pin == 2 ? events($0) : .nothing }
    rows.add(map.tapCfg1) { $0.tapThsX(tapThreshold) }
    rows.add(shared.tapThs6d) { $0.sixdThs(.degrees60) | $0.tapThs(tapThreshold) }
    rows.add(shared.intDur2) { $0.dur(gap) | $0.quiet(quiet) | $0.shock(shock) }
    rows.add(map.wakeUpThs) {
      $0.singleDoubleTap(kinds.contains(.doubleTap)) | $0.wkThs(wakeThreshold)
    }
    rows.add(map.wakeUpDur) {
      $0.ffDur(freeFallDuration & 0x20 != 0) | $0.wakeDur(wakeDuration) | $0.sleepDur(sleepDuration)
    }
    rows.add(shared.freeFall) {
      $0.ffDur(freeFallDuration & 0x1F) | $0.ffThs(freeFallThreshold)
    }
  }

  /// Returns the fields that route detections to the pin for detections.
  private func events(_ pin: LSM6DSOMap.EventPin) -> Change {
    pin.sleepChange(kinds.contains(.noMotion)) | pin.singleTap(kinds.contains(.singleTap))
      | pin.wu(kinds.contains(.motion)) | pin.ff(kinds.contains(.freeFall))
      | pin.doubleTap(kinds.contains(.doubleTap)) | pin.sixD(kinds.contains(.orientation))
  }

  /// True if taps are detected.
  var detectsTaps: Bool { !kinds.isDisjoint(with: [.singleTap, .doubleTap]) }
}
