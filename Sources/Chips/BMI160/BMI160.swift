// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the BMI160: three-axis accelerometer and gyroscope with a 1024-byte queue and a watermark.
public struct BMI160<Bus: RegisterBus & ~Copyable>: SensorDriver, ~Copyable {
  var bus: Bus
  var phase = BMI160Phase.idle
  var configuration = BMI160Configuration(SensorSettings())
  var clock = SampleClock(rate: 100)
  public internal(set) var health = Health()
  /// Transactions that failed in a row while running.
  var failures = 0
  /// When the configuration is compared again, and which line of it.
  var nextVerification = Timestamp.zero
  var verifiedLine = 0
  /// The start of the last look at the status, in polling.
  var lastLook = Timestamp.zero
  /// Frames left in the queue because a batch, or the bus, takes only so many at once.
  var remaining = 0
  /// Whether samples may have been lost since the last batch.
  var hasGap = false
  /// Whether the watermark's edges arrive: somebody has wired the pin.
  var hasEdges = false
  /// The newest temperature, low byte first; 0x8000 is none.
  var temperature: InlineArray<2, UInt8> = [0x00, 0x80]

  public internal(set) var identity: UInt8?

  public init(_ bus: consuming Bus) { self.bus = bus }

  /// Gives the connection back.
  public consuming func release() -> Bus { bus }

  public var channels: ChannelSet { BMI160Facts.channels }

  public func range(of channel: Channel, at index: Int) -> Double? {
    BMI160Facts.range(of: channel, at: index)
  }

  public func rate(at index: Int) -> Double? { BMI160Facts.rate(at: index) }

  public var now: Timestamp { bus.now }

  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    guard let chosen = BMI160Configuration(checking: settings) else { throw .unsupportedSetting }
    configuration = chosen
    return chosen.settings
  }

  public mutating func start() {
    clock = SampleClock(rate: configuration.settings.rate)
    failures = 0
    remaining = 0
    hasGap = false
    hasEdges = false
    temperature = [0x00, 0x80]
    phase = .connect
  }

  /// One command that suspends both sensors whatever they are doing: two commands would need a wait between them.
  public mutating func stop() throws(ChipError) {
    phase = .idle
    try command(.softReset)
  }

  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    BMI160Decoder.decode(batch, frame: frame)
  }

  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake {
    do { return try advance(event, into: &batch) } catch {
      if error.busError != nil { health.busErrors += 1 }
      if case .rejected = error { health.misconfigurations += 1 }
      recover(from: error)
      throw error
    }
  }

  mutating func command(_ command: BMI160Map.Command) throws(ChipError) {
    try bus.set(BMI160Map().cmd) { $0.cmd(command) }
  }

  /// A transfer that failed while running may have taken frames out of the queue, so the queue is emptied; anything
  /// worse begins again with identity and reset.
  private mutating func recover(from error: ChipError) {
    hasGap = true
    remaining = 0
    failures += 1
    switch phase {
    case .running, .resynchronise:
      if error.busError != nil, failures < 3 {
        phase = .resynchronise
        return
      }
    default: break
    }
    health.restarts += 1
    temperature = [0x00, 0x80]
    phase = .connect
  }

  private mutating func advance(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> Wake
  {
    switch phase {
    case .idle:
      return .never
    case .connect:
      _ = try bus.read(BMI160Facts.interfaceSelect)
      phase = .probe
      return wait(BMI160Timing.interfaceSelect)
    case .probe:
      let map = BMI160Map()
      let id = try bus.read(map.chipID).raw
      identity = id
      guard configuration.settings.assumedIdentity ?? id == map.chipID.reset else {
        throw .identity(found: id, register: map.chipID.address)
      }
      try command(.softReset)
      phase = .resetting(polls: 0)
      return wait(BMI160Timing.reset)
    case .resetting(let polls):
      return try reconnect(polls)
    case .reconnected(let polls):
      return try checkReset(polls)
    case .startingAccel(let polls):
      guard try isNormal(polls, { $0.accPmuStatus }) else {
        phase = .startingAccel(polls: polls + 1)
        return wait(BMI160Timing.poll)
      }
      try command(.gyroNormal)
      phase = .startingGyro(polls: 0)
      return wait(BMI160Timing.gyroStart)
    case .startingGyro(let polls):
      guard try isNormal(polls, { $0.gyrPmuStatus }) else {
        phase = .startingGyro(polls: polls + 1)
        return wait(BMI160Timing.poll)
      }
      try writeConfiguration()
      phase = .settling
      // A sample that was begun with the old range is gone after two periods.
      return wait(clock.measuredPeriod * 2)
    case .settling, .resynchronise:
      try resume()
      phase = .running
      return restingWake
    case .running:
      // First, because frames that were read are gone when something after them fails.
      try verifyInTurn()
      switch configuration.settings.acquisition {
      case .dataReady: try readOnEdge(event, into: &batch)
      case .fifo: try drainQueue(event, into: &batch)
      case .polling, .detections: try readIfReady(into: &batch)
      }
      failures = 0
      if case .resynchronise = phase { return .after(.zero) }
      return restingWake
    }
  }

  /// From the end of what was just transferred, however long that took.
  func wait(_ span: TimeSpan) -> Wake { .at(bus.now + span) }

  /// When a running driver wants to be called again.
  private var restingWake: Wake {
    switch configuration.settings.acquisition {
    case .dataReady:
      return .onInterrupt(timeout: max(clock.measuredPeriod * 4, .milliseconds(20)))
    case .fifo:
      if remaining > 0 { return .after(.zero) }
      // Nobody knows whether the pin is wired until an edge came. A wired one is a period ahead of the time-out.
      let period = clock.measuredPeriod
      let frames = Int64(configuration.batch)
      if hasEdges { return .onInterrupt(timeout: period * (2 * frames + 4)) }
      // Looks that kept step with the samples would learn nothing new of their times. By the golden section each look
      // falls into the widest stretch of the period that no earlier one has seen.
      return .onInterrupt(timeout: period * (frames + 1) + period * 21 / 55)
    // If it was not there, a look each eighth of a period finds it.
    case .polling, .detections:
      if let look = clock.look(health.received), look > bus.now { return .at(look) }
      return .after(clock.measuredPeriod / 8)
    }
  }
}

/// What the driver is waiting for.
enum BMI160Phase {
  case idle
  /// The interface is yet to be chosen, as after power-up.
  case connect
  case probe
  /// As `connect` and `probe`, after a reset.
  case resetting(polls: Int)
  case reconnected(polls: Int)
  case startingAccel(polls: Int)
  case startingGyro(polls: Int)
  case settling
  case running
  case resynchronise
}
