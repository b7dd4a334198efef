// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the MPU-6050 and related parts, from the MPU-6000 to the ICM-20690: three-axis
/// accelerometers and gyroscopes with a FIFO. The identity read from the chip selects the part.
///
/// The chip has only one interrupt pin. The pin carries data-ready pulses with `.dataReady` and
/// motion with `.detections`, so detections are not available with `.dataReady`. The FIFO has no
/// watermark, so with `.fifo` the driver reads it at intervals.
public typealias MPU6050<Bus: ChipBus> = RegisterDriver<MPU6050Chip, Bus>

/// The chip-specific parts of the driver.
public struct MPU6050Chip: SampledChip {
  public typealias Decoder = MPU6050Decoder

  /// The factory's self-test codes for the accelerometer's x, y and z, then those for the
  /// gyroscope; 0 means that there is no code.
  var trimCodes = InlineArray<6, UInt8>(repeating: 0)
  /// The last temperature that was read separately from the FIFO, high byte first.
  var temperature: InlineArray<2, UInt8> = [0, 0]
  /// The factory's sensitivity adjustments of the magnetometer, read when the magnetometer starts.
  public var adjustment: InlineArray<3, UInt8> = [0, 0, 0]
  public var auxiliaryTransfers = 0
  /// The time of the last read of the temperature register.
  @usableFromInline var temperatureTime = Timestamp.zero

  public init() {}

  /// Returns the sampled channels. In low power only the accelerometer runs.
  public static func channels(of codes: MPU6050Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  {
    if codes.isAccelOnly { return [.acceleration] }
    return codes.narrowed(to: abilities).magnetometerRate == nil
      ? MPU6050Chip.channels : MPU6050Chip.channels.union(.magneticField)
  }

  /// Returns the output rate with number `index` in Hz. This is a rate of the cycle mode if the
  /// register codes use that mode, otherwise a rate of the normal mode.
  public static func rate(at index: Int, of codes: MPU6050Configuration) -> Scalar? {
    codes.cycles
      ? MPU6050Chip.cycleRate(at: index, of: codes.part.generation)?.hertz
      : MPU6050Chip.rate(at: index)
  }

  public static func detections(of codes: MPU6050Configuration) -> DetectionSet {
    MPU6050Chip.detections(of: codes.part.generation)
  }

  public enum StartStep: UInt8, NineAxisStep {
    case identity, reset, resetOver, signalPathReset, wake, configuration, gyroStart
    case magnetometerRequest, magnetometerAnswer
  }

  public static func start(
    _ driver: inout MPU6050<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = MPU6050Map()
    switch step {
    case .identity: return .identify(by: map.whoAmI)
    case .reset:
      // I2C is disabled before the reset too, so that the chip does not mistake noise on the lines
      // for I2C transfers.
      try driver.disableI2C()
      return .write(map.power1, wait: MPU6050Timing.reset) { $0.deviceReset(true) | $0.sleep(true) }
    case .resetOver:
      return .poll(
        map.power1, each: MPU6050Timing.resetPoll, times: MPU6050Timing.resetPolls
      ) { $0.deviceReset(false) }
    case .signalPathReset:
      guard driver.bus.isSPI else { return .next }
      try driver.disableI2C()
      return .write(map.signalPathReset, wait: MPU6050Timing.signalPathReset) {
        $0.gyro(true) | $0.accel(true) | $0.temperature(true)
      }
    // The sleep bit is always written, because the factory setting of some parts clears this bit at
    // a reset.
    case .wake: return .write(map.power1, wait: MPU6050Timing.wake) { $0.clockSource(.gyroX) }
    case .configuration:
      driver.chip.auxiliaryTransfers = 0
      return .configure()
    case .gyroStart:
      if driver.configuration.cycles { try driver.bus.write(driver.configuration.powerRunning) }
      return .wait(MPU6050Timing.gyroStart)
    case .magnetometerRequest where driver.configuration.magnetometerRate != nil:
      return try driver.requestTransfer()
    case .magnetometerAnswer where driver.configuration.magnetometerRate != nil:
      return try driver.takeAnswer()
    case .magnetometerRequest, .magnetometerAnswer: return .next
    }
  }

  public static func row(
    _ index: Int, of driver: borrowing MPU6050<some ChipBus>
  ) -> RegisterValue? { driver.configuration.row(index) }

  /// Returns the register writes of the configuration, followed by the write that selects which
  /// sensors fill the FIFO. That last write is sent after the FIFO is cleared.
  public static func verifiedRow(
    _ index: Int, of driver: borrowing MPU6050<some ChipBus>
  ) -> RegisterValue? {
    if let row = driver.configuration.runningRow(index, isSPI: driver.bus.isSPI) { return row }
    return driver.row(index)
  }

  @inlinable
  public static var verification: Verification {
    Verification(every: MPU6050Timing.verification, catchesUp: true)
  }

  /// The retry limit. It is higher than the default, because a reset takes a quarter of a second,
  /// and because after a failure up to sixteen registers are verified, and each verification may
  /// fail again on a poor bus.
  @inlinable
  public static var retryLimit: Int { 6 }

  public static func discardOldSamples(
    _ driver: inout MPU6050<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) {
      try driver.restartQueue()
      if driver.readsTemperature { try driver.readTemperature(at: driver.now) }
    }
    // A sample that becomes ready during this read of the interrupt status is found by the next
    // poll.
    driver.lastPoll = driver.now
    _ = try driver.bus.read(MPU6050Map().interruptStatus)
  }

  public enum Queue: CountedQueue {
    public static func port(of driver: borrowing MPU6050<some ChipBus>) -> UInt8 {
      MPU6050Map().fifoData.address
    }

    public static func frameSize(of driver: borrowing MPU6050<some ChipBus>) -> Int {
      driver.codes.queueFrameSize
    }

    public static var count: UInt8 { MPU6050Map().fifoCount.address }

    @inlinable
    public static func size(of driver: borrowing MPU6050<some ChipBus>) -> Int {
      driver.codes.part.fifoSize
    }

    @inlinable
    public static var losesAlignment: Bool { true }
  }

  public static func describe<Bus: ChipBus>(
    _ batch: inout RawBatch, of driver: borrowing MPU6050<Bus>
  ) {
    driver.codes.describe(&batch, part: driver.codes.part.identity)
    if driver.readsTemperature {
      batch.setTemperature(high: driver.chip.temperature[0], low: driver.chip.temperature[1])
    }
    if Bus.abilities.contains(.magnetometer), driver.codes.magnetometerRate != nil {
      driver.noteMagnetometer(in: &batch)
    }
  }

  /// Verifies a configuration register, reads the temperature if frames do not contain it, and
  /// polls detections that sample reads do not report.
  @inlinable
  public static func doPeriodicWork<Bus: ChipBus>(
    _ driver: inout MPU6050<Bus>, _ event: Event, at now: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) -> Bool {
    var tookTime = try driver.verifyInTurn(at: now)
    if driver.readsTemperature, now - driver.chip.temperatureTime >= MPU6050Timing.temperature {
      try driver.readTemperature(at: now)
      tookTime = true
    }
    guard Bus.abilities.contains(.detections), driver.codes.motionThreshold > 0,
      driver.acquires(.detections)
        || driver.acquires(.fifo) && now - driver.lastPoll >= MPU6050Timing.detection
    else { return tookTime }
    driver.lastPoll = now
    _ = try driver.readStatus(after: event, into: &batch)
    return true
  }

  /// Reads the status register and then one sample. If the status has been set again since the last
  /// poll, a later sample has arrived.
  @inlinable
  public static func readSample(
    _ driver: inout MPU6050<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    if !driver.hasEdge {
      guard try driver.readStatus(into: &batch) else { return SampleStatus(isReady: false) }
    }
    let seen = driver.hasEdge ? driver.lastStep : driver.now
    let isLater = try driver.readRegisters(into: &batch) && !driver.hasEdge
    if isLater { driver.lastPoll = seen }
    return SampleStatus(
      isReady: true, isOverrun: isLater || driver.clock.samplesElapsed(at: seen) > 1,
      seen: isLater ? driver.now : seen)
  }

  @inlinable
  public static func longestWait(_ driver: borrowing MPU6050<some ChipBus>) -> TimeSpan {
    MPU6050Timing.rest
  }

  public static func sleep(_ driver: inout MPU6050<some ChipBus>) throws(ChipError) {
    try driver.bus.set(MPU6050Map().power1) { $0.sleep(true) }
  }
}

extension RegisterDriver where Chip == MPU6050Chip, Bus: ~Copyable {
  /// Creates a driver that expects the part with this identity.
  public init(_ bus: consuming Bus, expecting identity: UInt8) {
    self.init(bus, expecting: MPU6050Part(identity: identity) ?? .mpu6050)
  }

  /// Returns USER_CTRL with the FIFO enabled or disabled.
  func userControl(queue: Bool, reset: Bool = false) -> RegisterValue {
    configuration.userControl(queue: queue, reset: reset, isSPI: bus.isSPI)
  }

  /// True if the temperature is read separately from the FIFO's frames.
  @inlinable @inline(__always)
  var readsTemperature: Bool { announcesSamples && codes.readsTemperature }

  /// Disables the I2C interface of a chip on SPI.
  mutating func disableI2C() throws(ChipError) {
    guard bus.isSPI else { return }
    if codes.part.isICM20602 {
      try bus.set(ICM20602Map().i2cDisable) { $0(true) }
    } else {
      try bus.write(userControl(queue: false))
    }
  }
}
