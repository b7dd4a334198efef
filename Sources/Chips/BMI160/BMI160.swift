// SPDX-License-Identifier: Apache-2.0
internal import Buses
public import Quantities
public import Registers
public import Sensors

/// The driver of the BMI160: three-axis accelerometer and gyroscope with a 1024-byte queue and a watermark.
///
/// The gyroscope's fast start-up is not used: it saves 70 ms where a gyroscope is stopped and started again, but `stop`
/// resets the chip, and what needs no gyroscope leaves it suspended.
public struct BMI160<Bus: RegisterBus & ~Copyable>: SensorDriver, ~Copyable {
  var bus: Bus
  var phase = BMI160Phase.idle
  /// Looks so far whether a reset, a start or a test is over.
  var polls = 0
  var configuration: BMI160Configuration
  /// What the next `start` takes over: until then samples are decoded with the range they were taken with.
  private var wanted: BMI160Configuration?
  var clock = SampleClock(rate: 100)
  public internal(set) var health = Health()
  /// Transactions that failed in a row while running.
  var failures = 0
  /// When power modes and configuration are compared again.
  var nextVerification = Timestamp.zero
  var patrol = Patrol()
  /// The start of the last look at the status, in polling.
  var lastLook = Timestamp.zero
  /// Frames left in the queue because a batch, or the bus, takes only so many at once.
  var remaining = 0
  /// Whether samples may have been lost since the last batch.
  var hasGap = false
  /// Whether the step that is under way has taken samples out of the chip: if it fails, they are lost.
  var holdsSamples = false
  /// How long the next look has to wait, to fall between two samples; zero mostly.
  var pause = TimeSpan.zero
  /// Whether the watermark's edges arrive: somebody has wired the pin.
  var hasEdges = false
  /// The newest temperature, low byte first; 0x8000 is none.
  var temperature: InlineArray<2, UInt8> = [0x00, 0x80]
  var detected = BMI160Detected()
  var test = BMI160Test()

  public internal(set) var identity: UInt8?
  /// How long the last look at the queue's length took.
  var lookSpan = TimeSpan.zero

  /// A driver for `configure`.
  public init(_ bus: consuming Bus) {
    self.bus = bus
    var settings = SensorSettings()
    configuration = BMI160Configuration(nearest: &settings)
  }

  /// A driver of settings that do not change, named by their codes: without `configure` nothing is linked that chooses
  /// any. Throws `unsupportedSetting` where chip or connection lack what they ask for.
  @inline(__always)
  public init(_ bus: consuming Bus, configuration: BMI160Configuration) throws(ChipError) {
    guard configuration.isPossible(with: Bus.abilities) else { throw .unsupportedSetting }
    self.bus = bus
    self.configuration = configuration
  }

  /// Gives the connection back.
  public consuming func release() -> Bus { bus }

  public var channels: ChannelSet {
    (wanted ?? configuration).hasGyro ? BMI160Facts.channels : [.acceleration, .temperature]
  }

  public func range(of channel: Channel, at index: Int) -> Scalar? {
    BMI160Facts.range(of: channel, at: index)
  }

  public func rate(at index: Int) -> Scalar? { BMI160Facts.rate(at: index) }

  public var now: Timestamp { bus.now }

  public var detections: DetectionSet { BMI160Facts.detections }

  public var selfTest: SelfTestReport? { test.report }

  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    var settings = settings
    guard Bus.abilities.contains(.settings), Bus.allows(settings),
      let chosen = BMI160Configuration(checking: &settings)
    else { throw .unsupportedSetting }
    wanted = chosen
    return settings
  }

  public mutating func start() {
    if Bus.abilities.contains(.settings), let wanted { configuration = wanted }
    clock = SampleClock(rate: configuration.rate.hertz)
    failures = 0
    remaining = 0
    hasGap = false
    pause = .zero
    hasEdges = false
    temperature = [0x00, 0x80]
    if Bus.abilities.contains(.detections) { detected = BMI160Detected() }
    test.isWanted = false
    phase = .connect
  }

  public mutating func startSelfTest() throws(ChipError) {
    guard Bus.abilities.contains(.selfTest) else { throw .unsupportedSetting }
    failures = 0
    test = BMI160Test()
    test.isWanted = true
    phase = .connect
  }

  /// One command that suspends both sensors whatever they are doing: two commands would need a wait between them.
  public mutating func stop() throws(ChipError) {
    phase = .idle
    try command(.softReset)
  }

  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    let ways = Bus.abilities.intersection([.dataReady, .polling, .fifo])
    guard ways == .fifo || !ways.contains(.fifo),
      Bus.abilities.isDisjoint(with: [.lowPower, .detections])
    else { return BMI160Decoder.decode(batch, frame: frame) }
    // There is one kind of frame.
    return BMI160Decoder.decode(batch, frame: frame, isQueued: ways == .fifo, hasGyro: true)
  }

  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake {
    do { return try advance(event, into: &batch) } catch {
      if error.busError != nil { health.busErrors &+= 1 }
      if case .rejected = error { health.misconfigurations &+= 1 }
      recover(from: error)
      // What was detected has left the chip and is told all the same; an error that stays comes again.
      guard Bus.abilities.contains(.detections), batch.detectionCount > 0 else { throw error }
      batch.frames = 0
      batch.missing = 0
      return wait(BMI160Timing.poll)
    }
  }

  mutating func command(_ command: BMI160Map.Command) throws(ChipError) {
    try bus.set(BMI160Map().cmd) { $0.cmd(command) }
  }

  /// What a transfer that failed while running may have cost is repaired; anything worse begins again with identity and
  /// reset.
  @inline(never)
  private mutating func recover(from error: ChipError) {
    failures &+= 1
    if holdsSamples {
      hasGap = true
      remaining = 0
      holdsSamples = false
    }
    if case .bus(let cause, let register) = error, failures < 3 {
      switch phase {
      case .running:
        // Registers hold one sample, which the next one replaces. A queue loses what a broken read took out of it; but
        // a chip refuses no more than its address or a register's, and then nothing was taken.
        let isQueued = acquires(.fifo)
        let isBroken = register == BMI160Map().fifoData.address && cause != .noAcknowledge
        if isBroken || !isQueued { hasGap = true }
        if isBroken {
          remaining = 0
          phase = .resynchronise
        }
        return
      case .unfreeze, .resynchronise: return
      default: break
      }
    }
    hasGap = true
    remaining = 0
    pause = .zero
    health.restarts &+= 1
    temperature = [0x00, 0x80]
    if Bus.abilities.contains(.detections) { detected.forgetChip() }
    phase = .connect
  }

  @inline(never)
  private mutating func advance(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> Wake
  {
    switch phase {
    case .idle:
      return .never
    case .connect:
      _ = try bus.read(BMI160Facts.interfaceSelect)
      phase = .probe
      // Long enough for the interface, and for the reset of a stop just before.
      return wait(max(BMI160Timing.interfaceSelect, BMI160Timing.idleWrite))
    case .probe:
      let map = BMI160Map()
      let id = try bus.read(map.chipID).raw
      identity = id
      guard BMI160Facts.isKnown(configuration.assumedIdentity ?? id) else {
        throw .identity(found: id, register: map.chipID.address)
      }
      try command(.softReset)
      polls = 0
      phase = .resetting
      return wait(BMI160Timing.reset)
    case .resetting:
      return try reconnect()
    case .reconnected:
      return try checkReset()
    case .startingAccel, .startingGyro, .startingLowPower:
      return try awaitSensor()
    case .settling:
      nextVerification = bus.now.advanced(by: BMI160Timing.verification)
      patrol = Patrol()
      // What was detected while the table was written is no news.
      guard detects else { fallthrough }
      try command(.interruptReset)
      phase = .resynchronise
      return wait(BMI160Timing.idleWrite)
    case .resynchronise:
      try resume()
      phase = .running
      return restingWake
    case .unfreeze:
      guard acquires(.fifo) else { return .never }
      if let running = line(BMI160Configuration.runningQueueLine) { try bus.write(running) }
      phase = .resynchronise
      return wait(BMI160Timing.idleWrite)
    case .testing:
      guard Bus.abilities.contains(.selfTest) else { return .never }
      return try continueTest()
    case .running:
      return try run(event, into: &batch)
    }
  }

  @inline(never)
  private mutating func run(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake {
    // First, because frames that were read are gone when something after them fails.
    try verifyInTurn(&batch)
    if acquires(.dataReady) {
      try readOnEdge(event, into: &batch)
    } else if acquires(.fifo) {
      try drainQueue(event, into: &batch)
    } else if acquires(.polling) {
      try readIfReady(into: &batch)
    } else if acquires(.detections) {
      try look(after: event, into: &batch)
    }
    failures = 0
    holdsSamples = false
    switch phase {
    case .resynchronise, .unfreeze: return .after(.zero)
    default: return restingWake
    }
  }

  /// From the end of what was just transferred, however long that took.
  func wait(_ span: TimeSpan) -> Wake { .at(bus.now.advanced(by: span)) }

  /// When a running driver wants to be called again.
  private var restingWake: Wake {
    if acquires(.dataReady) {
      return .onInterrupt(timeout: max(clock.measuredPeriod * 4, .milliseconds(20)))
    } else if acquires(.fifo) {
      return queueWake
    } else if acquires(.polling) {
      // If it was not there, a look each eighth of a period finds it.
      if let look = clock.look(health.received), look > bus.now { return .at(look) }
      return .after(clock.measuredPeriod / 8)
    }
    return .onInterrupt(timeout: BMI160Timing.detectionLook)
  }
}

// What the connection leaves of the configuration: constants where it leaves no choice.
extension BMI160 where Bus: ~Copyable {
  /// Whether samples leave the chip in this way.
  @inline(__always)
  func acquires(_ way: Acquisition) -> Bool { Bus.acquires(way, of: configuration.acquisition) }

  @inline(__always)
  var hasGyro: Bool {
    Bus.abilities.isDisjoint(with: [.lowPower, .detections]) || configuration.hasGyro
  }

  @inline(__always)
  var isUndersampled: Bool {
    Bus.abilities.contains(.lowPower) && configuration.isUndersampled
  }

  @inline(__always)
  var detects: Bool { Bus.abilities.contains(.detections) && configuration.detects }

  @inline(__always)
  var tests: Bool { Bus.abilities.contains(.selfTest) && test.isWanted }

  /// Bytes of a frame of the queue.
  @inline(__always)
  var queueFrameSize: Int {
    hasGyro ? BMI160Facts.queueFrameSize : BMI160Facts.accelQueueFrameSize
  }

  /// What PMU_STATUS says of sensors that do as they shall.
  @inline(__always)
  var powerStatus: Change {
    BMI160Map().pmuStatus.change {
      $0.accPmuStatus(isUndersampled ? .lowPower : .normal)
        | $0.gyrPmuStatus(hasGyro ? .normal : .suspend)
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
  case resetting
  case reconnected
  case startingAccel
  case startingGyro
  /// The accelerometer's low-power mode, once all is configured.
  case startingLowPower
  case settling
  case running
  /// The queue was stopped to be read and is to run again.
  case unfreeze
  case resynchronise
  case testing
}

/// What is switched on, in this order.
enum BMI160Sensor {
  case accel
  case gyro
  /// The accelerometer's low-power mode, once all is configured.
  case lowPower
}
