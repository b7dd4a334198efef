// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the ICM-20948: three-axis accelerometer and gyroscope with a queue, registers in
/// four banks.
///
/// The queue has no watermark and is read by time, or frame by frame as the interrupt pin tells of
/// them.
public typealias ICM20948<Bus: ChipBus> = RegisterDriver<
  ICM20948Chip, BankedBus<Bus>
>

/// Describes to the engine what is peculiar to the ICM-20948.
public struct ICM20948Chip: RegisterChip {
  public typealias Decoder = ICM20948Decoder
  public typealias Line = BankedValue

  /// The factory's codes of the self-test: accelerometer x, y, z, gyroscope x, y, z.
  var trimCodes = InlineArray<6, UInt8>(repeating: 0)

  public var adjustment: InlineArray<3, UInt8> = [128, 128, 128]

  public init() {}

  /// In low power the accelerometer alone.
  public static func channels(of codes: ICM20948Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  {
    if codes.isAccelOnly { return [.acceleration] }
    return codes.narrowed(to: abilities).magnetometerRate == nil
      ? channels : channels.union(.magneticField)
  }

  public static func start(
    _ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = ICM20948Map()
    switch index {
    case 0: return .identify(by: map.whoAmI)
    case 1:
      return .write(map.power1, wait: ICM20948Timing.reset) {
        $0.deviceReset(true) | $0.sleep(true)
      }
    case 2:
      return .poll(
        map.power1, each: ICM20948Timing.resetPoll, times: ICM20948Timing.resetPolls
      ) { $0.deviceReset(false) }
    case 3: return .write(map.power1, wait: ICM20948Timing.wake) { $0.clockSource(.best) }
    case 4: return .configure(wait: ICM20948Timing.gyroStart)
    case 5... where driver.configuration.magnetometerRate != nil:
      return try driver.startMagnetometer(at: index, from: 5)
    default: return .done
    }
  }

  public static func line(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> BankedValue? { driver.configuration.line(index, isSPI: driver.bus.isSPI) }

  /// Every other one is that of the power: of two in a row one tells of a supply that failed.
  public static func heldLine(
    _ index: Int, of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> BankedValue? {
    if index & 1 == 0 { return driver.configuration.awake }
    guard driver.acquires(.fifo) else { return driver.line(index / 2 + 1) }
    return index == 1 ? driver.configuration.queueSources : driver.line(index / 2)
  }

  public static var verification: TimeSpan { ICM20948Timing.verification }

  public static var queuePort: UInt8 { ICM20948Map().fifoData.address }

  public static var losesPlace: Bool { true }

  public static func flush(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) { try driver.restartQueue() }
    // A sample that comes while it is read is seen by the next look.
    driver.lastLook = driver.now
    _ = try driver.bus.read(ICM20948Map().interruptStatus1)
  }

  public static func run(
    _ driver: inout RegisterDriver<Self, some ChipBus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    // Before the read: what was read must not be lost with the error.
    try driver.verifyInTurn(at: driver.now)
    guard driver.acquires(.fifo) else { return try driver.readRegisters(event, into: &batch) }
    if event.edges == 0, driver.announcesFrames {
      // Called to compare the configuration, to read the rest, or because an edge is missing?
      let isContinued = driver.remaining > 0 || driver.hasGap
      guard isContinued || driver.isSilent || driver.isOverdue else { return }
      try driver.drainQueue(event, into: &batch)
      if !isContinued, batch.frames > 0 || !driver.isSilent { driver.noteSilence() }
    } else {
      try driver.drainQueue(event, into: &batch)
    }
  }

  public static func rest(_ driver: borrowing RegisterDriver<Self, some ChipBus>) -> Wake {
    guard driver.acquires(.fifo) else { return driver.restingWake }
    if driver.remaining > 0 { return .after(.zero) }
    // A late look to count what was lost is not the line's to call for.
    return driver.announcesFrames && !driver.isSilent && !driver.hasGap
      ? driver.edgeWake : driver.nextDrain
  }

  public static func longestWait(
    _ driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> TimeSpan { ICM20948Timing.rest }

  /// Reads the status, and the registers if a sample is new: it was there when the status was read,
  /// not when the registers were.
  public static func readSample(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let status = try driver.bus.read(ICM20948Map().interruptStatus1)
    let seen = driver.now
    guard status({ $0 }) == true else { return SampleStatus(isReady: false) }
    try driver.readFrames(1, from: ICM20948Map().accel.first, into: &batch)
    return SampleStatus(
      isReady: true, isOverrun: driver.clock.samplesElapsed(at: seen) > 1, seen: seen)
  }

  public static func sleep(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError) {
    try driver.bus.set(ICM20948Map().power1) { $0.sleep(true) | $0.clockSource(.best) }
  }
}

extension RegisterDriver where Chip == ICM20948Chip, Bus: ~Copyable {
  /// Creates a driver of a chip at a connection that knows nothing of banks.
  public init<Base: RegisterBus & ~Copyable>(_ base: consuming Base) where Bus == BankedBus<Base> {
    self.init(BankedBus(base, ICM20948Map.window))
  }

  /// A driver on `base` of settings that do not change, named by their codes. Throws
  /// `unsupportedSetting` where chip or connection lack what they ask for.
  @inline(__always)
  public init<Base: RegisterBus & ~Copyable>(
    _ base: consuming Base, configuration: ICM20948Configuration
  ) throws(ChipError) where Bus == BankedBus<Base> {
    try self.init(BankedBus(base, ICM20948Map.window), configuration: configuration)
  }

  /// Tells whether the pin announces each frame of the queue.
  var announcesFrames: Bool {
    Bus.abilities.isSuperset(of: [.fifo, .dataReady]) && configuration.readout.announcesSamples
  }

  /// Empties the queue and lets it fill anew.
  mutating func restartQueue() throws(ChipError) {
    let map = ICM20948Map()
    try bus.set(map.fifoEnable2) { _ in .nothing }
    try bus.set(map.fifoReset) { $0(0b1_1111) }
    try bus.set(map.fifoReset) { _ in .nothing }
    try configuration.queueSources.write(to: &bus)
    // Edges until now were those of frames that are forgotten.
    if announcesFrames { lastLook = now }
  }

  /// Takes all whole frames out of the queue: its count, and the frames in a burst. At an edge the
  /// first one comes with the count.
  mutating func drainQueue(_ event: Event, into batch: inout RawBatch) throws(ChipError) {
    let map = ICM20948Map()
    let size = configuration.frameSize
    let before = now
    if event.edges > 0 {
      silence = 0
      // The edge of a frame that an earlier read has taken, or that was there before the queue was
      // emptied.
      let known = clock.newest.map { $0 + clock.measuredPeriod / 4 } ?? lastLook
      guard event.edgeTime > max(known, lastLook) else { return }
    }
    let isLate = remaining > 0 || hasGap
    remaining = 0
    // What was lost is counted by time, which is sure between two samples.
    if hasGap, clock.isNearSample(before + lookSpan / 2) { return }
    var whole = InlineArray<26, UInt8>(repeating: 0)
    var span = whole.mutableSpan
    let isPrompt = event.edges > 0 && announcesFrames && !isLate && bus.longestRead >= size + 2
    // FIFO_COUNT and, behind it, the port, at which a burst stays.
    var wanted = span._mutatingExtracting(first: isPrompt ? size + 2 : 2)
    try bus.read(&wanted, from: map.fifoCount.first)
    let after = now
    lookSpan = after - before
    let bytes = Int(whole[0]) << 8 | Int(whole[1])
    // Three frames of room keep a sample that arrives between this look and the read from pushing
    // out the oldest unseen.
    guard bytes <= ICM20948Chip.fifoSize - 3 * size, !isPrompt || bytes >= size else {
      if bytes >= size { return noteOverflow() }
      hasGap = true
      return flush()
    }
    let waiting = bytes / size
    guard waiting > 0 else {
      // Nothing although two samples were due: a chip that lost its supply.
      if let newest = clock.newest, before - newest > clock.measuredPeriod * 3 {
        try verifyRunning()
      }
      return
    }
    // Only whole frames, as many as the batch and the bus take at once; the rest is read at once
    // after.
    let first = isPrompt ? 1 : 0
    let room = min(RawBatch.capacity / size - first, max(1, bus.longestRead / size))
    let frames = first + min(waiting - first, room)
    for index in 0..<first * size { batch.bytes[index] = whole[index + 2] }
    if frames > first {
      do { try readFrames(frames - first, behind: first, from: map.fifoData, into: &batch) } catch {
        // The first has left the queue and is lost with the error.
        if isPrompt { hasGap = true }
        throw error
      }
    } else {
      describe(frames, in: &batch)
    }
    remaining = waiting - frames
    // On time it is the edge that says when.
    if isPrompt, waiting == 1, before - event.edgeTime < clock.shortestPeriod {
      stamp(&batch, after: event.edgeTime - .microseconds(1), notAfter: event.edgeTime)
      batch.newest = event.edgeTime
      return
    }
    let isEdge = event.edges > 0 && !hasGap
    stampQueue(
      &batch, before: before, after: after, edge: isEdge ? event.edgeTime : nil,
      ahead: isEdge ? frames - Int(clamping: clock.samplesElapsed(at: event.edgeTime)) : 0)
  }

  mutating func readFrames(
    _ frames: Int, behind first: Int = 0, from register: Register<WholeByte, some ReadableAccess>,
    into batch: inout RawBatch
  ) throws(ChipError) {
    let size = configuration.frameSize
    try read(first * size..<(first + frames) * size, from: register, into: &batch)
    describe(first + frames, in: &batch)
  }

  /// Says what the bytes in `batch` are.
  private func describe(_ frames: Int, in batch: inout RawBatch) {
    batch.frames = frames
    batch.frameSize = configuration.frameSize
    batch.format[ICM20948Decoder.Format.accelFullScale] = codes.accelFullScale.rawValue
    batch.format[ICM20948Decoder.Format.gyroFullScale] = codes.gyroFullScale.rawValue
    if configuration.magnetometerRate != nil { noteMagnetometer(in: &batch) }
  }

  /// The next look at the queue: when it says most about the times of samples, half a period to
  /// either side.
  var nextDrain: Wake {
    let period = clock.measuredPeriod
    // A look that would have been too near to a sample: half a period later it is not.
    if hasGap, clock.isNearSample(now + lookSpan / 2) { return .after(period / 2) }
    let span = max(codes.readout.batchInterval, period) - period / 2
    guard let look = clock.look(after: now + span, latency: lookSpan / 2) else {
      return .after(span)
    }
    // What was lost is counted by time, which is sure between two samples.
    return .at(hasGap ? look + period / 2 : look)
  }
}

/// Physical values of the ICM-20948's frames.
public struct ICM20948Decoder: FrameDecoder {
  public typealias Codes = ICM20948Configuration

  /// Places in a batch's format: the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
  }

  private let isAccelOnly: Bool
  private let gPerCount: Scalar
  private let radiansPerCount: Scalar

  public init(_ batch: borrowing RawBatch) {
    let accel = MPU6050Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = MPU6050Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps250
    isAccelOnly = batch.frameSize == ICM20948Chip.accelFrameSize
    gPerCount = accel.gPerCount
    radiansPerCount = gyro.radiansPerSecondPerCount
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: [.acceleration])
    reading.specificForce = batch.bigEndianVector(frame, 0) * gPerCount
    if isAccelOnly { return reading }
    reading.channels = ICM20948Chip.channels
    reading.rotationRate = batch.bigEndianVector(frame, 6) * radiansPerCount
    // 333.87 counts a degree, 0 at 21 degC (section 3.5 and PX4's driver).
    reading.temperature = 21 + Scalar(Int(batch.bigEndian(frame, 12))) / 333.87
    return reading
  }
}

// The AK09916 inside.
extension ICM20948Chip: NineAxisChip {
  public static func magnetometer(of codes: ICM20948Configuration) -> AK8963Configuration? {
    codes.magnetometerRate.map { AK8963Configuration(.ak09916, $0) }
  }

  /// Its y and z point the other way (DS-000189, section 5.1, figures 12 and 13; TDK's driver).
  public static func turned(_ field: Vector3) -> Vector3 { Vector3(field.x, -field.y, -field.z) }

  public static func begin(
    _ transfer: AuxiliaryTransfer, of driver: inout RegisterDriver<Self, some ChipBus>
  ) throws(ChipError) {
    let map = ICM20948Map()
    try driver.bus.set(map.slave4Address) {
      $0.isRead(transfer.value == nil) | $0.address(AK8963Configuration.auxiliaryAddress)
    }
    try driver.bus.set(map.slave4Register) { $0.value(transfer.register) }
    try driver.bus.set(map.slave4Out) { $0.value(transfer.value ?? 0) }
    try driver.bus.set(map.slave4Control) { $0.enable(true) }
  }

  public static func status(of driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)
    -> Contents<MPU6050Map.AuxiliaryStatus>
  {
    try driver.bus.read(ICM20948Map().auxiliaryStatus)
  }

  public static func answer(
    of driver: inout RegisterDriver<Self, some ChipBus>
  ) throws(ChipError) -> UInt8 { try driver.bus.read(ICM20948Map().slave4In).raw }
}

// The self-test's tasks: ranges, codes and limits are those of the MPU-9250 (TDK's driver,
// Icm20948SelfTest), at 1125 Hz and with the narrower filters.
extension ICM20948Chip {
  public static var hasSelfTest: Bool { true }

  public static func trial(
    _ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = ICM20948Map()
    switch index {
    case 0:
      try driver.bus.set(map.power2) { _ in .nothing }
      try driver.bus.set(map.gyroConfig1) { $0.usesFilter(true) }
      try driver.bus.set(map.accelConfig) { $0.usesFilter(true) }
      return collect
    case 1:
      try driver.bus.set(map.gyroConfig2) {
        $0.selfTestX(true) | $0.selfTestY(true) | $0.selfTestZ(true)
      }
      try driver.bus.set(map.accelConfig2) {
        $0.selfTestX(true) | $0.selfTestY(true) | $0.selfTestZ(true)
      }
      return collect
    case 2:
      try driver.readTrimCodes()
      return .write(map.power1, wait: ICM20948Timing.reset) { $0.deviceReset(true) }
    case 3: return .write(map.power1) { $0.sleep(true) | $0.clockSource(.best) }
    default: return .end
    }
  }

  private static var collect: ChipTask {
    .collect(
      MPU6050SelfTest.samples, wait: ICM20948Timing.selfTestSettling,
      each: ICM20948Timing.selfTestSample)
  }

  public static func readTrial(
    _ driver: inout RegisterDriver<Self, some ChipBus>, at index: Int, into batch: inout RawBatch
  ) throws(ChipError) {
    batch.frameSize = frameSize
    try driver.read(first: frameSize, from: ICM20948Map().accel.first, into: &batch)
    guard driver.trial.take(afterFirst: false) else { return }
    driver.trial.sums[index] += batch.bigEndianVector(0, 0)
    driver.trial.sums[index + 2] += batch.bigEndianVector(0, 6)
  }

  public static func report(
    of driver: borrowing RegisterDriver<Self, some ChipBus>
  ) -> SelfTestReport {
    let sums = driver.trial.sums
    return MPU6050SelfTest.report(
      accel: sums[1] - sums[0], gyro: sums[3] - sums[2], driver.chip.trimCodes, of: .mpu9250)
  }
}

extension RegisterDriver where Chip == ICM20948Chip, Bus: ~Copyable {
  mutating func readTrimCodes() throws(ChipError) {
    let accel: InlineArray<3, UInt8> = try bus.bytes(from: ICM20948Map().selfTestXAccel)
    let gyro: InlineArray<3, UInt8> = try bus.bytes(from: ICM20948Map().selfTestXGyro)
    chip.trimCodes = [accel[0], accel[1], accel[2], gyro[0], gyro[1], gyro[2]]
  }
}
