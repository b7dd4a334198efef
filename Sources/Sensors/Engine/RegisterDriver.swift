// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The driver of any chip with registers: phases, errors and retries, waits, the running
/// configuration and the wanted one, its comparison while running, times of samples, the
/// self-test's sequence. `Chip` describes the chip itself.
public struct RegisterDriver<Chip: RegisterChip, Bus: RegisterBus & ~Copyable>:
  SensorDriver, ~Copyable
{
  @usableFromInline var phase = DriverPhase.idle
  /// The next task of start or self-test, and the count of looks for the state it waits for.
  @usableFromInline var place = 0
  @usableFromInline package var polls: UInt16 = 0
  @usableFromInline var isTestWanted = false
  /// True where samples may have been lost since the last batch.
  @usableFromInline package var hasGap = false
  /// Steps in a row that failed.
  @usableFromInline var failures = 0
  /// Samples left in the queue because a batch, or the bus, takes only so many at once.
  @usableFromInline package var remaining = 0
  /// The time that the last look at the queue took.
  @usableFromInline package var lookSpan = TimeSpan.zero
  /// True where the line of a queue with a watermark, or of detections, was seen to rise, false
  /// where it stayed low when it should have risen; `nil` before.
  @usableFromInline package var isWired: Bool?
  /// True where an edge has told of the sample that is read now.
  @usableFromInline package var isTold = false
  /// Samples in a row that were there without an edge.
  @usableFromInline package var silence = 0
  @usableFromInline var saidIdentity: UInt8?
  /// The moment at which a line of the configuration is compared again, and its index.
  @usableFromInline var nextVerification = Timestamp.zero
  @usableFromInline var verifiedLines = 0
  /// The start of the last step of a running chip: time-outs are counted from there, so that no
  /// more than this is asked of the clock for them.
  @usableFromInline package var lastStep = Timestamp.zero
  /// The start of the last look for a sample: samples taken before it were seen then.
  @usableFromInline package var lastLook = Timestamp.zero
  @usableFromInline package var chip = Chip()
  @usableFromInline package var codes: Chip.Codes
  @usableFromInline package var counters = Health()
  @usableFromInline package var clock: SampleClock
  /// The settings for the next `start`, or for another part than was expected; until then samples
  /// are decoded with the range they were taken with. `nil` where codes were named.
  @usableFromInline var requested: SensorSettings?
  /// The last self-test, as far as it has come.
  @usableFromInline package var trial = Trial()
  /// The bus, behind all others, whose places are known then, whatever the bus is.
  @usableFromInline package var bus: Bus

  /// Creates a driver for `configure`, which expects `part`: before the chip was asked it offers
  /// that part's settings.
  @inlinable
  public init(_ bus: consuming Bus, expecting part: Chip.Codes.Part = .expected) {
    var settings = SensorSettings()
    let codes = Chip.Codes(nearest: &settings, of: part, isSPI: bus.isSPI)
    self.init(bus, set: codes)
    requested = settings
  }

  /// Creates a driver of settings that do not change, named by their codes: without `configure` no
  /// code that chooses settings is linked. Throws `unsupportedSetting` where chip or connection
  /// lack what they ask for.
  ///
  /// Always inlined: checks of constant codes are decided when the program is compiled.
  @inlinable @inline(__always)
  public init(_ bus: consuming Bus, configuration: Chip.Codes) throws(ChipError) {
    var codes = configuration
    codes.settle()
    guard codes.isPossible(isSPI: bus.isSPI), Bus.abilities.isSuperset(of: codes.abilities)
    else { throw .unsupportedSetting }
    self.init(bus, set: codes)
  }

  @inlinable @inline(__always)
  init(_ bus: consuming Bus, set codes: Chip.Codes) {
    self.bus = bus
    self.codes = codes
    // Of those that are in place: constants would be stored a second time.
    clock = Self.clock(of: self.codes)
  }

  @inlinable @inline(never)
  static func clock(of codes: Chip.Codes) -> SampleClock {
    codes.narrowed(to: Bus.abilities).makeClock()
  }

  /// The codes, as far as the connection's abilities leave a choice.
  @inlinable @inline(__always)
  package var configuration: Chip.Codes { codes.narrowed(to: Bus.abilities) }

  @inlinable @inline(__always)
  var isLowPower: Bool { Bus.abilities.contains(.lowPower) && codes.power == .low }

  /// Returns the connection.
  @inlinable
  public consuming func release() -> Bus { bus }

  /// The codes that are asked for: those that run, until `configure` asks for others.
  @inlinable
  var wanted: Chip.Codes {
    guard Bus.abilities.contains(.settings), var settings = requested else { return codes }
    let part = part(for: settings)
    return Chip.Codes(nearest: &settings, of: part, isSPI: bus.isSPI)
  }

  /// Returns the row of the family that settings are for.
  @inlinable
  func part(for settings: SensorSettings) -> Chip.Codes.Part {
    guard Bus.abilities.contains(.relatives), let identity = settings.assumedIdentity,
      !codes.part.says(identity)
    else { return codes.part }
    return Chip.Codes.Part(identity: identity) ?? codes.part
  }

  /// The identity that the chip gave when it was last asked; `nil` before.
  @inlinable
  public var identity: UInt8? { saidIdentity }

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

  /// The row of the family: the expected one, and once the chip has been asked, the one it is.
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
    guard Bus.abilities.contains(.selfTest), Chip.hasSelfTest else { throw .unsupportedSetting }
    begin(isTesting: true)
  }

  /// The outcome of the last self-test; `nil` until it is over.
  @inlinable
  public var selfTest: SelfTestReport? {
    Bus.abilities.contains(.selfTest) && trial.isOver ? Chip.report(of: self) : nil
  }

  @inlinable
  mutating func begin(isTesting: Bool) {
    isTestWanted = isTesting
    if isTesting { trial = Trial() }
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
  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake {
    do { return try advance(event, into: &batch) } catch {
      if error.busError != nil { counters.busErrors &+= 1 }
      if case .rejected = error { counters.misconfigurations &+= 1 }
      if !Chip.Line.isPlain, case .rejectedWord = error { counters.misconfigurations &+= 1 }
      recover(from: error)
      // What was detected has left the chip and is told all the same; an error that stays comes
      // again.
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
    Chip.note(error, of: &self)
    if Chip.catchesUp {
      // A chip that lost its supply answers again, with other settings: all are compared from the
      // first on, at once.
      nextVerification = .zero
      verifiedLines = 0
    }
    if error.busError != nil, failures < Chip.patience {
      if phase == .running {
        guard mayLoseSamples(error) else { return }
        hasGap = true
        if Chip.losesPlace, acquires(.fifo) { flush() }
        return
      }
      // A queue whose emptying was refused is emptied again, and the chip not reset for it.
      if Chip.queuePort != 0, isFlushing { return }
    }
    hasGap = true
    counters.restarts &+= 1
    Chip.lose(&self, error)
    restart()
  }

  /// Returns true where an error may have lost samples. Registers hold one sample, which the next
  /// one replaces. A queue loses the samples that a broken read took out of it; but a chip refuses
  /// no more than its address or a register's, and then nothing was taken.
  @inlinable
  func mayLoseSamples(_ error: ChipError) -> Bool {
    guard acquires(.fifo), case .bus(let cause, let register) = error else { return true }
    return register == Chip.port(of: self) && cause != .noAcknowledge
  }

  /// True where only old samples are to be discarded before the chip runs again.
  @inlinable
  var isFlushing: Bool { phase == .starting && place >= ChipTask.firstOfFlush }

  @inlinable
  package var isRunning: Bool { phase == .running }

  /// Lets the next step discard old samples, after the chip's own tasks for that where it
  /// `hasTasks`.
  @inlinable
  package mutating func flush(hasTasks: Bool = false) {
    phase = .starting
    place = hasTasks ? ChipTask.firstOfFlush : .max
  }

  /// Counts a queue that ran over and lets the next step empty it, again until that succeeds: one
  /// that was stopped and not started is silent. What was lost is counted with the next batch
  /// (`SampleClock.stamp`).
  @inlinable
  package mutating func noteOverflow() {
    counters.overflows &+= 1
    hasGap = true
    flush()
  }

  @inlinable
  mutating func restart() {
    phase = .starting
    place = 0
    polls = 0
    bus.forgetBank()
  }

  /// Leaves a chip with banks in the state after a reset, for its next user. A failure is counted
  /// and not thrown: what the step has read is worth more, and the next access shows its bank
  /// first.
  @inlinable @inline(__always)
  mutating func showFirstBank() {
    do { try bus.showFirstBank() } catch { counters.busErrors &+= 1 }
  }

  @inlinable
  mutating func advance(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> Wake
  {
    switch phase {
    case .idle: return .never
    case .starting, .testing:
      if let wake = try advanceTasks(into: &batch) {
        showFirstBank()
        return wake
      }
      try run(into: &batch)
    case .running:
      try Chip.run(&self, event, into: &batch)
      failures = 0
    }
    showFirstBank()
    // A queue that is to be emptied is looked at no more before.
    return Chip.queuePort == 0 || isRunning ? Chip.rest(self) : .after(.zero)
  }

  /// True while the self-test runs.
  @inlinable @inline(__always)
  package var isTesting: Bool { Bus.abilities.contains(.selfTest) && isTestWanted }

  /// Begins sampling, without old samples.
  @inlinable
  mutating func run(into batch: inout RawBatch) throws(ChipError) {
    // A sample that comes meanwhile is seen by the next look.
    let isFirst = Chip.queuePort == 0 || !isFlushing
    lastLook = now
    lastStep = lastLook
    if Chip.queuePort != 0 { place = .max }
    try Chip.flush(&self, into: &batch)
    batch.removeAll()
    silence = 0
    if isFirst {
      // A queue that runs over again and again is compared with its configuration all the same.
      nextVerification = lastLook.advanced(by: Chip.verification)
      verifiedLines = 0
    }
    phase = .running
  }

}

/// The present work of a driver.
@usableFromInline
enum DriverPhase: UInt8 {
  case idle
  /// From the identity to the configuration, task by task.
  case starting
  /// The tasks of the self-test.
  case testing
  case running
}
