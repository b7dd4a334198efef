// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the LSM9DS1's accelerometer and gyroscope, with their common queue. Its
/// magnetometer is a chip of its own: a row of the LIS3MDL's family.
///
/// The bandwidth is the accelerometer's; the gyroscope's filter follows the rate. In low power the
/// gyroscope is off.
public typealias LSM9DS1<Bus: RegisterBus & ~Copyable> = RegisterDriver<LSM9DS1Chip, Bus>

/// Describes to the engine what is peculiar to the LSM9DS1.
public struct LSM9DS1Chip: RegisterChip {
  public typealias Decoder = LSM9DS1Decoder

  /// The lines of the configuration.
  var table = ConfigurationTable()
  /// True where the queue's line was seen to rise, false where it stayed low when it should have
  /// risen; `nil` before.
  var isWired: Bool?
  /// The newest temperature beside the queue, low byte first.
  var temperature: InlineArray<2, UInt8> = [0, 0]

  public init() {}

  public static func channels(of codes: LSM9DS1Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.isAccelAlone ? .acceleration : channels }

  public static func start<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LSM9DS1<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    switch index {
    case 0: return .identify(by: LSM9DS1Map().whoAmI)
    case 1: return reset
    case 2: return hasReset
    case 3:
      driver.chip.table = driver.codes.lines
      return .configure(wait: driver.codes.settling)
    default: return .done
    }
  }

  /// Never together with BOOT.
  static var reset: ChipTask {
    .write(LSM9DS1Map().ctrlReg8, wait: LSM6DS3Timing.reset) {
      $0.swReset(true) | $0.ifAddInc(true)
    }
  }

  static var hasReset: ChipTask {
    .poll(
      LSM9DS1Map().ctrlReg8, each: LSM6DS3Timing.reset, times: LSM6DS3Timing.resetPolls
    ) { $0.swReset(false) }
  }

  public static func line<Bus: RegisterBus & ~Copyable>(
    _ index: Int, of driver: borrowing LSM9DS1<Bus>
  ) -> RegisterValue? { driver.chip.table[index] }

  /// The table, and the queue in motion.
  public static func heldLine<Bus: RegisterBus & ~Copyable>(
    _ index: Int, of driver: borrowing LSM9DS1<Bus>
  ) -> RegisterValue? {
    if index > 0 { return driver.chip.table[index - 1] }
    return driver.acquires(.fifo) ? driver.codes.queueRunning : driver.codes.running
  }

  public static var verification: TimeSpan { LSM6DS3Timing.verification }

  public static var queuePort: UInt8 { LSM9DS1Map().outXLG.address }

  /// The accelerometer alone has a port of its own, of which the engine does not know.
  public static func note<Bus: RegisterBus & ~Copyable>(
    _ error: ChipError, of driver: inout LSM9DS1<Bus>
  ) {
    guard driver.isRunning, driver.acquires(.fifo), case .bus(let cause, let register) = error,
      register == LSM9DS1Map().outXLXl.address, cause != .noAcknowledge
    else { return }
    driver.hasGap = true
    driver.flush()
  }

  /// Of a sample that was cut off nothing says what is left.
  public static var losesPlace: Bool { true }

  /// Reads what was taken while the sensors settled, which also lowers a line that waits for that.
  public static func flush<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LSM9DS1<Bus>, into batch: inout RawBatch
  ) throws(ChipError) {
    guard driver.acquires(.fifo) else { return try driver.readOutputs(into: &batch) }
    if !driver.codes.isAccelAlone { try driver.readTemperature() }
    try driver.restartQueue()
  }

  public static func run<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LSM9DS1<Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    // First, so that a comparison that fails takes no samples with it.
    if driver.isVerificationDue(at: driver.now) {
      if Bus.abilities.contains(.verification) {
        // What a chip that lost its supply lacks first, and a line in turn.
        try driver.bus.verify(driver.codes.running)
        try driver.verifyNextLine()
      }
      if driver.acquires(.fifo), !driver.codes.isAccelAlone { try driver.readTemperature() }
    }
    if driver.acquires(.fifo) {
      try driver.drainQueue(event, into: &batch)
    } else {
      try driver.readRegisters(event, into: &batch)
    }
  }

  public static func rest<Bus: RegisterBus & ~Copyable>(_ driver: borrowing LSM9DS1<Bus>) -> Wake {
    guard driver.acquires(.fifo) else { return driver.restingWake }
    return driver.queueWake(
      driver.chip.isWired, watermark: driver.codes.watermark, interval: driver.codes.batchInterval)
  }

  /// Reads status and outputs in one burst where an edge told that they are new; else the status,
  /// and the outputs if it says so: they were taken before it was read.
  public static func readSample<Bus: RegisterBus & ~Copyable>(
    _ driver: inout LSM9DS1<Bus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    if driver.acquires(.polling) {
      let status = try driver.bus.read(LSM9DS1Map().statusReg)
      let seen = driver.now
      guard driver.isNew(status.raw) else { return SampleStatus(isReady: false) }
      try driver.readOutputs(into: &batch)
      return SampleStatus(
        isReady: true, isOverrun: driver.clock.samplesElapsed(at: seen) > 1, seen: seen)
    }
    let isLate = driver.clock.samplesElapsed(at: driver.now) > 1
    try driver.readOutputs(into: &batch)
    let status = batch.byte(driver.codes.isAccelAlone ? 0 : 2)
    return SampleStatus(isReady: driver.isNew(status), isOverrun: isLate)
  }

  public static func sleep<Bus: RegisterBus & ~Copyable>(_ driver: inout LSM9DS1<Bus>)
    throws(ChipError)
  {
    try driver.bus.set(LSM9DS1Map().ctrlReg1G) { _ in .nothing }
    try driver.bus.set(LSM9DS1Map().ctrlReg6Xl) { _ in .nothing }
  }
}

extension RegisterDriver where Chip == LSM9DS1Chip, Bus: ~Copyable {
  func isNew(_ status: UInt8) -> Bool {
    let status = LSM9DS1Map().statusReg.contents(status)
    return (codes.isAccelAlone ? status({ $0.xlda }) : status({ $0.gda })) == true
  }

  /// Temperature, status, gyroscope and accelerometer, or the accelerometer and its status, in one
  /// transaction.
  mutating func readOutputs(into batch: inout RawBatch) throws(ChipError) {
    let map = LSM9DS1Map()
    if codes.isAccelAlone, !isTesting {
      try read(LSM9DS1Chip.accelBurstSize, from: map.statusRegXl, into: &batch)
    } else {
      try read(LSM9DS1Chip.burstSize, from: map.outTempL, into: &batch)
    }
  }

  mutating func readTemperature() throws(ChipError) {
    var bytes = chip.temperature
    var span = bytes.mutableSpan
    try bus.read(&span, from: LSM9DS1Map().outTempL)
    chip.temperature = bytes
  }

  /// Empties the queue and lets it fill anew: only bypass forgets what waits.
  mutating func restartQueue() throws(ChipError) {
    try bus.set(LSM9DS1Map().fifoCtrl) { $0.fmode(.bypass) }
    try bus.write(codes.queueRunning)
  }

  /// Takes all samples out of the queue, or as many as the bus takes at once.
  mutating func drainQueue(_ event: Event, into batch: inout RawBatch) throws(ChipError) {
    let isContinued = remaining > 0
    remaining = 0
    let before = now
    let source = try bus.read(LSM9DS1Map().fifoSrc)
    let after = now
    lookSpan = after - before
    let waiting = Int(source { $0.fss } ?? 0)
    // Two samples of room keep one that arrives between this look and the read from pushing out the
    // oldest one unseen.
    if source({ $0.ovrn }) == true || waiting > LSM9DS1Chip.queueSamples - 2 {
      return noteOverflow()
    }
    if !isContinued {
      chip.isWired = noteLine(chip.isWired, event, waiting: waiting, watermark: codes.watermark)
    }
    guard waiting > 0 else { return }
    let map = LSM9DS1Map()
    let size = codes.isAccelAlone ? LSM9DS1Chip.accelFrameSize : LSM9DS1Chip.queueFrameSize
    let frames = max(1, min(waiting, bus.longestRead / size))
    try read(frames * size, from: codes.isAccelAlone ? map.outXLXl : map.outXLG, into: &batch)
    batch.frames = frames
    batch.frameSize = size
    batch.format[LSM9DS1Decoder.Format.temperatureLow] = chip.temperature[0]
    batch.format[LSM9DS1Decoder.Format.temperatureHigh] = chip.temperature[1]
    remaining = waiting - frames
    stampQueue(
      &batch, before: before, after: after, edge: event.edges == 1 ? event.edgeTime : nil,
      ahead: frames - codes.watermark)
    // Whatever came during a long read keeps the line up, which then rises no more: looked for at
    // once.
    if codes.announcesSamples, frames > 1 { remaining = max(remaining, 1) }
  }

  private mutating func read(
    _ count: Int, from register: Register<some Sendable, some ReadableAccess>,
    into batch: inout RawBatch
  ) throws(ChipError) {
    var span = batch.bytes.mutableSpan
    // The standard library's 6.3 name of what was `extracting(first:)`; SE-0467 is to drop the
    // underscore.
    var wanted = span._mutatingExtracting(first: count)
    try bus.read(&wanted, from: register)
    batch.frameSize = count
    batch.format[LSM9DS1Decoder.Format.accelFullScale] = codes.accelFullScale.rawValue
    batch.format[LSM9DS1Decoder.Format.gyroFullScale] = codes.gyroFullScale.rawValue
  }
}
