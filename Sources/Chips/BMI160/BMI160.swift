// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the BMI160: three-axis accelerometer and gyroscope with a 1024-byte queue and a
/// watermark.
///
/// The gyroscope's fast start-up is not used: it saves 70 ms where a gyroscope is stopped and
/// started again, but `stop` resets the chip, and what needs no gyroscope leaves it suspended.
public typealias BMI160<Bus: RegisterBus & ~Copyable> = RegisterDriver<BMI160Chip, Bus>

/// Describes to the engine what is peculiar to the BMI160.
public struct BMI160Chip: RegisterChip {
  public typealias Decoder = BMI160Decoder

  /// True where the step that is under way has taken samples out of the chip: if it fails, they are
  /// lost.
  var holdsSamples = false
  /// The time that the next look has to wait, to fall between two samples; zero mostly.
  var pause = TimeSpan.zero
  /// True where the watermark's edges arrive: the pin is wired.
  var hasEdges = false
  /// The newest temperature, low byte first; 0x8000 is none.
  var temperature: InlineArray<2, UInt8> = [0x00, 0x80]
  var detected = BMI160Detected()
  /// The gyroscope's self-test was passed.
  var isGyroGood = false

  public init() {}

  public static func channels(of codes: BMI160Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.hasGyro ? BMI160Chip.channels : [.acceleration, .temperature] }

  public static func start<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMI160<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    switch index {
    case 0:
      _ = try driver.bus.read(BMI160Chip.interfaceSelect)
      // Long enough for the interface, and for the reset of a stop just before.
      return .wait(BMI160Timing.idleWrite)
    case 1: return .identify(by: BMI160Map().chipID)
    case 2: return command(.softReset, wait: BMI160Timing.reset)
    case 3:
      return try driver.reconnect()
        ? .wait(BMI160Timing.interfaceSelect) : try driver.keepResetting()
    case 4:
      guard try driver.hasReset() else { return try driver.keepResetting() }
      driver.polls = 0
      return command(.accelNormal, wait: BMI160Timing.accelStart)
    case 5: return try driver.expectPower(BMI160Map().pmuStatus.change { $0.accPmuStatus(.normal) })
    case 6 where driver.startsGyro: return command(.gyroNormal, wait: BMI160Timing.gyroStart)
    case 7 where driver.startsGyro:
      return try driver.expectPower(BMI160Map().pmuStatus.change { $0.gyrPmuStatus(.normal) })
    case 8: return .configure()
    case 9:
      try driver.checkErrors()
      // Not before: in low power, writes must be far apart.
      return driver.isUndersampled
        ? command(.accelLowPower, wait: BMI160Timing.accelLowPower) : .wait(0)
    case 10 where driver.isUndersampled:
      return try driver.expectPower(BMI160Map().pmuStatus.change { $0.accPmuStatus(.lowPower) })
    // A sample that was begun with the old range is gone after two periods.
    case 11: return .wait(max(driver.codes.twoPeriods, BMI160Timing.idleWrite))
    // What was detected while the table was written is no news.
    case 12 where driver.detects: return command(.interruptReset, wait: BMI160Timing.idleWrite)
    case 6, 7, 10, 12: return .wait(0)
    case ChipTask.firstOfFlush where driver.acquires(.fifo):
      // The queue was stopped to be read.
      if let running = driver.line(BMI160Configuration.runningQueueLine) {
        try driver.bus.write(running)
      }
      return .wait(BMI160Timing.idleWrite)
    default: return .done
    }
  }

  static func command(_ command: BMI160Map.Command, wait: UInt32 = 0) -> ChipTask {
    .write(BMI160Map().cmd, wait: wait) { $0.cmd(command) }
  }

  public static func line<Bus: RegisterBus & ~Copyable>(
    _ index: Int, of driver: borrowing BMI160<Bus>
  ) -> RegisterValue? {
    let codes = driver.codes
    if index < codes.common.count { return codes.common[index] }
    return driver.detects ? codes.detectionLine(index &- codes.common.count) : nil
  }

  public static var verification: TimeSpan { BMI160Timing.verification }

  public static var queuePort: UInt8 { BMI160Map().fifoData.address }

  @inlinable
  public static var losesPlace: Bool { true }

  /// Sampling begins, or begins again, with nothing old in queue and status.
  public static func flush<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMI160<Bus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) {
      try driver.readTemperature()
      try driver.command(.fifoFlush)
    } else if !driver.acquires(.detections) {
      var span = batch.bytes.mutableSpan
      var part = span._mutatingExtracting(first: 22)
      try driver.bus.read(&part, from: BMI160Map().gyrXLow)
    }
  }

  @inlinable
  public static func run<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMI160<Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    // First, because frames that were read are gone when something after them fails.
    try driver.verifyTogether(into: &batch)
    if driver.acquires(.dataReady) {
      try driver.readOnEdge(event, into: &batch)
    } else if driver.acquires(.fifo) {
      try driver.drainQueue(event, into: &batch)
    } else if driver.acquires(.polling) {
      try driver.readIfReady(into: &batch)
    } else if driver.acquires(.detections) {
      try driver.look(after: event, into: &batch)
    }
    driver.handOver()
  }

  @inlinable
  public static func rest<Bus: RegisterBus & ~Copyable>(_ driver: borrowing BMI160<Bus>) -> Wake {
    if driver.acquires(.fifo) { return driver.queueWake }
    if driver.acquires(.detections) {
      return .onInterrupt(until: driver.lastStep + BMI160Timing.detectionLook)
    }
    return driver.restingWake
  }

  /// Reads the status, and the registers if a sample is new since the last look: it was there when
  /// the status was read.
  public static func readSample<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMI160<Bus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let status = try driver.bus.read(BMI160Map().status)
    let seen = driver.now
    guard status({ $0.drdyAcc }) == true, status({ $0.drdyGyr }) == true || !driver.hasGyro else {
      return SampleStatus(isReady: false)
    }
    try driver.readRegisters(into: &batch)
    return SampleStatus(
      isReady: true, isOverrun: driver.clock.samplesElapsed(at: seen) > 1, seen: seen)
  }

  public static func note<Bus: RegisterBus & ~Copyable>(
    _ error: ChipError, of driver: inout BMI160<Bus>
  ) {
    if driver.chip.holdsSamples { driver.hasGap = true }
    driver.chip.holdsSamples = false
  }

  public static func lose<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMI160<Bus>, _ error: ChipError
  ) {
    driver.chip.pause = .zero
    driver.chip.temperature = [0x00, 0x80]
    if Bus.abilities.contains(.detections) { driver.chip.detected.forgetChip() }
  }

  /// One command that suspends both sensors whatever they are doing: two commands would need a wait
  /// between them.
  public static func sleep<Bus: RegisterBus & ~Copyable>(_ driver: inout BMI160<Bus>)
    throws(ChipError)
  { try driver.command(.softReset) }
}

extension RegisterDriver where Chip == BMI160Chip, Bus: ~Copyable {
  mutating func command(_ command: BMI160Map.Command) throws(ChipError) {
    try bus.set(BMI160Map().cmd) { $0.cmd(command) }
  }

  /// Chooses the interface again, which the reset has undone. A chip that is still resetting may be
  /// silent.
  mutating func reconnect() throws(ChipError) -> Bool {
    do throws(ChipError) { _ = try bus.read(BMI160Chip.interfaceSelect) } catch {
      guard error.busError == .noAcknowledge else { throw error }
      return false
    }
    return true
  }

  /// A chip that has reset says who it is and that both sensors are suspended.
  mutating func hasReset() throws(ChipError) -> Bool {
    let map = BMI160Map()
    let id = try bus.read(map.chipID).raw
    let power = try bus.read(map.pmuStatus)
    return id == identity && power({ $0.accPmuStatus }) == .suspend
      && power({ $0.gyrPmuStatus }) == .suspend
  }

  /// One reset in a hundred takes long: the interface is chosen and the chip asked again.
  mutating func keepResetting() throws(ChipError) -> ChipTask {
    try again(from: 3, after: BMI160Timing.poll, times: BMI160Timing.polls)
  }

  /// A sensor that has not started after all looks that it is given never will.
  mutating func expectPower(_ change: Change) throws(ChipError) -> ChipTask {
    try expect(
      change, in: BMI160Map().pmuStatus.address, each: BMI160Timing.poll,
      times: BMI160Timing.polls)
  }

  /// Asks the chip whether it minds its configuration.
  mutating func checkErrors() throws(ChipError) {
    let map = BMI160Map()
    let errors = try bus.read(map.errReg)
    // The flag of the magnetometer interface says nothing about these sensors.
    guard errors({ $0.dropCmdErr }) == false, errors({ $0.errCode }) == 0,
      errors({ $0.fatalErr }) == false
    else {
      throw .rejected(register: map.errReg.address, wrote: 0, readBack: errors.raw)
    }
  }

  mutating func readTemperature() throws(ChipError) {
    var bytes: InlineArray<2, UInt8> = [0, 0]
    var span = bytes.mutableSpan
    try bus.read(&span, from: BMI160Map().temperature0)
    chip.temperature = bytes
  }

  /// Each tenth of a second the power modes, because a chip that browned out answers, but
  /// suspended; and one line of the configuration, in turn.
  @usableFromInline mutating func verifyTogether(into batch: inout RawBatch) throws(ChipError) {
    guard isVerificationDue(at: now) else { return }
    if Bus.abilities.contains(.verification) {
      let map = BMI160Map()
      let wanted = powerStatus
      let power = try bus.read(map.pmuStatus).raw
      guard wanted.holds(in: power) else {
        throw .rejected(register: map.pmuStatus.address, wrote: wanted.bits, readBack: power)
      }
      try verifyNextLine()
    }
    guard acquires(.fifo) else { return }
    try readTemperature()
    if detects { try look(after: .due, into: &batch) }
  }

  /// Leaves what was read to the batch.
  @usableFromInline mutating func handOver() { chip.holdsSamples = false }

  // What the connection leaves of the codes: constants where it leaves no choice.

  @inline(__always)
  var hasGyro: Bool {
    Bus.abilities.isDisjoint(with: [.lowPower, .detections]) || codes.hasGyro
  }

  @inline(__always)
  var startsGyro: Bool { hasGyro || isTesting }

  @inline(__always)
  var isUndersampled: Bool { Bus.abilities.contains(.lowPower) && codes.isUndersampled }

  @inline(__always)
  var detects: Bool { Bus.abilities.contains(.detections) && codes.detects }

  /// Bytes of a frame of the queue.
  @inline(__always)
  var queueFrameSize: Int {
    hasGyro ? BMI160Chip.queueFrameSize : BMI160Chip.accelQueueFrameSize
  }

  /// The PMU_STATUS of sensors that are in their wanted modes.
  @inline(__always)
  var powerStatus: Change {
    BMI160Map().pmuStatus.change {
      $0.accPmuStatus(isUndersampled ? .lowPower : .normal)
        | $0.gyrPmuStatus(hasGyro ? .normal : .suspend)
    }
  }
}
