// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

// The queue begun anew, samples out of the registers, and what is read beside them.
extension RegisterDriver where Chip == MPU6050Chip, Bus: ~Copyable {
  /// Empties the queue and lets it fill anew. FIFO_RST works only while FIFO_EN is clear (register
  /// map 4.25).
  @inline(never)
  mutating func restartQueue() throws(ChipError) {
    let map = MPU6050Map()
    try bus.set(map.fifoEnable) { _ in .nothing }
    try bus.write(userControl(queue: false))
    try bus.write(userControl(queue: false, reset: true))
    try bus.write(userControl(queue: acquires(.fifo)))
    try bus.write(configuration.queueSources)
    // Edges until now were those of frames that are forgotten.
    if announcesSamples { lastLook = now }
  }

  /// Answers a data-ready edge: the registers hold the newest sample, and it was taken at the edge.
  /// `before` is now.
  @usableFromInline mutating func readOnEdge(
    _ event: Event, at before: Timestamp, into batch: inout RawBatch
  )
    throws(ChipError)
  {
    let period = clock.measuredPeriod
    guard event.edges > 0 else {
      // Called to compare the configuration, before an edge was due?
      if let newest = clock.newest, before - newest < period * 5 / 4 { return }
      // A timeout: the line may be dead, the samples are not.
      counters.missedInterrupts += 1
      try readIfReady(into: &batch)
      if batch.frames == 0 { try verifyPower() }
      return
    }
    if let newest = clock.newest, event.edgeTime <= max(newest + period / 4, lastLook) {
      // The edge of a sample that an earlier look already found.
      if before - newest > period * 7 / 8 { try readIfReady(into: &batch) }
      return
    }
    if before - event.edgeTime > period * 7 / 8 {
      // So late that a newer sample has replaced this edge's: a look tells when it was taken. Where
      // yet another is due just now, no look could tell the two apart; its edge will.
      let phase = (before - event.edgeTime).nanoseconds % max(period.nanoseconds, 1)
      if phase > period.nanoseconds / 8, phase < period.nanoseconds * 7 / 8 {
        try readIfReady(into: &batch)
      } else {
        hasGap = true
      }
      return
    }
    lastLook = before
    _ = try readRegisters(into: &batch)
    if event.edges > 1 || clock.samplesElapsed(at: event.edgeTime) > 1 { hasGap = true }
    stamp(
      &batch, after: event.edgeTime - Self.interruptLatency, notAfter: event.edgeTime)
    batch.newest = event.edgeTime
  }

  /// Looks at the status, and reads the registers if a sample is new since the last look. The burst
  /// begins with the status again: set anew, it says that a later sample came between the two.
  @usableFromInline mutating func readIfReady(into batch: inout RawBatch) throws(ChipError) {
    let before = now
    let status = try bus.read(MPU6050Map().interruptStatus)
    let after = now
    defer { lastLook = before }
    note(status, at: after, in: &batch)
    guard status({ $0.dataReady }) == true else {
      // Four periods of nothing: a chip that lost its supply.
      if let newest = clock.newest, before - newest > clock.measuredPeriod * 4 {
        try verifyPower()
      }
      return
    }
    let isLater = try readRegisters(into: &batch)
    let latest = isLater ? now : after
    let earliest = isLater ? after : max(lastLook, before - clock.longestPeriod)
    if isLater || clock.samplesElapsed(at: latest) > 1 { hasGap = true }
    stamp(&batch, after: earliest, notAfter: latest)
  }

  /// Reads one sample in the burst that begins with the status, which it clears (0x3A to 0x48 are
  /// consecutive). Returns whether a sample came since the status was last read.
  private mutating func readRegisters(into batch: inout RawBatch) throws(ChipError) -> Bool {
    let size = configuration.frameSize
    if configuration.magnetometerRate != nil {
      // What the master read stands behind the gyroscope's registers.
      try readFrame(of: size, from: MPU6050Map().accel.first, into: &batch)
      return false
    }
    var whole = InlineArray<15, UInt8>(repeating: 0)
    var span = whole.mutableSpan
    // The standard library's 6.3 name of what was `extracting(first:)`; SE-0467 is to drop the
    // underscore.
    var wanted = span._mutatingExtracting(first: size + 1)
    try bus.read(&wanted, from: MPU6050Map().interruptStatus)
    // All that may be of the frame: a fixed number is a few moves.
    for index in 0..<MPU6050Chip.frameSize { batch.bytes[index] = whole[index + 1] }
    batch.frames = 1
    batch.frameSize = size
    Chip.describe(&batch, of: self)
    let status = MPU6050Map().interruptStatus.contents(whole[0])
    note(status, at: now, in: &batch)
    return status({ $0.dataReady }) == true
  }

  /// Looks for detections where only they are wanted: those that the pin announced, or that a look
  /// each second finds.
  @usableFromInline mutating func lookForDetections(_ event: Event, into batch: inout RawBatch)
    throws(ChipError)
  {
    let status = try bus.read(MPU6050Map().interruptStatus)
    note(status, at: event.edges > 0 ? event.edgeTime : now, in: &batch)
  }

  /// Beside the queue, whose reading tells nothing of motion.
  @usableFromInline mutating func lookForMotion(into batch: inout RawBatch) throws(ChipError) {
    guard configuration.motionThreshold > 0 else { return }
    let now = self.now
    guard now - lastLook >= MPU6050Timing.detection else { return }
    lastLook = now
    note(try bus.read(MPU6050Map().interruptStatus), at: now, in: &batch)
  }

  /// Passes on what a status that was read, and so cleared, says was detected. The chip does not
  /// say on which axis.
  private func note(
    _ status: Contents<MPU6050Map.Interrupts>, at time: @autoclosure () -> Timestamp,
    in batch: inout RawBatch
  ) {
    guard configuration.motionThreshold > 0, status({ $0.motion }) == true else { return }
    batch.append(Detection(.motion, at: time()))
  }

  @usableFromInline mutating func readTemperature(at time: Timestamp) throws(ChipError) {
    chip.temperature = try bus.bytes(from: MPU6050Map().temperature.first)
    chip.temperatureTime = time
  }

}

// The AK8963 inside an MPU-9250.
extension MPU6050Chip: NineAxisChip {
  public static func magnetometer(of codes: MPU6050Configuration) -> AK8963Configuration? {
    codes.magnetometerRate.map { AK8963Configuration(.ak8963, $0) }
  }

  /// Its x is the chip's y, its y the chip's x, and its z points the other way (PS-MPU-9250A-01,
  /// section 9.1).
  public static func turned(_ field: Vector3) -> Vector3 { Vector3(field.y, field.x, -field.z) }

  public static func begin(
    _ transfer: AuxiliaryTransfer, of driver: inout MPU6050<some ChipBus>
  ) throws(ChipError) {
    let map = MPU6050Map()
    try driver.bus.write(driver.userControl(queue: false))
    try driver.bus.set(map.slave4Address) {
      $0.isRead(transfer.value == nil) | $0.address(AK8963Configuration.auxiliaryAddress)
    }
    try driver.bus.set(map.slave4Register) { $0.value(transfer.register) }
    try driver.bus.set(map.slave4Out) { $0.value(transfer.value ?? 0) }
    try driver.bus.set(map.slave4Control) { $0.enable(true) }
  }

  public static func status(of driver: inout MPU6050<some ChipBus>) throws(ChipError) -> Contents<
    MPU6050Map.AuxiliaryStatus
  > { try driver.bus.read(MPU6050Map().auxiliaryStatus) }

  public static func answer(of driver: inout MPU6050<some ChipBus>) throws(ChipError) -> UInt8 {
    try driver.bus.read(MPU6050Map().slave4In).raw
  }
}

/// Physical values of the family's frames.
public struct MPU6050Decoder: FrameDecoder {
  /// The places in a batch of the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
    /// The identity of the part's row; 0: MPU-6050.
    static var part: Int { 2 }
    /// The newest temperature beside a queue whose frames have none.
    static var temperatureHigh: Int { 3 }
    static var temperatureLow: Int { 4 }
  }

  private let isAccelOnly: Bool
  private let isBeside: Bool
  private let temperature: Int16
  private let thermometer: (countsPerDegree: Scalar, degreesAtZero: Scalar)
  private let gPerCount: Scalar
  private let radiansPerCount: Scalar

  public init(_ batch: borrowing RawBatch) {
    let identity = batch.format[Format.part]
    // Most are of one part, and need no search.
    let part = identity == 0x68 ? .mpu6050 : MPU6050Part(identity: identity) ?? .mpu6050
    self.init(batch, of: part, within: .all)
  }

  /// A batch may be older than what the driver knows now.
  @inlinable @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: MPU6050Configuration, with abilities: DriverAbilities
  ) {
    if abilities.contains(.relatives) {
      self.init(batch)
    } else {
      self.init(batch, of: codes.part, within: abilities)
    }
  }

  @inline(__always) @usableFromInline
  init(_ batch: borrowing RawBatch, of part: MPU6050Part, within abilities: DriverAbilities) {
    let accel = MPU6050Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = MPU6050Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps250
    isAccelOnly = batch.frameSize == MPU6050Chip.accelFrameSize
    isBeside =
      abilities.isSuperset(of: [.fifo, .dataReady])
      && batch.frameSize == MPU6050Chip.motionFrameSize
    temperature = batch.word(
      high: Format.temperatureHigh, low: Format.temperatureLow)
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
    let counts = isBeside ? temperature : batch.bigEndian(frame, 6)
    reading.temperature =
      Scalar(Int(counts)) / thermometer.countsPerDegree + thermometer.degreesAtZero
    reading.rotationRate = batch.bigEndianVector(frame, isBeside ? 6 : 8) * radiansPerCount
    return reading
  }
}
