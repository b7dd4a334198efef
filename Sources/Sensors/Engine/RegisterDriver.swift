// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The driver of any chip with registers: phases, errors and retries, waits, the configuration that runs and the one that is
/// wanted, its comparison while running, times of samples, the self-test's sequence. What a chip is like says `Chip`.
public struct RegisterDriver<Chip: RegisterChip, Bus: RegisterBus & ~Copyable>:
  SensorDriver, ~Copyable
{
  var phase = DriverPhase.idle
  /// The task of start or self-test that is next, and looks so far for what it waits for.
  private var place = 0
  private var polls: UInt16 = 0
  private var isTestWanted = false
  /// Whether samples may have been lost since the last batch.
  package var hasGap = false
  /// Steps in a row that failed.
  private var failures = 0
  /// How many samples in a row were there without an edge.
  var silence = 0
  public private(set) var identity: UInt8?
  /// When a line of the configuration is compared again, and which.
  private var nextVerification = Timestamp.zero
  private var verifiedLines = 0
  /// The start of the last look for a sample: what was taken before it was seen then.
  package var lastLook = Timestamp.zero
  package var chip = Chip()
  package private(set) var codes: Chip.Codes
  public package(set) var health = Health()
  package var clock: SampleClock
  /// What the next `start` takes over, and another part than was expected; until then samples are decoded with the range they
  /// were taken with. `nil` where codes were named.
  private var requested: SensorSettings?
  /// The last self-test, as far as it is.
  package var trial = Trial()
  /// Behind all others, whose places are known then, whatever the bus is.
  package var bus: Bus

  /// A driver for `configure`, which expects `part`: what it offers before the chip was asked is that part's.
  public init(_ bus: consuming Bus, expecting part: Chip.Codes.Part = .expected) {
    var settings = SensorSettings()
    requested = settings
    let codes = Chip.Codes(nearest: &settings, of: part, isSPI: bus.isSPI)
    self.bus = bus
    self.codes = codes
    clock = Self.clock(of: codes)
  }

  /// A driver of settings that do not change, named by their codes: without `configure` nothing is linked that chooses
  /// any. Throws `unsupportedSetting` where chip or connection lack what they ask for.
  ///
  /// Always inlined: what constant codes are checked for is decided when the program is compiled.
  @inline(__always)
  public init(_ bus: consuming Bus, configuration: Chip.Codes) throws(ChipError) {
    guard configuration.isPossible(isSPI: bus.isSPI),
      Bus.abilities.isSuperset(of: configuration.abilities)
    else { throw .unsupportedSetting }
    self.bus = bus
    codes = configuration
    clock = Self.clock(of: configuration)
  }

  @inline(never)
  private static func clock(of codes: Chip.Codes) -> SampleClock { codes.makeClock() }

  /// Gives the connection back.
  public consuming func release() -> Bus { bus }

  /// The codes for what is asked for: those that run, until `configure` asks for something else.
  private var wanted: Chip.Codes {
    guard Bus.abilities.contains(.settings), var settings = requested else { return codes }
    let part = part(for: settings)
    return Chip.Codes(nearest: &settings, of: part, isSPI: bus.isSPI)
  }

  /// The row of the family that settings are for.
  private func part(for settings: SensorSettings) -> Chip.Codes.Part {
    guard Bus.abilities.contains(.relatives), let identity = settings.assumedIdentity else {
      return codes.part
    }
    return Chip.Codes.Part(identity: identity) ?? codes.part
  }

  public var channels: ChannelSet { Chip.channels(of: wanted, with: Bus.abilities) }

  public func range(of channel: Channel, at index: Int) -> Scalar? {
    Chip.range(of: channel, at: index)
  }

  public func rate(at index: Int) -> Scalar? { Chip.rate(at: index, of: wanted) }

  public var now: Timestamp {
    @inline(never) get { bus.now }
  }

  /// The row of the family: the expected one, and once the chip has been asked, the one it is.
  public var part: Chip.Codes.Part { codes.part }

  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    var granted = settings
    guard Bus.abilities.contains(.settings),
      let chosen = Chip.Codes(checking: &granted, of: part(for: settings), isSPI: bus.isSPI),
      Bus.abilities.isSuperset(of: chosen.abilities)
    else { throw .unsupportedSetting }
    requested = settings
    return granted
  }

  public mutating func start() {
    if Bus.abilities.contains(.settings) { codes = wanted }
    clock = Self.clock(of: codes)
    chip = Chip()
    begin(isTesting: false)
  }

  public mutating func startSelfTest() throws(ChipError) {
    guard Bus.abilities.contains(.selfTest), Chip.hasSelfTest else { throw .unsupportedSetting }
    begin(isTesting: true)
  }

  /// What the last self-test found; `nil` until it is over.
  public var selfTest: SelfTestReport? {
    Bus.abilities.contains(.selfTest) && trial.isOver ? Chip.report(of: self) : nil
  }

  private mutating func begin(isTesting: Bool) {
    isTestWanted = isTesting
    if isTesting { trial = Trial() }
    failures = 0
    hasGap = false
    restart()
  }

  public mutating func stop() throws(ChipError) {
    phase = .idle
    try Chip.sleep(&self)
  }

  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    Chip.Decoder(batch, of: codes, with: Bus.abilities).reading(batch, frame)
  }

  public func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    let decoder = Chip.Decoder(batch, of: codes, with: Bus.abilities)
    for frame in 0..<batch.frames { body(decoder.reading(batch, frame)) }
  }

  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake {
    do { return try advance(event, into: &batch) } catch {
      if error.busError != nil { health.busErrors &+= 1 }
      if case .rejected = error { health.misconfigurations &+= 1 }
      recover(from: error)
      throw error
    }
  }

  private mutating func recover(from error: ChipError) {
    hasGap = true
    failures &+= 1
    // A read that failed left nothing behind in the registers; only a row of failures asks for a new start.
    if phase == .running, error.busError != nil, failures < Self.patience { return }
    health.restarts &+= 1
    Chip.lose(&self, error)
    restart()
  }

  private mutating func restart() {
    phase = .starting
    place = 0
    polls = 0
  }

  /// So many steps in a row may fail before the driver begins again with identity and reset.
  private static var patience: Int { 3 }

  private mutating func advance(_ event: Event, into batch: inout RawBatch) throws(ChipError)
    -> Wake
  {
    switch phase {
    case .idle: return .never
    case .starting, .testing:
      if let wake = try advanceTasks(into: &batch) { return wake }
      try run(into: &batch)
    case .running:
      try Chip.run(&self, event, into: &batch)
      failures = 0
    }
    return Chip.rest(self)
  }

  /// Whether the self-test is what runs.
  @inline(__always)
  private var isTesting: Bool { Bus.abilities.contains(.selfTest) && isTestWanted }

  /// Goes through the tasks of start or self-test to the first that takes time; `nil` behind the last.
  private mutating func advanceTasks(into batch: inout RawBatch) throws(ChipError) -> Wake? {
    if Bus.abilities.contains(.selfTest), phase == .testing, trial.isCollecting {
      try Chip.readTrial(&self, at: place &- 1, into: &batch)
      if trial.isCollecting { return after(trial.look) }
    }
    while true {
      let task = try nextTask()
      switch task.kind {
      case .identify: try identify(by: task.register)
      case .write:
        try bus.write(
          RegisterValue(address: task.register, value: task.change.applied(to: 0)))
      case .poll:
        if !task.change.holds(in: try bus.contents(of: task.register)) {
          guard polls < task.count else { throw .resetTimedOut }
          polls &+= 1
          return after(task.interval)
        }
        polls = 0
      case .configure:
        if isTesting {
          phase = .testing
          trial = Trial()
          place = 0
          continue
        }
        try verifyConfiguration(writing: true)
        try verifyConfiguration()
      case .wait: break
      case .collect:
        guard Bus.abilities.contains(.selfTest) else { break }
        trial.collect(Int(task.count), each: task.interval)
      case .end:
        guard Bus.abilities.contains(.selfTest) else { break }
        trial.isOver = true
        phase = .idle
        return .never
      case .done: return nil
      }
      place &+= 1
      if task.wait > 0 { return after(task.wait) }
    }
  }

  /// So many microseconds after the step.
  private func after(_ microseconds: UInt32) -> Wake { .after(.microseconds(Int64(microseconds))) }

  private mutating func nextTask() throws(ChipError) -> ChipTask {
    if Bus.abilities.contains(.selfTest), phase == .testing {
      return try Chip.trial(&self, at: place)
    }
    return try Chip.start(&self, at: place)
  }

  /// Asks the chip who it is, and takes its part's codes: of the settings that were asked for, as far as it has them.
  private mutating func identify(by register: UInt8) throws(ChipError) {
    let id = try bus.contents(of: register)
    identity = id
    let known = codes.assumedIdentity ?? id
    guard !codes.part.says(known) else { return }
    guard Bus.abilities.contains(.relatives), let part = Chip.Codes.Part(identity: known),
      var settings = requested ?? codes.settings
    else { throw .identity(found: id, register: register) }
    guard let chosen = Chip.Codes(checking: &settings, of: part, isSPI: bus.isSPI),
      Bus.abilities.isSuperset(of: chosen.abilities)
    else { throw .unsupportedSetting }
    codes = chosen
    clock = Self.clock(of: chosen)
  }

  /// Compares the whole configuration with the chip, or writes it.
  @inline(never)
  package mutating func verifyConfiguration(writing: Bool = false) throws(ChipError) {
    var index = 0
    while let line = line(index) {
      if writing { try bus.write(line) } else { try bus.verify(line) }
      index &+= 1
    }
  }

  /// Line `index` of the configuration: once in the program.
  @inline(never)
  private func line(_ index: Int) -> RegisterValue? { Chip.line(index, of: self) }

  /// Compares the line without which there is not one sample: what a chip that lost its supply lacks.
  package mutating func verifyRunning() throws(ChipError) {
    if let line = line(Chip.runningLine) { try bus.verify(line) }
  }

  /// Sampling begins, with nothing old.
  private mutating func run(into batch: inout RawBatch) throws(ChipError) {
    // A sample that comes meanwhile is seen by the next look.
    lastLook = now
    try Chip.flush(&self, into: &batch)
    silence = 0
    nextVerification = lastLook.advanced(by: Chip.verification)
    verifiedLines = 0
    phase = .running
  }

  /// Compares the line of the configuration whose turn it is, if it is time to: a chip that lost its supply answers, with other
  /// settings.
  package mutating func verifyInTurn() throws(ChipError) {
    guard Bus.abilities.contains(.verification) else { return }
    let now = self.now
    guard now >= nextVerification else { return }
    nextVerification = now.advanced(by: Chip.verification)
    if line(verifiedLines) == nil { verifiedLines = 0 }
    guard let line = line(verifiedLines) else { return }
    verifiedLines &+= 1
    try bus.verify(line)
  }
}

/// What a driver is about.
enum DriverPhase: UInt8 {
  case idle
  /// From the identity to the configuration, task by task.
  case starting
  /// The tasks of the self-test.
  case testing
  case running
}
