// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the LIS3MDL: a three-axis magnetometer without a queue, with a data-ready pin of its own.
public struct LIS3MDL<Bus: RegisterBus & ~Copyable>: SensorDriver, ~Copyable {
  private var bus: Bus
  private var phase = LIS3MDLPhase.idle
  private var configuration = LIS3MDLConfiguration(SensorSettings())
  /// What the next `start` takes over. Until then samples are decoded with the range they were taken with.
  private var wanted = LIS3MDLConfiguration(SensorSettings())
  private var clock = SampleClock(rate: 80, tolerance: 0.1)
  public private(set) var health = Health()
  private var failures = 0
  private var nextVerification = Timestamp.zero
  private var verifiedLine = 0
  private var lastLook = Timestamp.zero
  private var hasGap = false

  public internal(set) var identity: UInt8?

  public init(_ bus: consuming Bus) { self.bus = bus }

  /// Gives the connection back.
  public consuming func release() -> Bus { bus }

  public var channels: ChannelSet { LIS3MDLFacts.channels }

  public func range(of channel: Channel, at index: Int) -> Double? {
    LIS3MDLFacts.range(of: channel, at: index)
  }

  public func rate(at index: Int) -> Double? { LIS3MDLFacts.rate(at: index) }

  public var now: Timestamp { bus.now }

  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    guard let chosen = LIS3MDLConfiguration(checking: settings) else { throw .unsupportedSetting }
    wanted = chosen
    return chosen.settings
  }

  public mutating func start() {
    configuration = wanted
    clock = SampleClock(rate: configuration.settings.rate, tolerance: 0.1)
    failures = 0
    hasGap = false
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
      if error.busError != nil { health.busErrors += 1 }
      if case .rejected = error { health.misconfigurations += 1 }
      hasGap = true
      failures += 1
      // A read that failed left nothing behind in this chip; only a row of failures asks for a new start.
      var isTransient = false
      if case .running = phase { isTransient = error.busError != nil && failures < 3 }
      if !isTransient {
        health.restarts += 1
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
      guard configuration.settings.assumedIdentity ?? id == map.whoAmI.reset else {
        throw .identity(found: id, register: map.whoAmI.address)
      }
      try bus.set(map.control2) { $0.softReset(true) }
      phase = .resetting(polls: 0)
      return .after(LIS3MDLTiming.reset)
    case .resetting(let polls):
      if try bus.read(map.control2)({ $0.softReset }) == true {
        guard polls < LIS3MDLTiming.resetPolls else { throw .resetTimedOut }
        phase = .resetting(polls: polls + 1)
        return .after(LIS3MDLTiming.reset)
      }
      var index = 0
      while let line = configuration.line(index) {
        try bus.write(line)
        index += 1
      }
      index = 0
      while let line = configuration.line(index) {
        try bus.verify(line)
        index += 1
      }
      // What is in the registers was taken with other settings; reading it also lowers the data-ready pin.
      _ = try readRegisters(into: &batch)
      lastLook = bus.now
      nextVerification = lastLook + LIS3MDLTiming.verification
      phase = .running
      return restingWake
    case .running:
      // Before the read: what was read must not be lost with the error.
      try verifyInTurn()
      if configuration.settings.acquisition == .dataReady, event.edges > 0 {
        try readOnEdge(event, into: &batch)
      } else {
        if configuration.settings.acquisition == .dataReady { health.missedInterrupts += 1 }
        try readIfReady(into: &batch)
      }
      failures = 0
      return restingWake
    }
  }

  private var restingWake: Wake {
    if configuration.settings.acquisition == .dataReady {
      return .onInterrupt(timeout: max(clock.measuredPeriod * 4, .milliseconds(20)))
    }
    // If it was not there, a look each eighth of a period finds it.
    if let look = clock.look(health.received), look > bus.now { return .at(look) }
    return .after(clock.measuredPeriod / 8)
  }

  /// Status and the six bytes behind it in one burst. (0x27 to 0x2D are consecutive.)
  private mutating func readRegisters(into batch: inout RawBatch) throws(ChipError)
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
    stamp(&batch, after: max(lastLook, before - clock.measuredPeriod), notAfter: after)
  }

  private mutating func stamp(
    _ batch: inout RawBatch, after earliest: Timestamp, notAfter latest: Timestamp
  ) {
    var count: Int64 = 1
    if hasGap {
      let elapsed = clock.samplesElapsed(at: earliest + (latest - earliest) / 2)
      if clock.newest != nil, elapsed > 1 {
        batch.missing = UInt32(clamping: elapsed - 1)
        health.missing += UInt64(elapsed - 1)
        count = elapsed
      }
      hasGap = false
    }
    batch.frames = 1
    (batch.newest, batch.period) = clock.observe(count, after: earliest, notAfter: latest)
    health.received += 1
  }

  /// One line of the configuration each tenth of a second: a chip that browned out answers, powered down.
  private mutating func verifyInTurn() throws(ChipError) {
    let now = bus.now
    guard now >= nextVerification else { return }
    nextVerification = now + LIS3MDLTiming.verification
    if configuration.line(verifiedLine) == nil { verifiedLine = 0 }
    let line = configuration.line(verifiedLine)
    verifiedLine += 1
    if let line { try bus.verify(line) }
  }
}

/// What the driver is waiting for.
enum LIS3MDLPhase {
  case idle
  case probe
  case resetting(polls: Int)
  case running
}
