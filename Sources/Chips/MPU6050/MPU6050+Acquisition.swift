// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

// How samples leave the chip, one extension member per way.
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
    if announcesFrames { lastLook = now }
  }

  /// Takes all whole frames out of the queue in one burst. The chip has no watermark: its count
  /// says how many. `before` is now.
  @usableFromInline mutating func drainQueue(at before: Timestamp, into batch: inout RawBatch)
    throws(ChipError)
  {
    let map = MPU6050Map()
    remaining = 0
    var count: InlineArray<2, UInt8> = [0, 0]
    var span = count.mutableSpan
    if hasGap, clock.isNearSample(before + lookSpan / 2) { return }
    try bus.read(&span, from: map.fifoCount.first)
    let after = now
    lookSpan = after - before
    let bytes = Int(count[0]) << 8 | Int(count[1])
    let size = configuration.queueFrameSize
    // Before a queue that ran over is emptied, which clears the flags of motion.
    try lookForMotion(into: &batch)
    // A full queue drops its oldest bytes and with them the frame boundary. Three frames of room
    // keep a sample that arrives between this look and the read from crossing that line unseen.
    if bytes > codes.part.fifoSize - 3 * size { return noteOverflow() }
    let waiting = bytes / size
    guard waiting > 0 else {
      // Nothing although two samples were due: a chip that lost its supply.
      if let newest = clock.newest, before - newest > clock.measuredPeriod * 3 {
        try verifyPower()
      }
      return
    }
    // Only whole frames, as many as the batch and the bus take at once; the rest is read at once
    // after.
    let room = RawBatch.capacity / configuration.frameSize
    let frames = max(1, min(waiting, min(room, bus.longestRead / size)))
    try readFrames(frames, from: map.fifoData, into: &batch)
    // The newest frame waiting was there at the count, and the one after it was not.
    remaining = waiting - frames
    stamp(
      &batch, after: before - clock.longestPeriod * Int64(remaining + 1),
      notAfter: after - clock.shortestPeriod * Int64(remaining))
  }

  /// True where the pin announces each frame of the queue.
  @inlinable @inline(__always) var announcesFrames: Bool {
    Bus.abilities.isSuperset(of: [.fifo, .dataReady]) && codes.readout.announcesSamples
  }

  /// Answers a data-ready edge out of the queue, so that a call that comes late finds what an
  /// earlier edge told of: on time the count and the one frame there is, in one burst, and late all
  /// others after it.
  @usableFromInline mutating func readAnnounced(
    _ event: Event, at now: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) {
    var before = now
    if before - chip.temperatureTime >= MPU6050Timing.temperature {
      try readTemperature(at: before)
      before = self.now
    }
    guard event.edges > 0 else {
      // Called to compare the configuration, to read the rest, or because an edge is missing?
      guard remaining > 0 || hasGap || isSilent || isOverdue else { return }
      let isContinued = remaining > 0 || hasGap
      try drainQueue(at: before, into: &batch)
      if !isContinued, batch.frames > 0 || !isSilent { noteSilence() }
      return
    }
    silence = 0
    let edge = event.edgeTime
    let period = clock.measuredPeriod
    // The edge of a frame that an earlier read has taken, or that was there before the queue was
    // emptied.
    guard edge > max(clock.newest.map { $0 + period / 4 } ?? lastLook, lastLook) else { return }
    // Late behind a gap, whose length is counted by time: a look that is sure of what it counts.
    let size = configuration.queueFrameSize
    if remaining > 0 || hasGap && before - edge > period / 4 || bus.longestRead < size + 2 {
      return try drainQueue(at: before, into: &batch)
    }
    var whole = InlineArray<14, UInt8>(repeating: 0)
    var span = whole.mutableSpan
    var wanted = span._mutatingExtracting(first: size + 2)
    // FIFO_COUNT and, behind it, the port, at which a burst stays.
    try bus.read(&wanted, from: MPU6050Map().fifoCount.first)
    let bytes = Int(whole[0]) << 8 | Int(whole[1])
    guard bytes >= size, bytes <= codes.part.fifoSize - 3 * size else {
      // Not yet there, and so torn; or run over.
      if bytes >= size { return noteOverflow() }
      hasGap = true
      return flush()
    }
    for index in 0..<6 {
      batch.bytes[index] = whole[index + 2]
      batch.bytes[index + 8] = whole[index + 8]
    }
    (batch.bytes[6], batch.bytes[7]) = (chip.temperature[0], chip.temperature[1])
    let waiting = bytes / size
    // On time it is the edge that says when.
    let isOnTime = waiting == 1 && before - edge < clock.shortestPeriod
    let after = isOnTime ? before : self.now
    let place = configuration.frameSize
    var frames = 1
    if waiting > 1 {
      frames += min(waiting - 1, min(RawBatch.capacity / place - 1, bus.longestRead / size))
      try read(place..<place + (frames - 1) * size, from: MPU6050Map().fifoData, into: &batch)
      putTemperature(into: 1..<frames, of: &batch)
    }
    describe(frames, of: place, in: &batch)
    remaining = waiting - frames
    if isOnTime {
      stamp(&batch, after: edge - .microseconds(1), notAfter: edge)
      batch.newest = edge
      return
    }
    let ahead = frames - Int(clamping: clock.samplesElapsed(at: edge))
    let isAlone = waiting == 1
    stampQueue(
      &batch, before: before, after: after,
      edge: isAlone || !hasGap ? edge : nil, ahead: isAlone ? 0 : ahead)
    if isAlone { batch.newest = edge }
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
      try readFrames(1, from: MPU6050Map().accel.first, into: &batch)
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
    describe(1, of: size, in: &batch)
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
  private mutating func lookForMotion(into batch: inout RawBatch) throws(ChipError) {
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

  private mutating func readFrames(
    _ frames: Int, from register: Register<WholeByte, some ReadableAccess>,
    into batch: inout RawBatch
  ) throws(ChipError) {
    try read(first: frames * configuration.queueFrameSize, from: register, into: &batch)
    if announcesFrames { putTemperature(into: 0..<frames, of: &batch) }
    describe(frames, of: configuration.frameSize, in: &batch)
  }

  /// Says what the bytes in `batch` are.
  private func describe(_ frames: Int, of size: Int, in batch: inout RawBatch) {
    batch.frames = frames
    batch.frameSize = size
    batch.format[MPU6050Decoder.Format.accelFullScale] = codes.accelFullScale.rawValue
    batch.format[MPU6050Decoder.Format.gyroFullScale] = codes.gyroFullScale.rawValue
    batch.format[MPU6050Decoder.Format.part] = codes.part.identity
    if configuration.magnetometerRate != nil { noteMagnetometer(in: &batch) }
  }

  mutating func readTemperature(at time: Timestamp) throws(ChipError) {
    chip.temperature = try bus.bytes(from: MPU6050Map().temperature.first)
    chip.temperatureTime = time
  }

  /// Makes of frames of accelerometer and gyroscope, which stand where the first of them belongs,
  /// such as all others: from the last to the first, each moving to behind its place.
  private func putTemperature(into frames: Range<Int>, of batch: inout RawBatch) {
    guard !configuration.isAccelOnly else { return }
    for frame in frames.reversed() {
      let to = frame * MPU6050Chip.frameSize
      let from = to - (frame - frames.lowerBound) * 2
      for index in (6..<12).reversed() { batch.bytes[to + index + 2] = batch.bytes[from + index] }
      for index in (0..<6).reversed() { batch.bytes[to + index] = batch.bytes[from + index] }
      batch.bytes[to + 6] = chip.temperature[0]
      batch.bytes[to + 7] = chip.temperature[1]
    }
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
  }

  private let isAccelOnly: Bool
  private let thermometer: (countsPerDegree: Scalar, degreesAtZero: Scalar)
  private let gPerCount: Scalar
  private let radiansPerCount: Scalar

  public init(_ batch: borrowing RawBatch) {
    let identity = batch.format[Format.part]
    // Most are of one part, and need no search.
    let part = identity == 0x68 ? .mpu6050 : MPU6050Part(identity: identity) ?? .mpu6050
    self.init(batch, of: part)
  }

  /// A batch may be older than what the driver knows now.
  @inlinable @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: MPU6050Configuration, with abilities: DriverAbilities
  ) {
    if abilities.contains(.relatives) {
      self.init(batch)
    } else {
      self.init(batch, of: codes.part)
    }
  }

  @inline(__always) @usableFromInline init(_ batch: borrowing RawBatch, of part: MPU6050Part) {
    let accel = MPU6050Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = MPU6050Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps250
    isAccelOnly = batch.frameSize == MPU6050Chip.accelFrameSize
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
    reading.temperature =
      Scalar(Int(batch.bigEndian(frame, 6))) / thermometer.countsPerDegree
      + thermometer.degreesAtZero
    reading.rotationRate = batch.bigEndianVector(frame, 8) * radiansPerCount
    return reading
  }
}
