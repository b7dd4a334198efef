// SPDX-License-Identifier: Apache-2.0
internal import Buses
public import Quantities
public import Registers
public import Sensors

/// The driver of the LSM6DS3 and its relatives LSM6DS33, LSM6DS3TR-C and LSM6DSL: three-axis accelerometer and
/// gyroscope with a queue of words. The chip's identity says which register map it has.
public struct LSM6DS3<Bus: RegisterBus & ~Copyable>: SensorDriver, ~Copyable {
  var bus: Bus
  var phase = LSM6DS3Phase.idle
  /// Looks whether a reset is over.
  var resetPolls: UInt8 = 0
  /// As the chip said it last.
  public internal(set) var family: LSM6DS3Family
  private var codes: LSM6DS3Configuration
  /// Its lines.
  private var table: LSM6DS3Table
  /// What was asked for, should a part of the other family be found; `nil`: what the codes are.
  private var requested: SensorSettings?
  var clock = SampleClock(rate: 104, tolerance: 0.1)
  public internal(set) var health = Health()
  /// Transactions that failed in a row while running.
  var failures = 0
  /// Compares the configuration with the chip.
  var patrol = Patrol()
  /// The start of the last look at the status: what was taken before it was seen then.
  var lastLook = Timestamp.zero
  /// When samples came last, or were first to be expected.
  var lastArrival = Timestamp.zero
  /// Sets left in the queue because a batch, or the bus, takes only so many at once.
  var remaining = 0
  /// Whether the queue's line is wired: it was seen to rise, or to stay low when it should have risen.
  var isWatermarkWired: Bool?
  /// Whether samples may have been lost since the last batch.
  var hasGap = false
  /// When the sources of detections are to be read again, where no line tells.
  var nextLook = Timestamp.zero
  /// What the chip's step counter said last, and how many steps there were since `start`.
  var stepCount: UInt16 = 0
  var steps: Int32 = 0
  /// Whether the chip said that it is at rest.
  var isStill = false
  /// When the chip last said that it falls or moves: what goes on is one detection, though the source is set again.
  var lastFall = Timestamp.zero
  var lastMotion = Timestamp.zero
  /// How far the self-test is that was asked for instead of samples.
  var test: LSM6DS3SelfTest?

  public internal(set) var identity: UInt8?
  /// How long the last look at the queue took.
  var lookSpan = TimeSpan.zero

  public internal(set) var selfTest: SelfTestReport?

  /// A driver of a part that is taken for one of `family` until it says what it is: the two have other filters.
  public init(_ bus: consuming Bus, expecting family: LSM6DS3Family = .lsm6ds3trc) {
    var settings = SensorSettings()
    requested = settings
    let first = LSM6DS3Configuration(&settings, of: family)
    self.bus = bus
    self.family = family
    codes = first
    table = Self.table(of: first)
  }

  /// A driver of a part of `family`, set to the codes of `configuration`: nothing that chooses codes for physical settings is
  /// linked, unless `configure` is called too. Throws `unsupportedSetting` for codes that the family does not have, or that
  /// take more than the driver's abilities.
  ///
  /// Always inlined: what constant codes are checked for is decided when the program is compiled.
  @inline(__always)
  public init(
    _ bus: consuming Bus, configuration: LSM6DS3Configuration, family: LSM6DS3Family = .lsm6ds3trc
  ) throws(ChipError) {
    guard configuration.suits(family), Bus.abilities.isSuperset(of: configuration.abilities)
    else { throw .unsupportedSetting }
    var configuration = configuration
    configuration.family = family
    self.bus = bus
    self.family = family
    codes = configuration
    table = Self.table(of: configuration)
  }

  /// The codes, as far as the abilities leave a choice.
  @inline(__always)
  var configuration: LSM6DS3Configuration { codes.narrowed(to: Bus.abilities) }

  @inline(__always)
  var acquisition: Acquisition { Bus.abilities.narrowed(codes.acquisition) }

  /// The lines of a configuration: once in the program, and without what takes other abilities.
  @inline(never)
  private static func table(of codes: LSM6DS3Configuration) -> LSM6DS3Table {
    var table = codes.narrowed(to: Bus.abilities).lines(within: Bus.abilities)
    table.add(codes.accelRunning)
    return table
  }

  /// Gives the connection back.
  public consuming func release() -> Bus { bus }

  /// Low power means the accelerometer alone; no samples leave a chip that only detects.
  public var channels: ChannelSet { configuration.channels }

  public var detections: DetectionSet { LSM6DS3Facts.detections }

  public func range(of channel: Channel, at index: Int) -> Scalar? {
    LSM6DS3Facts.range(of: channel, at: index)
  }

  public func rate(at index: Int) -> Scalar? { LSM6DS3Facts.rate(at: index) }

  public var now: Timestamp { bus.now }

  /// The bandwidth is the accelerometer's; the gyroscope's filter is the nearest that it has at that rate. Without
  /// samples, or in low power, the gyroscope is off.
  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    var granted = settings
    let assumed =
      Bus.abilities.contains(.relatives)
      ? settings.assumedIdentity.flatMap { LSM6DS3Family(rawValue: $0) } : nil
    guard let chosen = LSM6DS3Configuration(checking: &granted, of: assumed ?? family),
      Bus.abilities.isSuperset(of: chosen.abilities)
    else { throw .unsupportedSetting }
    requested = settings
    take(chosen)
    return granted
  }

  private mutating func take(_ chosen: LSM6DS3Configuration) {
    codes = chosen
    table = Self.table(of: chosen)
  }

  public mutating func start() {
    clock = SampleClock(rate: codes.rate.hertz, tolerance: 0.1)
    failures = 0
    hasGap = false
    isWatermarkWired = nil
    steps = 0
    lastFall = .zero
    lastMotion = .zero
    test = nil
    phase = .probe
  }

  public mutating func startSelfTest() throws(ChipError) {
    guard Bus.abilities.contains(.selfTest) else { throw .unsupportedSetting }
    failures = 0
    selfTest = nil
    test = LSM6DS3SelfTest()
    phase = .probe
  }

  /// Powers both sensors down; the second also where the first did not answer.
  public mutating func stop() throws(ChipError) {
    phase = .idle
    test = nil
    let map = LSM6DS3Map()
    var failure: ChipError?
    do { try bus.set(map.ctrl1Xl) { _ in .nothing } } catch { failure = error }
    try bus.set(map.ctrl2G) { _ in .nothing }
    if let failure { throw failure }
  }

  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    LSM6DS3Decoder.decode(batch, frame: frame)
  }

  public func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    LSM6DS3Decoder.decode(batch, within: Bus.abilities, body)
  }

  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake {
    do { return try advance(event, into: &batch) } catch {
      if error.busError != nil { health.busErrors += 1 }
      if case .rejected = error { health.misconfigurations += 1 }
      recover(from: error)
      throw error
    }
  }

  /// A transfer that failed while running may have taken part of a set out of the queue: its pattern says which, at the
  /// next look. Anything worse begins again with identity and reset.
  private mutating func recover(from error: ChipError) {
    remaining = 0
    failures += 1
    if error.busError != nil, failures < 3 {
      if case .running = phase {
        hasGap = hasGap || mayLoseSamples(error)
        return
      }
      if case .flushing = phase { return }
    }
    hasGap = true
    health.restarts += 1
    if isTesting { test = LSM6DS3SelfTest() }
    phase = .probe
  }

  /// Registers hold one sample, which the next one replaces. A queue loses what a broken read took out of it; but a chip
  /// refuses no more than its address or a register's, and then nothing was taken.
  private func mayLoseSamples(_ error: ChipError) -> Bool {
    guard acquisition == .fifo, case .bus(let cause, let register) = error
    else { return true }
    return register == LSM6DS3Map().fifoDataOutL.address && cause != .noAcknowledge
  }

  private mutating func advance(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> Wake
  {
    let map = LSM6DS3Map()
    switch phase {
    case .idle:
      return .never
    case .probe:
      // Behind an open page of embedded functions, 0x0F is a pedometer's threshold.
      try bus.set(map.funcCfgAccess) { _ in .nothing }
      let id = try bus.read(map.whoAmI).raw
      identity = id
      try become(codes.assumedIdentity ?? id, saying: id)
      try reset()
      phase = .resetting
      return .after(LSM6DS3Timing.reset)
    case .resetting:
      guard try isReset() else { return .after(LSM6DS3Timing.reset) }
      if Bus.abilities.contains(.selfTest), let test {
        phase = .testing
        return try begin(test.stage)
      }
      if configuration.functions.kinds.contains(.step) {
        try bus.write(configuration.functionsWithoutSteps)
      }
      stepCount = 0
      isStill = false
      try writeTable()
      phase = .flushing
      return .after(max(LSM6DS3Timing.turnOn, configuration.settling))
    case .flushing:
      switch acquisition {
      case .fifo: try restartQueue()
      case .dataReady, .polling:
        // What is there was taken while the gyroscope settled; reading it also lowers a line that waits for that. A sample
        // that comes meanwhile is seen by the next look.
        lastLook = bus.now
        try readBurst(into: &batch)
      case .detections: break
      }
      // The first slope is from nothing to gravity (AN5130, page 38).
      try lookForDetections(.due, into: &batch)
      batch.removeAll()
      lastArrival = bus.now
      if Bus.abilities.contains(.detections) { nextLook = lastArrival + LSM6DS3Timing.look }
      patrol = Patrol(due: lastArrival + LSM6DS3Timing.verification)
      phase = .running
    case .running:
      // First, so that a comparison that fails takes no samples with it.
      try verifyInTurn()
      if !configuration.functions.kinds.isEmpty { try detect(event, into: &batch) }
      switch acquisition {
      case .dataReady: try readOnEdge(event, into: &batch)
      case .fifo: try drainQueue(event, into: &batch)
      case .polling: try readIfReady(into: &batch)
      case .detections: break
      }
      if batch.frames > 0 { lastArrival = bus.now }
      failures = 0
    case .testing:
      guard Bus.abilities.contains(.selfTest) else { return .never }
      let wake = try continueTest()
      failures = 0
      return wake
    case .testEnding:
      guard Bus.abilities.contains(.selfTest) else { return .never }
      guard try isReset() else { return .after(LSM6DS3Timing.reset) }
      selfTest = test?.report
      test = nil
      phase = .idle
      return .never
    }
    return restingWake
  }

  /// Whether the self-test is what runs.
  @inline(__always)
  private var isTesting: Bool { Bus.abilities.contains(.selfTest) && test != nil }

  /// Takes over the family that was found: settings are those asked for, as far as it has them.
  private mutating func become(_ found: UInt8, saying id: UInt8) throws(ChipError) {
    guard let found = LSM6DS3Family(rawValue: found),
      found == codes.family || Bus.abilities.contains(.relatives)
    else { throw .identity(found: id, register: LSM6DS3Map().whoAmI.address) }
    guard Bus.abilities.contains(.relatives), found != family || found != codes.family else {
      return
    }
    family = found
    var settings = requested ?? codes.settings
    let chosen = LSM6DS3Configuration(&settings, of: found)
    guard Bus.abilities.isSuperset(of: chosen.abilities) else { throw .unsupportedSetting }
    take(chosen)
    clock = SampleClock(rate: chosen.rate.hertz, tolerance: 0.1)
  }

  /// Never together with BOOT.
  mutating func reset() throws(ChipError) {
    resetPolls = 0
    try bus.set(LSM6DS3Map().ctrl3C) { $0.swReset(true) | $0.ifInc(true) }
  }

  /// Whether the reset is over, which it must be after so many looks.
  private mutating func isReset() throws(ChipError) -> Bool {
    guard try bus.read(LSM6DS3Map().ctrl3C)({ $0.swReset }) == true else { return true }
    guard resetPolls < LSM6DS3Timing.resetPolls else { throw .resetTimedOut }
    resetPolls += 1
    return false
  }

  /// When a running driver wants to be called again.
  private var restingWake: Wake {
    switch acquisition {
    case .dataReady:
      return .onInterrupt(timeout: max(clock.measuredPeriod * 4, .milliseconds(20)))
    case .fifo:
      if remaining > 0 { return .after(.zero) }
      let period = clock.measuredPeriod
      // Where the line is wired, a look just before it rises would keep it from rising, ever again.
      let fill = max(codes.batchInterval, period * Int64(codes.watermark))
      guard isWatermarkWired == false else {
        return .onInterrupt(timeout: fill + fill / 8 + period * 2)
      }
      let now = bus.now
      let look = clock.look(after: now + (fill - period / 2), latency: lookSpan / 2)
      // What was lost is counted by time, which is sure between two samples.
      return .onInterrupt(timeout: look.map { $0 - now + (hasGap ? period / 2 : .zero) } ?? fill)
    case .detections:
      let isFullyRouted = configuration.isFullyRouted
      return .onInterrupt(timeout: isFullyRouted ? LSM6DS3Timing.silence : LSM6DS3Timing.look)
    case .polling:
      // A sixteenth of a period after it is due it will be there; if not, a look each eighth finds it.
      if let look = clock.look(health.received), look > bus.now { return .at(look) }
      return .after(clock.measuredPeriod / 8)
    }
  }

  /// How long a chip may be silent: a fill of the queue, or four samples, and as long again.
  private var patience: TimeSpan {
    let fill =
      acquisition == .fifo
      ? max(codes.batchInterval, clock.measuredPeriod * 4)
      : clock.measuredPeriod * 4
    return max(fill * 2, LSM6DS3Timing.verification / 4)
  }

  /// One line of the configuration each tenth of a second: a chip that browned out answers, powered down. One from
  /// which nothing came for long is asked for that at once.
  private mutating func verifyInTurn() throws(ChipError) {
    guard Bus.abilities.contains(.verification) else { return }
    let now = bus.now
    if acquisition == .detections {
      // Silence is all that there may be: a chip without its configuration would keep it for ever.
      if now - lastArrival >= LSM6DS3Timing.silence {
        lastArrival = now
        try bus.verify(codes.accelRunning)
      }
    } else if now - lastArrival > patience {
      lastArrival = now
      try bus.verify(codes.accelRunning)
    }
    var patrol = patrol
    let line = patrol.next(at: now, every: LSM6DS3Timing.verification) { runningLine($0) }
    self.patrol = patrol
    if let line { try bus.verify(line) }
  }

  /// Line `index` of what is compared while running: the table, and the queue in motion.
  @inline(never)
  private func runningLine(_ index: Int) -> RegisterValue? {
    if index == 0 { return acquisition == .fifo ? configuration.queueRunning : codes.accelRunning }
    return table[index - 1]
  }

  /// Writes all lines, then compares all.
  private mutating func writeTable() throws(ChipError) {
    var index = 1
    while let line = runningLine(index) {
      try bus.write(line)
      index += 1
    }
    index = 1
    while let line = runningLine(index) {
      try bus.verify(line)
      index += 1
    }
  }
}

/// What the driver is waiting for.
enum LSM6DS3Phase: UInt8 {
  case idle
  case probe
  case resetting
  case flushing
  case running
  case testing
  case testEnding
}
