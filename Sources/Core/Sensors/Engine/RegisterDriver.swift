// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The driver for any chip with registers, which `Chip` describes. The driver handles phases,
/// errors and retries, waits, the running and the requested configuration, verification while
/// running, sample times, and the self-test.
public struct RegisterDriver<Chip: RegisterChip, Bus: RegisterBus & ~Copyable>:
  SensorDriver, ~Copyable
{
  @usableFromInline var phase = DriverPhase.idle
  /// The raw value of the next step of the start or self-test, and the number of polls in that
  /// step.
  @usableFromInline var stepNumber: UInt8 = 0
  @usableFromInline package var polls: UInt16 = 0
  @usableFromInline var isTestWanted = false
  /// True if samples may have been lost since the last batch of samples.
  @usableFromInline package var hasGap = false
  /// The number of consecutive steps of the driver that failed.
  @usableFromInline var failures = 0
  /// The number of samples that a read left in the FIFO because the size of a batch or of a bus
  /// transfer is limited.
  @usableFromInline package var remaining = 0
  /// The duration of the last FIFO poll.
  @usableFromInline package var pollDuration = TimeSpan.zero
  /// True once an edge of the interrupt line for a watermark or detections was observed; false if
  /// the line did not become active when it should have; `nil` before one of these happened.
  @usableFromInline package var isWired: Bool?
  /// True if an interrupt edge has signalled the sample that is being read.
  @usableFromInline package var hasEdge = false
  /// The number of consecutive samples that came without an interrupt edge.
  @usableFromInline package var silence = 0
  @usableFromInline var reportedIdentity: UInt8?
  /// The time at which the next configuration register is verified, and the index of that register.
  @usableFromInline var nextVerification = Timestamp.zero
  @usableFromInline var nextRow = 0
  /// The start of the last step of a running chip. Timeouts are counted from this time, which saves
  /// a read of the clock.
  @usableFromInline package var lastStep = Timestamp.zero
  /// The start of the last poll for a sample. That poll found all samples that were taken earlier.
  @usableFromInline package var lastPoll = Timestamp.zero
  @usableFromInline package var chip = Chip()
  @usableFromInline package var codes: Chip.Codes
  @usableFromInline package var counters = Health()
  @usableFromInline package var clock: SampleClock
  /// The settings for the next `start`, or for a part other than the expected part; `nil` if
  /// register codes were given instead. Until the start, samples are decoded with the ranges with
  /// which they were taken.
  @usableFromInline var requested: SensorSettings?
  /// The state of the running or last self-test.
  @usableFromInline package var testProgress = SelfTestProgress()
  /// The connection to the bus. It is the last field, so that the offsets of all other fields do
  /// not depend on the type of the bus.
  @usableFromInline package var bus: Bus

  /// Creates a driver for the expected `part`, whose settings are chosen later with `configure`.
  /// The driver offers that part's settings until the identity has been read.
  @inlinable
  public init(_ bus: consuming Bus, expecting part: Chip.Codes.Part = .expected) {
    var settings = SensorSettings()
    let codes = Chip.Codes(nearest: &settings, of: part, isSPI: bus.isSPI)
    self.init(bus, set: codes)
    requested = settings
  }

  /// Creates a driver with fixed settings, given as register codes, so that the code that chooses
  /// settings is not linked. Throws `unsupportedSetting` if the chip or the connection does not
  /// support the settings.
  ///
  /// Always inlined, so that the compiler can evaluate the checks of constant codes.
  @inlinable @inline(__always)
  public init(_ bus: consuming Bus, configuration: Chip.Codes) throws(ChipError) {
    var codes = configuration
    codes.finalize()
    guard codes.isPossible(isSPI: bus.isSPI), Bus.abilities.isSuperset(of: codes.abilities)
    else { throw .unsupportedSetting }
    self.init(bus, set: codes)
  }

  @inlinable @inline(__always)
  init(_ bus: consuming Bus, set codes: Chip.Codes) {
    self.bus = bus
    self.codes = codes
    // The clock is made from the stored register codes. If it were made from the constants, the
    // program would contain these constants twice.
    clock = Self.clock(of: self.codes)
  }

  @inlinable @inline(never)
  static func clock(of codes: Chip.Codes) -> SampleClock {
    codes.narrowed(to: Bus.abilities).makeClock()
  }

  /// The register codes, limited to the abilities of the connection.
  @inlinable @inline(__always)
  package var configuration: Chip.Codes { codes.narrowed(to: Bus.abilities) }

  @inlinable @inline(__always)
  var isLowPower: Bool { Bus.abilities.contains(.lowPower) && codes.power == .low }

  /// Consumes the driver and returns its connection.
  @inlinable
  public consuming func release() -> Bus { bus }

  /// The requested register codes. The chip runs with these codes until `configure` requests other
  /// codes.
  @inlinable
  var wanted: Chip.Codes {
    guard Bus.abilities.contains(.settings), var settings = requested else { return codes }
    let part = part(for: settings)
    return Chip.Codes(nearest: &settings, of: part, isSPI: bus.isSPI)
  }

  /// Returns the part for which settings are chosen.
  @inlinable
  func part(for settings: SensorSettings) -> Chip.Codes.Part {
    guard Bus.abilities.contains(.relatives), let identity = settings.assumedIdentity,
      !codes.part.says(identity)
    else { return codes.part }
    return Chip.Codes.Part(identity: identity) ?? codes.part
  }

  /// The identity that was last read from the chip; `nil` before the first read.
  @inlinable
  public var identity: UInt8? { reportedIdentity }

  @inlinable
  public var health: Health { counters }

  @inlinable
  public var channels: ChannelSet { Chip.channels(of: wanted, with: Bus.abilities) }

  @inlinable
  public func range(of channel: Channel, at index: Int) -> Scalar? {
    Chip.range(of: channel, at: index, of: wanted)
  }

  @inlinable
  public func rate(at index: Int) -> Scalar? { Chip.rate(at: index, of: wanted) }

  @inlinable
  public var detections: DetectionSet { Chip.detections(of: wanted) }

  @inlinable
  public var now: Timestamp {
    @inline(never) get { bus.now }
  }

  /// The part of the family: the expected part until the identity has been read, then the part that
  /// the chip is.
  @inlinable
  public var part: Chip.Codes.Part { codes.part }

  @inlinable
  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    var granted = settings
    guard Bus.abilities.contains(.settings),
      let chosen = Chip.Codes(checking: &granted, of: part(for: settings), isSPI: bus.isSPI),
      Bus.abilities.isSuperset(of: chosen.abilities)
    else { throw .unsupportedSetting }
    requested = settings
    return granted
  }

  @inlinable
  public mutating func start() {
    if Bus.abilities.contains(.settings) { codes = wanted }
    clock = Self.clock(of: codes)
    chip = Chip()
    isWired = nil
    begin(isTesting: false)
  }

  @inlinable
  public mutating func startSelfTest() throws(ChipError) {
    guard Bus.abilities.contains(.selfTest), Chip.SelfTest.exists else { throw .unsupportedSetting }
    begin(isTesting: true)
  }

  /// The results of the last self-test; `nil` until it is finished.
  @inlinable
  public var selfTest: SelfTestReport? {
    Bus.abilities.contains(.selfTest) && testProgress.isOver ? Chip.SelfTest.report(of: self) : nil
  }

  @inlinable
  mutating func begin(isTesting: Bool) {
    isTestWanted = isTesting
    if isTesting { testProgress = SelfTestProgress() }
    failures = 0
    hasGap = false
    restart()
  }

  @inlinable
  public mutating func stop() throws(ChipError) {
    phase = .idle
    try Chip.sleep(&self)
    showFirstBank()
  }

  @inlinable
  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    Chip.Decoder(batch, of: codes, with: Bus.abilities).reading(batch, frame)
  }

  @inlinable
  public func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    Chip.Decoder(batch, of: codes, with: Bus.abilities).readings(batch, body)
  }

  @inlinable
  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> NextStep
  {
    do { return try advance(event, into: &batch) } catch {
      if error.busError != nil { counters.busErrors &+= 1 }
      if case .rejected = error { counters.misconfigurations &+= 1 }
      // An unexpected register counts as a misconfiguration only on chips with a FIFO, because only
      // these chips verify such registers while they sample.
      if Chip.Queue.exists, case .unexpected = error { counters.misconfigurations &+= 1 }
      if !Chip.Row.isPlain, case .rejectedWord = error { counters.misconfigurations &+= 1 }
      recover(from: error)
      // The chip reports a detection only once, so this step returns the detection instead of
      // throwing the error. If the error persists, the next step throws it.
      guard Bus.abilities.contains(.detections), batch.detectionCount > 0 else { throw error }
      batch.frames = 0
      batch.missing = 0
      return .after(.milliseconds(5))
    }
  }

  @inlinable
  mutating func recover(from error: ChipError) {
    failures &+= 1
    remaining = 0
    if Chip.verification.catchesUp {
      // A chip that lost its supply responds again but with reset settings, so all registers are
      // verified, starting at the first.
      nextVerification = .zero
      nextRow = 0
    }
    if error.busError != nil, failures < Chip.retryLimit {
      if phase == .running {
        guard mayLoseSamples(error) else { return }
        hasGap = true
        if Chip.Queue.losesAlignment, acquires(.fifo) { beginDiscarding() }
        return
      }
      // If emptying the FIFO failed, the emptying is repeated, and the chip is not reset.
      if Chip.Queue.exists, isDiscarding { return }
    }
    hasGap = true
    counters.restarts &+= 1
    Chip.noteRestart(&self, error)
    restart()
  }

  /// Returns true if an error may have lost samples. Output registers hold one sample, which the
  /// next sample replaces. A FIFO loses the samples of an interrupted read, except if the chip did
  /// not acknowledge its address or a register, because then nothing was read.
  @inlinable
  func mayLoseSamples(_ error: ChipError) -> Bool {
    guard acquires(.fifo), case .bus(let cause, let register) = error else { return true }
    return register == Chip.Queue.port(of: self) && cause != .noAcknowledge
  }

  /// True while the driver only needs to discard old samples before the chip runs again.
  @inlinable
  package var isDiscarding: Bool { phase == .discarding }

  @inlinable
  package var isRunning: Bool { phase == .running }

  /// Makes the next step discard old samples.
  @inlinable
  package mutating func beginDiscarding() {
    phase = .discarding
    stepNumber = Chip.Queue.emptyingStep?.rawValue ?? .max
  }

  /// Makes the driver perform the steps of the start from `step` on, and then discard old samples.
  @inlinable
  package mutating func beginDiscarding(after step: Chip.StartStep) {
    phase = .discarding
    stepNumber = step.rawValue
  }

  /// Counts an overflow of the FIFO and makes the next step empty it. Emptying is repeated until it
  /// succeeds, because a FIFO that was stopped and not restarted gives no samples. Lost samples are
  /// counted with the next batch (`SampleClock.stamp`).
  @inlinable
  package mutating func noteOverflow() {
    counters.overflows &+= 1
    hasGap = true
    beginDiscarding()
  }

  @inlinable
  mutating func restart() {
    phase = .starting
    stepNumber = 0
    polls = 0
    bus.forgetBank()
  }

  /// Selects bank 0, the state after a reset, for another user of the chip. A failure is counted
  /// but not thrown, because an error would lose this step's samples, and because the next access
  /// selects the register's bank anyway.
  @inlinable @inline(__always)
  mutating func showFirstBank() {
    do { try bus.showFirstBank() } catch { counters.busErrors &+= 1 }
  }

  @inlinable
  mutating func advance(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> NextStep
  {
    switch phase {
    case .idle: return .never
    case .running:
      try Chip.run(&self, event, into: &batch)
      failures = 0
      countInvalid(batch)
    default:
      if let next = try advanceSteps(into: &batch) {
        showFirstBank()
        return next
      }
      try run(into: &batch)
    }
    showFirstBank()
    // The chip is not polled before its FIFO has been emptied.
    return !Chip.Queue.exists || isRunning ? Chip.nextStep(self) : .after(.zero)
  }

  /// Counts the frames with raw values that are not valid measurements, if the connection has this
  /// ability.
  @inlinable @inline(__always)
  mutating func countInvalid(_ batch: borrowing RawBatch) {
    guard Bus.abilities.contains(.invalidReadings), batch.frames > 0 else { return }
    let decoder = Chip.Decoder(batch, of: codes, with: Bus.abilities)
    counters.invalid &+= UInt64(truncatingIfNeeded: decoder.invalidFrames(batch))
  }

  /// The next step of the start; `nil` if the driver is not starting its chip.
  public var startStep: Chip.StartStep? {
    phase == .starting ? Chip.StartStep(rawValue: stepNumber) : nil
  }

  /// True while the self-test runs.
  @inlinable @inline(__always)
  package var isTesting: Bool { Bus.abilities.contains(.selfTest) && isTestWanted }

  /// Starts sampling and discards old samples.
  @inlinable
  mutating func run(into batch: inout RawBatch) throws(ChipError) {
    // A sample that becomes ready while old samples are discarded is found by the next poll.
    let isFirst = !Chip.Queue.exists || !isDiscarding
    lastPoll = now
    lastStep = lastPoll
    if Chip.Queue.exists { beginDiscarding() }
    try Chip.discardOldSamples(&self, into: &batch)
    batch.removeAll()
    silence = 0
    if isFirst {
      // Discarding old samples does not postpone the verification; otherwise a FIFO that overflows
      // repeatedly would prevent the verification.
      nextVerification = lastPoll.advanced(by: Chip.verification.interval)
      nextRow = 0
    }
    phase = .running
  }

}

@usableFromInline
enum DriverPhase: UInt8 {
  case idle
  /// The driver performs the start sequence, from identification to configuration.
  case starting
  /// The driver performs the last steps of a start, which only discard old samples before the chip
  /// runs again.
  case discarding
  /// The driver performs the steps of the self-test.
  case testing
  case running
}
