// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the BMI160, a three-axis accelerometer and gyroscope with a 1024-byte FIFO and a
/// watermark.
///
/// The gyroscope's fast start-up mode is not used. That mode would save 70 ms when a stopped
/// gyroscope restarts, but `stop` resets the chip, and configurations without the gyroscope leave
/// the gyroscope suspended.
public typealias BMI160<Bus: ChipBus> = RegisterDriver<BMI160Chip, Bus>

/// The chip-specific parts of the driver.
public struct BMI160Chip: ReadyFlagChip {
  public typealias Decoder = BMI160Decoder

  /// True if the next poll is delayed until a moment between two samples.
  var isWaiting = false
  /// The latest temperature reading, low byte first; 0x8000 means no value.
  var temperature: InlineArray<2, UInt8> = [0x00, 0x80]
  var detected = BMI160Detected()
  var isGyroGood = false

  public init() {}

  public static func channels(of codes: BMI160Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.hasGyro ? BMI160Chip.channels : [.acceleration, .temperature] }

  public enum StartStep: UInt8, ChipStep {
    case interface, identity, reset, interfaceAfterReset, resetOver, accelOn, gyroStart, gyroOn
    case configuration, errors, lowPower, freshSample, noDetections
    /// If the FIFO was stopped for reading, this step starts the FIFO again.
    case queueRestart
  }

  public static func start(
    _ driver: inout BMI160<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    switch step {
    case .interface:
      _ = try driver.bus.read(BMI160Chip.interfaceSelect)
      // The wait after the interface selection also covers the reset by a preceding `stop`.
      return .wait(BMI160Timing.idleWrite)
    case .identity: return .identify(by: BMI160Map().chipID)
    case .reset: return command(.softReset, wait: BMI160Timing.reset)
    case .interfaceAfterReset:
      return try driver.reconnect()
        ? .wait(BMI160Timing.interfaceSelect) : try driver.keepResetting()
    case .resetOver:
      guard try driver.hasReset() else { return try driver.keepResetting() }
      driver.polls = 0
      return command(.accelNormal, wait: BMI160Timing.accelStart)
    case .accelOn:
      return try driver.expectPower(BMI160Map().pmuStatus.change { $0.accPmuStatus(.normal) })
    case .gyroStart where driver.startsGyro:
      return command(.gyroNormal, wait: BMI160Timing.gyroStart)
    case .gyroOn where driver.startsGyro:
      return try driver.expectPower(BMI160Map().pmuStatus.change { $0.gyrPmuStatus(.normal) })
    case .configuration: return .configure()
    case .errors:
      try driver.checkErrors()
      // The change to low power comes last, because writes must be at least 450 us apart in that
      // mode.
      return driver.isUndersampled
        ? command(.accelLowPower, wait: BMI160Timing.accelLowPower) : .next
    case .lowPower where driver.isUndersampled:
      return try driver.expectPower(BMI160Map().pmuStatus.change { $0.accPmuStatus(.lowPower) })
    // Two periods after a change of the full scale, all samples have the new full scale.
    case .freshSample: return .wait(max(driver.codes.twoPeriods, BMI160Timing.idleWrite))
    // Discard events that the chip detected while the configuration table was being written.
    case .noDetections where driver.detects:
      return command(.interruptReset, wait: BMI160Timing.idleWrite)
    case .queueRestart where driver.isDiscarding && driver.acquires(.fifo):
      if let running = driver.row(BMI160Configuration.runningQueueRow) {
        try driver.bus.write(running)
      }
      return .wait(BMI160Timing.idleWrite)
    case .gyroStart, .gyroOn, .lowPower, .noDetections, .queueRestart: return .next
    }
  }

  static func command(_ command: BMI160Map.Command, wait: UInt32 = 0) -> StepAction {
    .write(BMI160Map().cmd, wait: wait) { $0(command) }
  }

  public static func row(
    _ index: Int, of driver: borrowing BMI160<some ChipBus>
  ) -> RegisterValue? {
    let codes = driver.codes
    if index < codes.common.count { return codes.common[index] }
    return driver.detects ? codes.detectionRow(index &- codes.common.count) : nil
  }

  public static var verification: Verification {
    Verification(every: BMI160Timing.verification)
  }

  /// Starts or restarts sampling: clears the FIFO, or reads all outputs so that the status flags
  /// clear.
  public static func discardOldSamples(
    _ driver: inout BMI160<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) {
      try driver.readTemperature()
      try driver.command(.fifoFlush)
    } else if !driver.acquires(.detections) {
      try driver.read(first: 22, from: BMI160Map().gyr.first, into: &batch)
    }
  }

  /// Verifies the power modes and one configuration register every 100 ms, and in FIFO mode reads
  /// the temperature. Wrong power modes mean that a brown-out has suspended both sensors.
  public static func doPeriodicWork<Bus: ChipBus>(
    _ driver: inout BMI160<Bus>, _ event: Event, at now: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) -> Bool {
    let isDue = driver.isVerificationDue(at: now)
    if isDue, Bus.abilities.contains(.verification) {
      let status = BMI160Map().pmuStatus
      let wanted = driver.powerStatus
      let power = try driver.bus.read(status).raw
      guard wanted.holds(in: power) else {
        throw .unexpected(register: status.address, wanted: wanted.bits, found: power)
      }
      try driver.verifyNextRow()
    }
    if isDue, driver.acquires(.fifo) { try driver.readTemperature() }
    if driver.acquires(.detections) || isDue && driver.acquires(.fifo) && driver.detects {
      // In FIFO mode the interrupt pin does not signal detections.
      try driver.readDetections(after: driver.acquires(.detections) ? event : .due, into: &batch)
    }
    return isDue
  }

  public static func hasSample(_ driver: inout BMI160<some ChipBus>) throws(ChipError) -> Bool {
    let status = try driver.bus.read(BMI160Map().status)
    return status { $0.drdyAcc } == true && (status { $0.drdyGyr } == true || !driver.hasGyro)
  }

  /// Reads gyroscope, accelerometer, interrupt status and temperature in one burst, so that all
  /// these values are from the same sample.
  public static func readOutputs<Bus: ChipBus>(
    _ driver: inout BMI160<Bus>, into batch: inout RawBatch
  ) throws(ChipError) {
    let map = BMI160Map()
    let size = driver.hasGyro ? registerFrameSize : accelRegisterFrameSize
    // Once valid, the temperature stays valid until the chip is reset; an invalid temperature
    // therefore means that the words of the burst are not samples. (In low power the temperature
    // sensor runs only briefly.)
    let hadTemperature = driver.hasTemperature
    try driver.read(first: size, from: driver.hasGyro ? map.gyr.first : map.acc.first, into: &batch)
    driver.chip.temperature = [batch.byte(size - 2), batch.byte(size - 1)]
    if hadTemperature, !driver.hasTemperature, driver.hasGyro {
      throw .unexpected(register: map.temperature[1].address, wanted: 0, found: 0x80)
    }
    // The driver never enables the magnetometer, so the magnetometer's flags must be clear. If
    // these flags are set, no chip drives the data line, as on SPI after a reset.
    let status = map.status.contents(batch.byte(size - 7))
    if status({ $0.drdyMag }) == true, status({ $0.magManOp }) == true {
      throw .unexpected(register: map.status.address, wanted: 0, found: status.raw)
    }
    // INT_STATUS 0 to 3 follow STATUS in the burst, so each sample read also polls the detections.
    if Bus.abilities.contains(.detections) {
      let events: InlineArray<4, UInt8> = [
        batch.byte(size - 6), batch.byte(size - 5), batch.byte(size - 4), batch.byte(size - 3),
      ]
      try driver.note(events, at: driver.now, into: &batch)
    }
    batch.frames = 1
    batch.frameSize = size
    driver.noteFormat(&batch)
  }

  public static func noteRestart<Bus: ChipBus>(_ driver: inout BMI160<Bus>, _ error: ChipError) {
    driver.chip.isWaiting = false
    driver.chip.temperature = [0x00, 0x80]
    if Bus.abilities.contains(.detections) { driver.chip.detected.forgetChip() }
  }

  /// Suspends both sensors of the chip by one soft reset, from any state: two power commands would
  /// need a wait in between.
  public static func sleep(_ driver: inout BMI160<some ChipBus>) throws(ChipError) {
    try driver.command(.softReset)
  }
}

extension RegisterDriver where Chip == BMI160Chip, Bus: ~Copyable {
  mutating func command(_ command: BMI160Map.Command) throws(ChipError) {
    try bus.set(BMI160Map().cmd) { $0(command) }
  }

  /// Selects the interface again after a reset. Returns false if the chip does not acknowledge
  /// because the reset is still in progress.
  mutating func reconnect() throws(ChipError) -> Bool {
    do throws(ChipError) { _ = try bus.read(BMI160Chip.interfaceSelect) } catch {
      guard error.busError == .noAcknowledge else { throw error }
      return false
    }
    return true
  }

  /// Returns true if the identity register is correct and both sensors are suspended, which is the
  /// state after a reset.
  mutating func hasReset() throws(ChipError) -> Bool {
    let map = BMI160Map()
    let id = try bus.read(map.chipID).raw
    let power = try bus.read(map.pmuStatus)
    return id == identity && power({ $0.accPmuStatus }) == .suspend
      && power({ $0.gyrPmuStatus }) == .suspend
  }

  /// Selects the interface and schedules another poll, because one reset in a hundred takes longer
  /// than usual.
  mutating func keepResetting() throws(ChipError) -> StepAction {
    try again(from: .interfaceAfterReset, after: BMI160Timing.poll, times: BMI160Timing.polls)
  }

  /// Waits for the power mode in `change`; throws if the sensor has not reached this mode after all
  /// polls.
  mutating func expectPower(_ change: Change) throws(ChipError) -> StepAction {
    try expect(
      change, in: BMI160Map().pmuStatus.address, each: BMI160Timing.poll, times: BMI160Timing.polls)
  }

  /// Throws if ERR_REG reports an error in the configuration.
  mutating func checkErrors() throws(ChipError) {
    let map = BMI160Map()
    let errors = try bus.read(map.errReg)
    // The error flag of the magnetometer interface is ignored, as the magnetometer is unused.
    guard errors({ $0.dropCmdErr }) == false, errors({ $0.errCode }) == 0,
      errors({ $0.fatalErr }) == false
    else { throw .unexpected(register: map.errReg.address, wanted: 0, found: errors.raw) }
  }

  mutating func readTemperature() throws(ChipError) {
    chip.temperature = try bus.bytes(from: BMI160Map().temperature.first)
  }

  func noteFormat(_ batch: inout RawBatch) {
    codes.describe(&batch)
    batch.setTemperature(high: chip.temperature[1], low: chip.temperature[0])
  }

  @inline(__always)
  var hasTemperature: Bool { chip.temperature[1] != 0x80 || chip.temperature[0] != 0x00 }

  // The register codes, limited to the abilities of the connection. Codes that the connection
  // cannot use become constants.

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

  /// The size of a FIFO frame in bytes.
  @inline(__always)
  var queueFrameSize: Int {
    hasGyro ? BMI160Chip.queueFrameSize : BMI160Chip.accelQueueFrameSize
  }

  /// The contents of PMU_STATUS while both sensors are in the configured power modes.
  @inline(__always)
  var powerStatus: Change {
    BMI160Map().pmuStatus.change {
      $0.accPmuStatus(isUndersampled ? .lowPower : .normal)
        | $0.gyrPmuStatus(hasGyro ? .normal : .suspend)
    }
  }
}

extension BMI160Chip {
  /// The manufacturer's self-test: a deflection of the accelerometer in each direction at 8 g and
  /// 1600 Hz with the normal filter, and then the gyroscope's built-in test. The register values
  /// are from Bosch's driver.
  public enum SelfTest: ChipSelfTest {
    public enum Step: UInt8, ChipStep {
      case range, rate, pushed, pulled, gyroTest, gyroResult
    }

    private static var countsPerG: Scalar { BMI160Map.AccelFullScale.g8.countsPerG }

    public static func action(
      _ driver: inout BMI160<some ChipBus>, at step: Step
    ) throws(ChipError) -> StepAction {
      let map = BMI160Map()
      switch step {
      case .range: return .write(map.accRange) { $0(.g8) }
      case .rate: return .write(map.accConf) { $0.accBwp(.normal) | $0.accOdr(.hz1600) }
      case .pushed, .pulled:
        try driver.bus.set(map.selfTest) {
          $0.accSelfTestAmp(true) | $0.accSelfTestSign(step == .pushed) | $0.accSelfTestEn(1)
        }
        return .collect(1, wait: BMI160Timing.deflection, each: 0)
      case .gyroTest:
        return .write(map.selfTest, wait: BMI160Timing.gyroTestPoll) { $0.gyrSelfTestEn(true) }
      case .gyroResult:
        driver.chip.isGyroGood = try driver.bus.read(map.status)({ $0.gyrSelfTestOk }) == true
        let isOver =
          driver.chip.isGyroGood
          || driver.testProgress.isHopeless(after: BMI160Timing.gyroTestPolls - 1)
        if isOver { return command(.softReset) }
        return try driver.again(after: BMI160Timing.gyroTestPoll, times: .max)
      }
    }

    public static func read(
      _ driver: inout BMI160<some ChipBus>, at step: Step, into batch: inout RawBatch
    ) throws(ChipError) {
      try driver.read(first: 6, from: BMI160Map().acc.first, into: &batch)
      batch.frameSize = 6
      guard driver.testProgress.take(afterFirst: false) else { return }
      driver.testProgress.sums[step == .pushed ? 0 : 1] += batch.littleEndianVector(0, 0)
    }

    /// Returns the second deflection minus the first, for each axis and with its sign. The
    /// difference must be at least 2 g, which is more than 8192 counts (Bosch's driver,
    /// BMI160_ACCEL_SELF_TEST_LIMIT); the maximum is the full width of the range. For the gyroscope
    /// the chip reports one bit for all axes.
    public static func report(of driver: borrowing BMI160<some ChipBus>) -> SelfTestReport {
      let change = (driver.testProgress.sums[1] - driver.testProgress.sums[0]) / countsPerG
      let limits = 8193 / countsPerG...65535 / countsPerG
      var report = SelfTestReport()
      report.append(.acceleration, change, x: limits, y: limits, z: limits)
      report.append(
        SelfTestItem(
          .rotationRate, axis: 0, response: driver.chip.isGyroGood ? 1 : 0, lowest: 1, highest: 1))
      return report
    }
  }
}
