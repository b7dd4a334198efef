// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the LSM6DS3 and its relatives LSM6DS33, LSM6DS3TR-C and LSM6DSL: three-axis
/// accelerometer and gyroscope with a queue of words. The chip's identity says which register map
/// it has.
///
/// The bandwidth is the accelerometer's; the gyroscope's filter is the nearest that it has at that
/// rate. Without samples, or in low power, the gyroscope is off.
public typealias LSM6DS3<Bus: ChipBus> = RegisterDriver<LSM6DS3Chip, Bus>

/// Describes to the engine what is peculiar to the family.
public struct LSM6DS3Chip: RegisterChip {
  public typealias Decoder = LSM6DS3Decoder

  /// The lines of the configuration.
  var table = ConfigurationTable()
  /// The time when samples came last, or were first to be expected.
  var lastArrival = Timestamp.zero
  /// True where the queue's line was seen to rise, false where it stayed low when it should have
  /// risen; `nil` before.
  var isWired: Bool?
  /// The time when the sources of detections are to be read again, where no line tells.
  var nextLook = Timestamp.zero
  /// The newest temperature beside the queue, low byte first.
  var temperature: InlineArray<2, UInt8> = [0, 0]
  /// The chip's step counter as last read, and the number of steps since `start`.
  var stepCount: UInt16 = 0
  var steps: Int32 = 0
  var sources = LSM6DS3Sources()

  public init() {}

  /// Low power means the accelerometer alone; no samples leave a chip that only detects.
  public static func channels(of codes: LSM6DS3Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.channels }

  public static func start(
    _ driver: inout LSM6DS3<some ChipBus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = LSM6DS3Map()
    switch index {
    // Behind an open page of embedded functions, 0x0F is a pedometer's threshold.
    case 0: return .write(map.funcCfgAccess) { _ in .nothing }
    case 1: return .identify(by: map.whoAmI)
    case 2: return reset
    case 3: return hasReset
    case 4:
      try driver.prepareTable()
      return .configure(wait: max(LSM6DS3Timing.turnOn, driver.configuration.settling))
    default: return .done
    }
  }

  /// Never together with BOOT.
  static var reset: ChipTask {
    .write(LSM6DS3Map().ctrl3C, wait: LSM6DS3Timing.reset) { $0.swReset(true) | $0.ifInc(true) }
  }

  static var hasReset: ChipTask {
    .poll(
      LSM6DS3Map().ctrl3C, each: LSM6DS3Timing.reset, times: LSM6DS3Timing.resetPolls
    ) { $0.swReset(false) }
  }

  public static func line(
    _ index: Int, of driver: borrowing LSM6DS3<some ChipBus>
  ) -> RegisterValue? { driver.chip.table[index] }

  /// The table, and the queue in motion.
  public static func heldLine(
    _ index: Int, of driver: borrowing LSM6DS3<some ChipBus>
  ) -> RegisterValue? {
    if index > 0 { return driver.chip.table[index - 1] }
    return driver.acquires(.fifo) ? driver.codes.queueRunning : driver.codes.accelRunning
  }

  public static var verification: TimeSpan { LSM6DS3Timing.verification }

  public static var queuePort: UInt8 { LSM6DS3Map().fifoDataOut.address }

  public static func flush(
    _ driver: inout LSM6DS3<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) {
      if driver.announcesSets { try driver.readTemperature() }
      try driver.restartQueue()
    } else if !driver.acquires(.detections) {
      // What is there was taken while the gyroscope settled; reading it also lowers a line that
      // waits for that.
      try driver.readBurst(into: &batch)
    }
    // The first slope is from nothing to gravity (AN5130, page 38).
    try driver.lookForDetections(.due, into: &batch)
    driver.chip.lastArrival = driver.now
    driver.chip.nextLook = driver.chip.lastArrival + LSM6DS3Timing.look
  }

  @inlinable
  public static func run<Bus: ChipBus>(
    _ driver: inout LSM6DS3<Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    // First, so that a comparison that fails takes no samples with it.
    try driver.verifyWhereSilent()
    try driver.verifyTogether()
    if Bus.abilities.contains(.detections) { try driver.detect(event, into: &batch) }
    if driver.acquires(.dataReady) {
      try driver.readOnEdge(event, into: &batch)
    } else if driver.acquires(.fifo) {
      try driver.drainQueue(event, into: &batch)
    } else if driver.acquires(.polling) {
      try driver.readIfReady(into: &batch)
    }
    driver.noteArrival(batch)
  }

  @inlinable
  public static func rest(_ driver: borrowing LSM6DS3<some ChipBus>) -> Wake {
    if driver.acquires(.fifo) { return driver.nextDrain }
    if driver.acquires(.dataReady) { return driver.edgeWake }
    return driver.acquires(.detections) ? driver.detectingWake : driver.restingWake
  }

  /// Reads the status, and the registers if a sample is new since the last look: it was there when
  /// the status was read.
  public static func readSample(
    _ driver: inout LSM6DS3<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let status = try driver.bus.read(LSM6DS3Map().statusReg)
    let seen = driver.now
    let isNew = driver.configuration.isAccelAlone ? status({ $0.xlda }) : status({ $0.gda })
    guard isNew == true else { return SampleStatus(isReady: false) }
    try driver.readBurst(into: &batch)
    return SampleStatus(
      isReady: true, isOverrun: driver.clock.samplesElapsed(at: seen) > 1, seen: seen)
  }

  /// Powers both sensors down; the second also where the first did not answer.
  public static func sleep(_ driver: inout LSM6DS3<some ChipBus>) throws(ChipError) {
    let map = LSM6DS3Map()
    var failure: ChipError?
    do { try driver.bus.set(map.ctrl1Xl) { _ in .nothing } } catch { failure = error }
    try driver.bus.set(map.ctrl2G) { _ in .nothing }
    if let failure { throw failure }
  }
}

extension RegisterDriver where Chip == LSM6DS3Chip, Bus: ~Copyable {
  /// Creates a driver of codes for a part of `family`.
  @inline(__always)
  public init(
    _ bus: consuming Bus, configuration: LSM6DS3Configuration, family: LSM6DS3Family
  ) throws(ChipError) {
    var configuration = configuration
    configuration.part = family
    try self.init(bus, configuration: configuration)
  }

  /// As the chip said it last.
  public var family: LSM6DS3Family { part }

  /// Makes the table, and holds the step counter at 0 until it is written.
  @inline(never)
  mutating func prepareTable() throws(ChipError) {
    guard !isTesting else { return }
    let codes = configuration
    if Bus.abilities.contains(.detections) {
      if codes.functions.kinds.contains(.step) { try bus.write(codes.functionsWithoutSteps) }
      chip.stepCount = 0
      chip.sources.isStill = false
    }
    chip.table = codes.lines(within: Bus.abilities)
    chip.table.add(codes.accelRunning)
  }

  /// Compares a line of the configuration when it is due, and reads the temperature where it is not
  /// in the frames.
  @usableFromInline mutating func verifyTogether() throws(ChipError) {
    let now = self.now
    guard announcesSets else {
      try verifyInTurn(at: now)
      return
    }
    guard isVerificationDue(at: now) else { return }
    try verifyNextLine()
    try readTemperature()
  }

  @usableFromInline var nextDrain: Wake {
    queueWake(
      chip.isWired, watermark: codes.readout.watermark, interval: codes.readout.batchInterval)
  }

  @usableFromInline var detectingWake: Wake {
    .onInterrupt(
      until: lastStep
        + (configuration.isFullyRouted ? LSM6DS3Timing.silence : LSM6DS3Timing.look))
  }

  /// The time for which a chip may be silent: a fill of the queue, or four samples, and as long
  /// again.
  private var patience: TimeSpan {
    if acquires(.detections) { return LSM6DS3Timing.silence }
    let samples = clock.measuredPeriod * 4
    let fill = acquires(.fifo) ? max(codes.readout.batchInterval, samples) : samples
    return max(fill * 2, LSM6DS3Timing.verification / 4)
  }

  /// A chip that browned out answers, powered down: one from which nothing came for long is asked
  /// for that at once. Where detections are all there may be, it would be silent for ever.
  @usableFromInline mutating func verifyWhereSilent() throws(ChipError) {
    guard Bus.abilities.contains(.verification) else { return }
    let silence = lastStep - chip.lastArrival
    guard acquires(.detections) ? silence >= patience : silence > patience else { return }
    chip.lastArrival = lastStep
    try bus.verify(codes.accelRunning)
  }

  @usableFromInline mutating func noteArrival(_ batch: borrowing RawBatch) {
    if batch.frames > 0 { chip.lastArrival = lastStep }
  }
}
