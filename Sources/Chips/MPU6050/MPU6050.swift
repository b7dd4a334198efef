// SPDX-License-Identifier: Apache-2.0
internal import Buses
public import Quantities
public import Registers
public import Sensors

/// The driver of the MPU-6050 and its relatives, from the MPU-6000 to the ICM-20690: three-axis accelerometer and
/// gyroscope with a queue. The identity that it reads tells which it has.
///
/// The interrupt pin carries data-ready pulses with `.dataReady` and motion with `.detections`; there is no other pin, so
/// `.dataReady` detects nothing beside. The queue of `.fifo` has no watermark and is read by time.
public struct MPU6050<Bus: RegisterBus & ~Copyable>: SensorDriver, ~Copyable {
  var phase = MPU6050Phase.idle
  /// Looks whether the reset is over.
  private var resetPolls: UInt8 = 0
  /// The row that the chip belongs to: what was expected, then what was found.
  var part: MPU6050Part
  private var codes: MPU6050Configuration
  /// What the next `start` takes over. Until then samples are decoded with the ranges they were taken with.
  private var wanted: MPU6050Configuration
  /// What was asked for, should another part be found than was expected; `nil`: what the codes are.
  private var requested: SensorSettings?
  var clock = SampleClock(rate: 100)
  public internal(set) var health = Health()
  /// Transactions that failed in a row while running.
  var failures = 0
  /// Which line of the configuration is compared next, and until when all that were due are.
  private var patrol = Patrol()
  private var comparedUntil = Timestamp.zero
  /// The start of the last look that read and so cleared the status.
  var lastLook = Timestamp.zero
  /// Frames left in the queue because a batch, or the bus, takes only so many at once.
  var remaining = 0
  /// How long the last count took.
  var lookSpan = TimeSpan.zero
  /// Whether samples may have been lost since the last batch.
  var hasGap = false
  /// Whether the self-test is what runs, how far it is, and what it found.
  private var isTesting = false
  var test = MPU6050SelfTest()
  var outcome: SelfTestReport?

  public internal(set) var identity: UInt8?

  /// Behind all others, whose places are known to the compiler then, whatever the bus is.
  var bus: Bus

  /// A driver of a chip that is `part`, set to the codes of `configuration`: nothing that chooses codes for physical settings
  /// is linked, unless `configure` is called too. `batchInterval` is held to what the queue bears. Throws `unsupportedSetting`
  /// for codes that the part does not have, or that take more than the driver's abilities.
  ///
  /// Always inlined: what constant codes are checked for is decided when the program is compiled.
  @inline(__always)
  public init(
    _ bus: consuming Bus, configuration: MPU6050Configuration, part: MPU6050Part = .mpu6050
  ) throws(ChipError) {
    guard configuration.suits(part, isSPI: bus.isSPI),
      Bus.abilities.isSuperset(of: configuration.abilities)
    else { throw .unsupportedSetting }
    var configuration = configuration
    configuration.identity = part.identity
    if configuration.acquisition == .fifo {
      configuration.batchInterval = configuration.held(configuration.batchInterval, of: part)
    }
    self.bus = bus
    self.part = part
    codes = configuration
    wanted = configuration
  }

  /// A driver that expects the part with that identity: what it offers before the chip was asked is that part's.
  public init(_ bus: consuming Bus, expecting identity: UInt8 = 0x68) {
    let part = MPU6050Part(identity: identity) ?? .mpu6050
    var settings = SensorSettings()
    requested = settings
    let first = MPU6050Configuration(&settings, part: part, isSPI: bus.isSPI)
    self.bus = bus
    self.part = part
    codes = first
    wanted = first
  }

  /// The codes, as far as the abilities leave a choice.
  @inline(__always)
  var configuration: MPU6050Configuration { codes.narrowed(to: Bus.abilities) }

  @inline(__always)
  var acquisition: Acquisition { Bus.abilities.narrowed(codes.acquisition) }

  /// USER_CTRL with the queue switched.
  func userControl(queue: Bool, reset: Bool = false) -> RegisterValue {
    configuration.userControl(queue: queue, reset: reset, of: part, isSPI: bus.isSPI)
  }

  /// Gives the connection back.
  public consuming func release() -> Bus { bus }

  /// In low power the accelerometer alone.
  public var channels: ChannelSet {
    wanted.isAccelOnly ? [.acceleration] : MPU6050Facts.channels
  }

  public func range(of channel: Channel, at index: Int) -> Scalar? {
    MPU6050Facts.range(of: channel, at: index)
  }

  /// Those of the cycle mode once low power is configured.
  public func rate(at index: Int) -> Scalar? {
    wanted.cycles
      ? MPU6050Facts.cycleRate(at: index, of: Self.row(wanted.identity).generation)?.hertz
      : MPU6050Facts.rate(at: index)
  }

  public var now: Timestamp { bus.now }

  public var detections: DetectionSet { MPU6050Facts.detections(of: part.generation) }

  public var selfTest: SelfTestReport? { isTesting && phase.isBusy ? nil : outcome }

  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    let assumed =
      Bus.abilities.contains(.relatives)
      ? settings.assumedIdentity.flatMap { MPU6050Part(identity: $0) } : nil
    var granted = settings
    guard
      let chosen = MPU6050Configuration(
        checking: &granted, part: assumed ?? part, isSPI: bus.isSPI),
      Bus.abilities.isSuperset(of: chosen.abilities)
    else { throw .unsupportedSetting }
    requested = settings
    wanted = chosen
    return granted
  }

  public mutating func start() {
    codes = wanted
    clock = configuration.clock(of: Self.row(codes.identity, where: part).generation)
    failures = 0
    hasGap = false
    isTesting = false
    phase = .probe
  }

  public mutating func startSelfTest() throws(ChipError) {
    guard Bus.abilities.contains(.selfTest) else { throw .unsupportedSetting }
    start()
    isTesting = true
    outcome = nil
  }

  public mutating func stop() throws(ChipError) {
    phase = .idle
    try bus.set(MPU6050Map().power1) { $0.sleep(true) }
  }

  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    MPU6050Decoder.decode(batch, of: part(of: batch), frame: frame)
  }

  public func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    MPU6050Decoder.decode(batch, of: part(of: batch), body)
  }

  /// The part that a batch is of, which may be older than what the driver knows now.
  @inline(__always)
  private func part(of batch: borrowing RawBatch) -> MPU6050Part {
    Bus.abilities.contains(.relatives) ? MPU6050Decoder.part(of: batch) : part
  }

  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake {
    do { return try advance(event, into: &batch) } catch {
      if error.busError != nil { health.busErrors += 1 }
      if case .rejected = error { health.misconfigurations += 1 }
      recover(from: error)
      throw error
    }
  }

  /// A queue whose read broke off may have lost half a frame, so it is emptied; registers hold one sample, which the next
  /// one replaces; what was refused of the start is done again. Anything worse, or too many failures in a row, begins again
  /// with identity and reset.
  private mutating func recover(from error: ChipError) {
    remaining = 0
    failures += 1
    // A chip that lost its supply answers again, with other settings: all are compared from the first on, at once.
    patrol = Patrol()
    comparedUntil = .zero
    if error.busError != nil, failures < MPU6050Timing.failures {
      switch phase {
      case .running:
        guard mayLoseSamples(error) else { return }
        hasGap = true
        if acquisition == .fifo { phase = .resynchronise }
        return
      case .resynchronise, .resetting, .resettingPaths, .waking, .settling: return
      case .idle, .probe, .testing, .resting: break
      }
    }
    hasGap = true
    health.restarts += 1
    phase = .probe
  }

  /// A chip refuses no more than its address or a register's, and then nothing was taken out of its queue.
  private func mayLoseSamples(_ error: ChipError) -> Bool {
    guard acquisition == .fifo, case .bus(let cause, let register) = error
    else { return true }
    return register == MPU6050Map().fifoData.address && cause != .noAcknowledge
  }

  private mutating func advance(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> Wake
  {
    switch phase {
    case .idle:
      return .never
    case .probe, .resetting, .resettingPaths:
      return try advanceReset()
    case .waking where Bus.abilities.contains(.selfTest) && isTesting:
      return try beginSelfTest()
    case .waking:
      try bus.configure { [codes, part] in Self.line($0, codes, part) }
      if configuration.cycles { try bus.write(configuration.powerRunning) }
      phase = .settling
      return .after(MPU6050Timing.gyroStart)
    case .settling, .resynchronise:
      if acquisition == .fifo { try restartQueue() }
      // A sample that comes while it is read is seen by the next look.
      lastLook = bus.now
      _ = try bus.read(MPU6050Map().interruptStatus)
      comparedUntil = lastLook
      phase = .running
      return restingWake
    case .running:
      // Before the read: what was read must not be lost with the error.
      let now = try verifyInTurn()
      switch acquisition {
      case .dataReady: try readOnEdge(event, at: now, into: &batch)
      case .fifo: try drainQueue(at: now, into: &batch)
      case .polling: try readIfReady(into: &batch)
      case .detections: try lookForDetections(event, into: &batch)
      }
      failures = 0
      return restingWake
    case .testing:
      guard Bus.abilities.contains(.selfTest) else { return .never }
      return try advanceSelfTest()
    case .resting:
      guard Bus.abilities.contains(.selfTest) else { return .never }
      // Some parts wake with the sleep bit clear.
      try bus.set(MPU6050Map().power1) { $0.sleep(true) }
      phase = .idle
      return .never
    }
  }

  /// From the identity to a chip that is awake.
  private mutating func advanceReset() throws(ChipError) -> Wake {
    let map = MPU6050Map()
    switch phase {
    case .resetting:
      let power = try bus.read(map.power1)
      if power({ $0.deviceReset }) == true {
        guard resetPolls < MPU6050Timing.resetPolls else { throw .resetTimedOut }
        resetPolls += 1
        return .after(MPU6050Timing.resetPoll)
      }
      if bus.isSPI {
        try disableI2C()
        try bus.set(map.signalPathReset) { $0.gyro(true) | $0.accel(true) | $0.temperature(true) }
        phase = .resettingPaths
        return .after(MPU6050Timing.signalPathReset)
      }
    case .resettingPaths: break
    default:
      let id = try bus.read(map.whoAmI).raw
      identity = id
      try become(codes.assumedIdentity ?? id, saying: id)
      // Before the reset too: noise on the lines must not be taken for I2C.
      if bus.isSPI { try disableI2C() }
      try bus.set(map.power1) { $0.deviceReset(true) | $0.sleep(true) }
      phase = .resetting
      resetPolls = 0
      return .after(MPU6050Timing.reset)
    }
    // Some parts wake with the sleep bit clear (factory setting), so it is written, never assumed.
    try bus.set(map.power1) { $0.clockSource(.gyroX) }
    phase = .waking
    return .after(MPU6050Timing.wake)
  }

  /// Takes the row of the part that was found: settings are those asked for, as far as it has them.
  private mutating func become(_ found: UInt8, saying id: UInt8) throws(ChipError) {
    let isKnown: Bool
    if Bus.abilities.contains(.relatives), let row = MPU6050Part(identity: found) {
      part = row
      isKnown = true
    } else {
      isKnown = found == codes.identity
    }
    guard isKnown else { throw .identity(found: id, register: MPU6050Map().whoAmI.address) }
    guard Bus.abilities.contains(.relatives), found != codes.identity else { return }
    let before = Self.row(codes.identity)
    var settings = requested ?? codes.settings(of: before)
    guard
      let chosen = MPU6050Configuration(checking: &settings, part: part, isSPI: bus.isSPI),
      Bus.abilities.isSuperset(of: chosen.abilities)
    else { throw .unsupportedSetting }
    if chosen.rate(of: part.generation) != codes.rate(of: before.generation) {
      clock = chosen.clock(of: part.generation)
    }
    codes = chosen
    wanted = chosen
  }

  /// The row of `identity`, which is `expected`'s where there are no relatives.
  @inline(__always)
  private static func row(_ identity: UInt8, where expected: MPU6050Part = .mpu6050) -> MPU6050Part
  {
    guard Bus.abilities.contains(.relatives) else { return expected }
    return MPU6050Part(identity: identity) ?? expected
  }

  /// Keeps the chip on SPI.
  private mutating func disableI2C() throws(ChipError) {
    if part.hasOwnI2CSwitch {
      try bus.set(ICM20602I2CSwitch.register) { $0.i2cDisable(true) }
    } else {
      try bus.write(userControl(queue: false))
    }
  }

  /// When a running driver wants to be called again: soon enough to compare its configuration.
  private var restingWake: Wake {
    let period = clock.measuredPeriod
    switch acquisition {
    case .dataReady:
      return .onInterrupt(timeout: max(min(period * 4, MPU6050Timing.rest), .milliseconds(20)))
    case .fifo:
      return remaining > 0 ? .after(.zero) : nextDrain
    case .polling:
      // If it was not there, a look each eighth of a period finds it.
      let now = bus.now
      guard let look = clock.look(health.received), look > now else {
        return .after(min(period / 8, MPU6050Timing.rest))
      }
      return look - now > MPU6050Timing.rest ? .after(MPU6050Timing.rest) : .at(look)
    case .detections:
      return .onInterrupt(timeout: MPU6050Timing.detectionTimeout)
    }
  }

  /// The next look at the queue: when it says most about the times of samples, half a period to either side.
  private var nextDrain: Wake {
    let period = clock.measuredPeriod
    // A look that would have been too near to a sample: half a period later it is not.
    if hasGap, clock.isNearSample(bus.now + lookSpan / 2) { return .after(period / 2) }
    let span = max(codes.batchInterval, period) - period / 2
    guard let look = clock.look(after: bus.now + span, latency: lookSpan / 2) else {
      return .after(span)
    }
    // What was lost is counted by time, which is sure between two samples.
    return .at(hasGap ? look + period / 2 : look)
  }

  /// As many lines of the configuration as are due, all within a second: a chip that browned out answers, with other
  /// settings. Returns the moment after that.
  private mutating func verifyInTurn() throws(ChipError) -> Timestamp {
    let now = bus.now
    let interval = MPU6050Timing.verification
    guard Bus.abilities.contains(.verification) else { return now }
    // After an error, or a long rest: all, once.
    var overdue = min(now - comparedUntil, interval * 16)
    guard overdue >= interval else { return now }
    while overdue >= interval {
      let lines = try bus.verify(next: &patrol) { [codes, part, isSPI = bus.isSPI] in
        Self.verifiedLine($0, codes, part, isSPI: isSPI)
      }
      overdue = overdue - interval * Int64(lines)
    }
    comparedUntil = now - overdue
    return bus.now
  }

  // Lines by their index, `nil` past the last: once in the program, and without what takes other abilities.
  @inline(never)
  private static func line(
    _ index: Int, _ codes: MPU6050Configuration, _ part: MPU6050Part
  ) -> RegisterValue? {
    codes.narrowed(to: Bus.abilities).line(index, of: part)
  }

  @inline(never)
  private static func verifiedLine(
    _ index: Int, _ codes: MPU6050Configuration, _ part: MPU6050Part, isSPI: Bool
  ) -> RegisterValue? {
    codes.narrowed(to: Bus.abilities).runningLine(index, of: part, isSPI: isSPI)
      ?? line(index, codes, part)
  }

  /// Compares what a chip without its settings lacks first: for one that is silent when it should not be.
  mutating func verifyPower() throws(ChipError) { try bus.verify(configuration.powerRunning) }
}

/// What the driver is waiting for.
enum MPU6050Phase: UInt8 {
  case idle
  case probe
  case resetting
  case resettingPaths
  case waking
  case settling
  case running
  case resynchronise
  case testing
  case resting

  var isBusy: Bool { self != .idle }
}
