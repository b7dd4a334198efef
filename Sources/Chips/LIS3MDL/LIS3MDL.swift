// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the LIS3MDL: a three-axis magnetometer without a queue, with a data-ready pin of its own.
public struct LIS3MDL<Bus: RegisterBus & ~Copyable>: SensorDriver, ~Copyable {
  var bus: Bus
  var phase = LIS3MDLPhase.idle
  private var configuration: LIS3MDLConfiguration
  /// What the next `start` takes over. Until then samples are decoded with the range they were taken with.
  private var wanted: LIS3MDLConfiguration
  /// Looks so far whether a reset is over.
  var polls = 0
  var trial = LIS3MDLTrial()
  private var isTesting = false
  private var clock = SampleClock(rate: 80, tolerance: 0.1)
  public private(set) var health = Health()
  public internal(set) var selfTest: SelfTestReport?
  private var failures = 0
  private var patrol = Patrol()
  private var lastLook = Timestamp.zero
  private var hasGap = false
  /// How many samples in a row were there without an edge.
  private var silence = 0
  /// Samples until the temperature is read again. Never before the first: there is none in the chip yet.
  private var samplesToTemperature = 1
  /// What goes with the next sample.
  private var temperature: InlineArray<2, UInt8>?

  public internal(set) var identity: UInt8?

  /// A driver for `configure`.
  public init(_ bus: consuming Bus) {
    self.bus = bus
    var settings = SensorSettings()
    configuration = LIS3MDLConfiguration(nearest: &settings)
    wanted = configuration
  }

  /// A driver of settings that do not change, named by their codes: without `configure` nothing is linked that chooses
  /// any. Throws `unsupportedSetting` where chip or connection lack what they ask for.
  @inline(__always)
  public init(_ bus: consuming Bus, configuration: LIS3MDLConfiguration) throws(ChipError) {
    guard configuration.isPossible(with: Bus.abilities) else { throw .unsupportedSetting }
    self.bus = bus
    self.configuration = configuration
    wanted = configuration
  }

  /// Gives the connection back.
  public consuming func release() -> Bus { bus }

  public var channels: ChannelSet {
    !isLow(wanted) ? LIS3MDLFacts.channels : .magneticField
  }

  public func range(of channel: Channel, at index: Int) -> Scalar? {
    LIS3MDLFacts.range(of: channel, at: index)
  }

  public func rate(at index: Int) -> Scalar? { LIS3MDLFacts.rate(at: index) }

  public var now: Timestamp { bus.now }

  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    var settings = settings
    guard let chosen = LIS3MDLConfiguration(checking: &settings), Bus.allows(settings) else {
      throw .unsupportedSetting
    }
    wanted = chosen
    return settings
  }

  public mutating func start() {
    configuration = wanted
    clock = SampleClock(rate: configuration.hertz, tolerance: 0.1)
    failures = 0
    hasGap = false
    silence = 0
    isTesting = false
    phase = .probe
  }

  /// Where the connection's abilities leave it out, the next step throws `unsupportedSetting`.
  public mutating func startSelfTest() {
    guard Bus.abilities.contains(.selfTest) else {
      phase = .testing
      return
    }
    selfTest = nil
    failures = 0
    isTesting = true
    phase = .probe
  }

  public mutating func stop() throws(ChipError) {
    phase = .idle
    try bus.set(LIS3MDLMap().control3) { $0.mode(.powerDownAlternate) }
  }

  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    LIS3MDLDecoder.decode(batch, frame: frame)
  }

  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake {
    do { return try advance(event, into: &batch) } catch {
      if error.busError != nil { health.busErrors &+= 1 }
      if case .rejected = error { health.misconfigurations &+= 1 }
      hasGap = true
      failures &+= 1
      // A read that failed left nothing behind in this chip; only a row of failures asks for a new start.
      var isTransient = false
      if case .running = phase { isTransient = error.busError != nil && failures < 3 }
      if !isTransient {
        health.restarts &+= 1
        phase = .probe
      }
      throw error
    }
  }

  private mutating func advance(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> Wake
  {
    let map = LIS3MDLMap()
    switch phase {
    case .idle:
      return .never
    case .probe:
      let id = try bus.read(map.whoAmI).raw
      identity = id
      guard configuration.assumedIdentity ?? id == map.whoAmI.reset else {
        throw .identity(found: id, register: map.whoAmI.address)
      }
      try bus.set(map.control2) { $0.softReset(true) }
      polls = 0
      phase = .resetting
      return .after(LIS3MDLTiming.reset)
    case .resetting:
      if try bus.read(map.control2)({ $0.softReset }) == true {
        guard polls < LIS3MDLTiming.resetPolls else { throw .resetTimedOut }
        polls &+= 1
        return .after(LIS3MDLTiming.reset)
      }
      if Bus.abilities.contains(.selfTest), isTesting { return try beginTrial() }
      return try begin(into: &batch)
    case .running:
      try look(event, into: &batch)
      failures = 0
      return restingWake
    case .testing:
      guard Bus.abilities.contains(.selfTest) else { throw .unsupportedSetting }
      return try continueTrial(into: &batch)
    }
  }

  private mutating func begin(into batch: inout RawBatch) throws(ChipError) -> Wake {
    try bus.configure { [configuration] in configuration.line($0) }
    // What is in the registers was taken with other settings; reading it also lowers the data-ready pin.
    // A sample that comes meanwhile is seen by the next look.
    lastLook = bus.now
    _ = try readRegisters(into: &batch)
    patrol = Patrol(due: lastLook.advanced(by: LIS3MDLTiming.verification))
    samplesToTemperature = 1
    temperature = nil
    phase = .running
    return restingWake
  }

  private mutating func look(_ event: Event, into batch: inout RawBatch) throws(ChipError) {
    // Before the read: what was read must not be lost with the error.
    if Bus.abilities.contains(.verification),
      let line = patrol.next(
        at: bus.now, every: LIS3MDLTiming.verification,
        { [configuration] in configuration.line($0) })
    {
      try bus.verify(line)
    }
    if !isLow(configuration), samplesToTemperature == 0 { try readTemperature() }
    guard acquires(.dataReady) else { return try readIfReady(into: &batch) }
    if event.edges > 0 {
      silence = 0
      try readOnEdge(event, into: &batch)
    } else if hasGap {
      // A read that failed may have left the pin high: no edge would come.
      try readIfReady(into: &batch)
    } else if isSilent || isOverdue {
      try readIfReady(into: &batch)
      // Nothing there that should be: is it still running?
      if batch.frames == 0, let line = configuration.line(4) { try bus.verify(line) }
      guard batch.frames > 0 || !isSilent else { return }
      health.missedInterrupts &+= 1
      silence = min(silence &+ 1, LIS3MDLTiming.silence)
    }
  }

  /// Whether the line has said nothing for so long that looks take its place, until it does.
  private var isSilent: Bool { silence == LIS3MDLTiming.silence }

  /// Whether a sample should have raised the pin half a period ago.
  private var isOverdue: Bool {
    let period = clock.measuredPeriod
    return bus.now >= (clock.next ?? lastLook.advanced(by: period)).advanced(by: period / 2)
  }

  private var restingWake: Wake {
    let period = clock.measuredPeriod
    let longest = isLow(configuration) ? period * 2 : LIS3MDLTiming.longestWait
    if acquires(.dataReady), !isSilent {
      return .onInterrupt(timeout: min(max(period * 4, .milliseconds(20)), longest))
    }
    // If it was not there, a look each eighth of a period finds it.
    let now = bus.now
    if let look = clock.look(health.received), look > now {
      return .at(min(look, now.advanced(by: longest)))
    }
    return .after(min(period / 8, longest))
  }

  /// Status and the six bytes behind it in one burst. (0x27 to 0x2D are consecutive.)
  mutating func readRegisters(into batch: inout RawBatch) throws(ChipError)
    -> Contents<LIS3MDLMap.Status>
  {
    var bytes: InlineArray<7, UInt8> = [0, 0, 0, 0, 0, 0, 0]
    var span = bytes.mutableSpan
    try bus.read(&span, from: LIS3MDLMap().status)
    for index in 0..<6 { batch.bytes[index] = bytes[index + 1] }
    batch.frameSize = LIS3MDLFacts.frameSize
    batch.format[0] = configuration.fullScale.rawValue
    return Contents(raw: bytes[0])
  }

  /// Its registers do not follow those of the field in a burst.
  private mutating func readTemperature() throws(ChipError) {
    var bytes: InlineArray<2, UInt8> = [0, 0]
    var span = bytes.mutableSpan
    try bus.read(&span, from: LIS3MDLMap().temperatureLow)
    temperature = bytes
    samplesToTemperature = configuration.temperatureInterval
  }

  private mutating func readOnEdge(_ event: Event, into batch: inout RawBatch) throws(ChipError) {
    let status = try readRegisters(into: &batch)
    // An edge whose sample an earlier look already took.
    guard status({ $0.dataReady }) == true else { return }
    if event.edges > 1 || status({ $0.overrun }) == true { hasGap = true }
    stamp(&batch, after: event.edgeTime - interruptLatency, notAfter: event.edgeTime)
    batch.newest = event.edgeTime
  }

  private mutating func readIfReady(into batch: inout RawBatch) throws(ChipError) {
    let before = bus.now
    let status = try readRegisters(into: &batch)
    let after = bus.now
    defer { lastLook = before }
    guard status({ $0.dataReady }) == true else { return }
    if status({ $0.overrun }) == true { hasGap = true }
    stamp(
      &batch, after: max(lastLook, before.advanced(by: clock.longestPeriod, times: -1)),
      notAfter: after)
  }

  private mutating func stamp(
    _ batch: inout RawBatch, after earliest: Timestamp, notAfter latest: Timestamp
  ) {
    var count: Int64 = 1
    if hasGap {
      let elapsed = clock.samplesElapsed(at: earliest.middle(to: latest))
      if clock.newest != nil, elapsed > 1 {
        batch.missing = UInt32(clamping: elapsed &- 1)
        health.missing &+= UInt64(bitPattern: elapsed &- 1)
        count = elapsed
      }
      hasGap = false
    }
    batch.frames = 1
    (batch.newest, batch.period) = clock.observe(count, after: earliest, notAfter: latest)
    health.received &+= 1
    samplesToTemperature = max(0, samplesToTemperature &- 1)
    if let temperature {
      batch.bytes[6] = temperature[0]
      batch.bytes[7] = temperature[1]
      batch.frameSize = LIS3MDLFacts.frameSizeWithTemperature
      self.temperature = nil
    }
  }
}

// What the connection leaves of the configuration: constants where it leaves no choice.
extension LIS3MDL where Bus: ~Copyable {
  /// Whether samples leave the chip in this way.
  @inline(__always)
  private func acquires(_ way: Acquisition) -> Bool {
    Bus.acquires(way, of: configuration.acquisition)
  }

  @inline(__always)
  private func isLow(_ configuration: LIS3MDLConfiguration) -> Bool {
    Bus.abilities.contains(.lowPower) && configuration.power == .low
  }
}

/// What the driver is waiting for.
enum LIS3MDLPhase {
  case idle
  case probe
  case resetting
  case running
  case testing
}
