// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the LSM6DSO, LSM6DSOX, LSM6DSO32 and ISM330DHCX: three-axis accelerometer and
/// gyroscope with a queue whose words say which sensor they are from.
///
/// The bandwidth is the accelerometer's; the gyroscope's filter follows the rate. Without samples,
/// or in low power, the gyroscope is off.
public typealias LSM6DSO<Bus: ChipBus> = RegisterDriver<LSM6DSOChip, Bus>

/// Describes to the engine what is peculiar to the family.
public struct LSM6DSOChip: RegisterChip {
  public typealias Decoder = LSM6DSODecoder

  /// The lines of the configuration.
  var table = ConfigurationTable()
  /// The newest temperature beside the queue, low byte first.
  var temperature: InlineArray<2, UInt8> = [0, 0]
  var sources = LSM6DS3Sources()

  public init() {}

  public static func channels(of codes: LSM6DSOConfiguration, with abilities: DriverAbilities)
    -> ChannelSet
  {
    if codes.acquisition == .detections { return [] }
    return codes.isAccelAlone ? .acceleration : channels
  }

  public static func start(
    _ driver: inout LSM6DSO<some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = LSM6DSOMap()
    switch index {
    // Behind an open page of embedded functions, 0x0F is another register.
    case 0: return .write(map.funcCfgAccess) { _ in .nothing }
    case 1: return .identify(by: map.whoAmI)
    case 2: return LSM6DS3Chip.reset
    case 3: return LSM6DS3Chip.hasReset
    case 4:
      driver.chip.table = driver.codes.lines
      return .configure(wait: max(LSM6DS3Timing.turnOn, driver.codes.settling))
    default: return .done
    }
  }

  public static func line(
    _ index: Int, of driver: borrowing LSM6DSO<some ChipBus>
  ) -> RegisterValue? { driver.chip.table[index] }

  /// The table, and the queue in motion.
  public static func heldLine(
    _ index: Int, of driver: borrowing LSM6DSO<some ChipBus>
  ) -> RegisterValue? {
    if index > 0 { return driver.chip.table[index - 1] }
    return driver.acquires(.fifo) ? driver.codes.queueRunning : driver.codes.accelRunning
  }

  public static var verification: TimeSpan { LSM6DS3Timing.verification }

  public static var queuePort: UInt8 { LSM6DSOMap().fifoDataOutTag.address }

  /// Of a word that was cut off nothing says what is left.
  public static var losesPlace: Bool { true }

  public static func flush(
    _ driver: inout LSM6DSO<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) {
      try driver.readTemperature()
      try driver.restartQueue()
    } else if !driver.acquires(.detections) {
      // What is there was taken while the gyroscope settled.
      try readOutputs(&driver, into: &batch)
    }
    // The first slope is from nothing to gravity (AN5130, page 38, of the same function).
    try driver.lookForDetections(.due, into: &batch)
  }

  /// Ten times a second: what a chip that lost its supply lacks first, and a line in turn; the
  /// temperature where frames have none; what was detected where no line tells of it.
  public static func attend<Bus: ChipBus>(
    _ driver: inout LSM6DSO<Bus>, _ event: Event, at now: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) -> Bool {
    let isDue = driver.isVerificationDue(at: now)
    if isDue, Bus.abilities.contains(.verification) {
      try driver.bus.verify(driver.codes.accelRunning)
      try driver.verifyNextLine()
    }
    if isDue, driver.acquires(.fifo) { try driver.readTemperature() }
    if isDue || driver.acquires(.detections) {
      try driver.lookForDetections(event, into: &batch)
    }
    return isDue
  }

  /// Three samples of room keep one that arrives between this look and the read from pushing out
  /// the oldest one unseen.
  public static func lookAtQueue(
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

  public static func queueFrameSize(of driver: borrowing LSM6DSO<some ChipBus>) -> Int {
    driver.codes.setWords * wordSize
  }

  /// Behind a tag that is not the next nothing can be trusted.
  public static var checksFrames: Bool { true }

  public static func describe(
    _ batch: inout RawBatch, of driver: borrowing LSM6DSO<some ChipBus>
  ) {
    let isQueued = driver.acquires(.fifo) && !driver.isTesting
    batch.format[LSM6DSODecoder.Format.accelFullScale] = driver.codes.accelFullScale.rawValue
    batch.format[LSM6DSODecoder.Format.gyroFullScale] = driver.codes.gyroFullScale.rawValue
    batch.format[LSM6DSODecoder.Format.part] = driver.codes.part.rawValue
    batch.format[LSM6DSODecoder.Format.isQueued] = isQueued ? 1 : 0
    guard isQueued else { return }
    batch.format[LSM6DSODecoder.Format.temperatureLow] = driver.chip.temperature[0]
    batch.format[LSM6DSODecoder.Format.temperatureHigh] = driver.chip.temperature[1]
    for frame in 0..<batch.frames
    where !LSM6DSOWords.isSample(
      batch, frame * batch.frameSize, words: driver.codes.setWords)
    {
      batch.frames = frame
      return
    }
  }

  public static func hasSample(
    _ driver: inout LSM6DSO<some ChipBus>
  ) throws(ChipError) -> Bool {
    try driver.hasInertialSample(isAccelAlone: driver.codes.isAccelAlone)
  }

  public static func readOutputs(
    _ driver: inout LSM6DSO<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    try driver.readInertialOutputs(isAccelAlone: driver.codes.isAccelAlone, into: &batch)
  }

  public static func sleep(_ driver: inout LSM6DSO<some ChipBus>) throws(ChipError) {
    try driver.bus.set(LSM6DSOMap().ctrl1Xl) { _ in .nothing }
    try driver.bus.set(LSM6DSOMap().ctrl2G) { _ in .nothing }
  }
}

extension RegisterDriver where Chip == LSM6DSOChip, Bus: ~Copyable {
  /// Reads the sources, which are neighbours and are cleared by that, and appends what they tell.
  mutating func lookForDetections(_ event: Event, into batch: inout RawBatch) throws(ChipError) {
    let kinds = codes.functions.kinds
    guard Bus.abilities.contains(.detections), !kinds.isEmpty else { return }
    let bytes: InlineArray<3, UInt8> = try bus.bytes(from: LSM6DSOMap().wakeUpSrc)
    let isTold = acquires(.detections) && event.edges > 0
    chip.sources.note(bytes, at: isTold ? event.edgeTime : now, of: kinds, into: &batch)
  }

  mutating func readTemperature() throws(ChipError) {
    guard !codes.isAccelAlone else { return }
    chip.temperature = try bus.bytes(from: LSM6DS3Map().outTemp.first)
  }

  /// Empties the queue and lets it fill anew: only bypass forgets what waits.
  mutating func restartQueue() throws(ChipError) {
    try bus.set(LSM6DSOMap().fifoCtrl4) { $0.fifoMode(.bypass) }
    try bus.write(codes.queueRunning)
  }

}

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
    temperature = batch.word(high: Format.temperatureHigh, low: Format.temperatureLow)
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

/// ST's self-test: each sensor at rest and pushed, and what the push changed. Rates, ranges, waits
/// and averages from ST's example for the family; limits from DS12140 revision 2, table 2. Waits in
/// microseconds.
extension LSM6DSOChip {
  public static var hasSelfTest: Bool { true }

  public static func trial(
    _ driver: inout LSM6DSO<some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = LSM6DSOMap()
    var lines = ConfigurationTable()
    switch index {
    case 0:
      lines.add(map.ctrl3C) { $0.bdu(true) | $0.ifInc(true) }
      // 4 g; of the LSM6DSO32 8 g.
      lines.add(map.ctrl1Xl) { $0.odrXl(.hz52) | $0.fsXl(.g4) }
    case 1: lines.add(map.ctrl5C) { $0.stXl(.positive) }
    case 2:
      lines.add(map.ctrl5C)
      lines.add(map.ctrl1Xl)
      lines.add(map.ctrl2G) { $0.odrG(.hz208) | $0.fsG(.dps2000) }
    case 3: lines.add(map.ctrl5C) { $0.stG(.positive) }
    // Stimulus and sensors off, everything forgotten.
    case 4: return LSM6DS3Chip.reset
    case 5: return LSM6DS3Chip.hasReset
    default: return .end
    }
    try driver.bus.configure { lines[$0] }
    // The first of a stage is thrown away. A look each quarter of a period.
    return .collect(
      LSM6DS3SelfTest.averaged + 1, wait: 100_000, each: index < 2 ? 4800 : 1200)
  }

  public static func readTrial(
    _ driver: inout LSM6DSO<some ChipBus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) { try LSM6DS3SelfTest.read(&driver, at: index, into: &batch) }

  /// 50 to 1700 mg and 150 to 700 degrees per second, either way.
  public static func report(of driver: borrowing LSM6DSO<some ChipBus>) -> SelfTestReport {
    LSM6DS3SelfTest.report(
      driver.trial.sums,
      gPerCount: LSM6DSOMap.AccelFullScale.g4.gPerCount * driver.part.accelFactor, g: 0.05...1.7)
  }
}
