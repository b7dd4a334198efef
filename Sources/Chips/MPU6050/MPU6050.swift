// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the MPU-6050: three-axis accelerometer and gyroscope with a 1024-byte queue.
public struct MPU6050<Bus: RegisterBus & ~Copyable>: SensorDriver, ~Copyable {
  var bus: Bus
  var phase = MPU6050Phase.idle
  var configuration = MPU6050Configuration(SensorSettings())
  /// What the next `start` takes over. Until then samples are decoded with the ranges they were taken with.
  private var wanted = MPU6050Configuration(SensorSettings())
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
  /// Looks at the queue, modulo 256.
  var drains: UInt8 = 0
  /// Whether samples may have been lost since the last batch.
  var hasGap = false

  public internal(set) var identity: UInt8?

  public init(_ bus: consuming Bus) { self.bus = bus }

  /// Gives the connection back.
  public consuming func release() -> Bus { bus }

  public var channels: ChannelSet { MPU6050Facts.channels }

  public func range(of channel: Channel, at index: Int) -> Double? {
    MPU6050Facts.range(of: channel, at: index)
  }

  public func rate(at index: Int) -> Double? { MPU6050Facts.rate(at: index) }

  public var now: Timestamp { bus.now }

  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    guard let chosen = MPU6050Configuration(checking: settings) else { throw .unsupportedSetting }
    wanted = chosen
    return chosen.settings
  }

  public mutating func start() {
    configuration = wanted
    clock = SampleClock(rate: configuration.settings.rate)
    failures = 0
    hasGap = false
    phase = .probe
  }

  public mutating func stop() throws(ChipError) {
    phase = .idle
    try bus.set(MPU6050Map().power1) { $0.sleep(true) }
  }

  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    MPU6050Decoder.decode(batch, frame: frame)
  }

  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake {
    do { return try advance(event, into: &batch) } catch {
      if error.busError != nil { health.busErrors += 1 }
      if case .rejected = error { health.misconfigurations += 1 }
      recover(from: error)
      throw error
    }
  }

  /// A transfer that failed while running may have taken half a frame out of the queue, so the queue is emptied;
  /// anything worse begins again with identity and reset.
  private mutating func recover(from error: ChipError) {
    hasGap = true
    remaining = 0
    failures += 1
    if case .running = phase, error.busError != nil, failures < 3 {
      phase = .resynchronise
    } else if case .resynchronise = phase, failures < 3 {
      phase = .resynchronise
    } else {
      health.restarts += 1
      phase = .probe
    }
  }

  private mutating func advance(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> Wake
  {
    let map = MPU6050Map()
    switch phase {
    case .idle:
      return .never
    case .probe:
      let id = try bus.read(map.whoAmI).raw
      identity = id
      guard configuration.settings.assumedIdentity ?? id == map.whoAmI.reset else {
        throw .identity(found: id, register: map.whoAmI.address)
      }
      try bus.set(map.power1) { $0.deviceReset(true) | $0.sleep(true) }
      phase = .resetting(polls: 0)
      return .after(MPU6050Timing.reset)
    case .resetting(let polls):
      let power = try bus.read(map.power1)
      if power({ $0.deviceReset }) == true {
        guard polls < MPU6050Timing.resetPolls else { throw .resetTimedOut }
        phase = .resetting(polls: polls + 1)
        return .after(MPU6050Timing.resetPoll)
      }
      // Some parts wake with the sleep bit clear (factory setting), so it is written, never assumed.
      try bus.set(map.power1) { $0.clockSource(.gyroX) }
      phase = .waking
      return .after(MPU6050Timing.wake)
    case .waking:
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
      phase = .settling
      return .after(MPU6050Timing.gyroStart)
    case .settling, .resynchronise:
      if configuration.settings.acquisition == .fifo { try restartQueue() }
      _ = try bus.read(map.interruptStatus)
      lastLook = bus.now
      nextVerification = lastLook + MPU6050Timing.verification
      phase = .running
      return restingWake
    case .running:
      // Before the read: what was read must not be lost with the error.
      try verifyInTurn()
      switch configuration.settings.acquisition {
      case .dataReady: try readOnEdge(event, into: &batch)
      case .fifo: try drainQueue(into: &batch)
      case .polling, .detections: try readIfReady(into: &batch)
      }
      failures = 0
      return restingWake
    }
  }

  /// When a running driver wants to be called again.
  private var restingWake: Wake {
    switch configuration.settings.acquisition {
    case .dataReady: .onInterrupt(timeout: max(clock.measuredPeriod * 4, .milliseconds(20)))
    case .fifo:
      .after(remaining > 0 ? .zero : interval)
    // If it was not there, a look each eighth of a period finds it.
    case .polling, .detections:
      if let look = clock.look(health.received), look > bus.now {
        .at(look)
      } else {
        .after(clock.measuredPeriod / 8)
      }
    }
  }

  /// Between two looks at the queue. Looks that fell on one phase of the samples for ever would never tell the clock
  /// which: up to half a period less, by golden-ratio steps.
  private var interval: TimeSpan {
    max(configuration.settings.batchInterval, clock.measuredPeriod)
      - clock.measuredPeriod * Int64(drains &* 159) / 512
  }

  /// One line of the configuration at a time, all within a second: a chip that browned out answers, with other settings.
  private mutating func verifyInTurn() throws(ChipError) {
    let now = bus.now
    guard now >= nextVerification else { return }
    nextVerification = now + MPU6050Timing.verification
    if configuration.verifiedLine(verifiedLine) == nil { verifiedLine = 0 }
    let line = configuration.verifiedLine(verifiedLine)
    verifiedLine += 1
    if let line { try bus.verify(line) }
  }
}

/// What the driver is waiting for.
enum MPU6050Phase {
  case idle
  case probe
  case resetting(polls: Int)
  case waking
  case settling
  case running
  case resynchronise
}
