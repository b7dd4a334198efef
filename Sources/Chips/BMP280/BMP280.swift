// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the BMP280 and BME280: barometer and thermometer, and hygrometer in the latter.
///
/// Above 1 Hz the chip runs by itself in normal mode, below it sleeps and is made to convert. It has no data-ready
/// pin and no flag for it either, only one that says that a conversion runs. A conversion is read when one has
/// certainly ended since the last read, hence at most once; a sample's time is the end of its conversion.
public struct BMP280<Bus: RegisterBus & ~Copyable>: SensorDriver, ~Copyable {
  var bus: Bus
  var phase = BMP280Phase.idle
  /// As asked for: which of them the chip can have depends on its row, known after `probe`.
  /// `nil` where codes were named.
  private var asked: SensorSettings?
  var configuration: BMP280Configuration
  /// Looks so far whether a reset is over.
  private var polls = 0
  var clock = SampleClock(rate: 25, tolerance: 0.125)
  var counters = Health()
  private var failures = 0
  private var patrol = Patrol()
  /// When the next forced conversion is to begin, and the one that runs.
  var due = Timestamp.zero
  var forced = BMP280Forced(earliest: .zero, latest: .zero, next: .zero)
  /// Forced conversions that were never read, before the next that is.
  var abandoned: UInt32 = 0
  /// Registers 0x88 to 0x9F, 0xA1, 0xE1 to 0xE7.
  var trim = InlineArray<32, UInt8>(repeating: 0)
  /// No conversion that ended before this moment may be read any more.
  var lastRead = Timestamp.zero
  /// The first conversion of normal mode cannot be over before.
  var noEndBefore = Timestamp.zero
  /// How many conversions in a row were read in the pause behind them, up to the number that counts.
  var pausesMet = 0
  /// The looks since `lastRead` that saw a conversion running.
  var busy: BMP280Busy?

  public internal(set) var identity: UInt8?

  /// A driver that reports the rates of `part` until the chip says which it is.
  public init(_ bus: consuming Bus, expecting part: BMP280Part = .bmp280) {
    self.bus = bus
    var settings = SensorSettings(rate: 25)
    asked = settings
    configuration = BMP280Configuration(nearest: &settings, on: part)
  }

  /// A driver of settings that do not change, named by their codes: without `configure` nothing is linked that chooses
  /// any. It keeps to the part they name: another one of the family is refused by its identity. Throws `unsupportedSetting`
  /// where chip or connection lack what they ask for.
  @inline(__always)
  public init(_ bus: consuming Bus, configuration: BMP280Configuration) throws(ChipError) {
    guard configuration.isPossible(with: Bus.abilities) else { throw .unsupportedSetting }
    self.bus = bus
    self.configuration = configuration
    asked = nil
  }

  /// Gives the connection back.
  public consuming func release() -> Bus { bus }

  /// The row of the family: the expected one, and once the chip has been asked, the one it is.
  @inline(__always)
  public var part: BMP280Part {
    Bus.abilities.contains(.relatives) ? configuration.part : .bmp280
  }

  /// The chip sleeps between conversions.
  @inline(__always)
  var isForced: Bool { Bus.abilities.contains(.lowPower) && configuration.isForced }

  public var health: Health { counters }

  public var channels: ChannelSet { part.channels }

  /// There is no choice of ranges.
  public func range(of channel: Channel, at index: Int) -> Scalar? { nil }

  public func rate(at index: Int) -> Scalar? { BMP280Facts.rate(at: index, of: part) }

  public var now: Timestamp { bus.now }

  public mutating func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    var granted = settings
    guard let chosen = BMP280Configuration(checking: &granted, on: part),
      chosen.isPossible(with: Bus.abilities)
    else { throw .unsupportedSetting }
    asked = settings
    configuration = chosen
    return granted
  }

  public mutating func start() {
    clock = SampleClock(rate: configuration.rate, tolerance: 0.125)
    failures = 0
    abandoned = 0
    phase = .probe
  }

  public mutating func stop() throws(ChipError) {
    phase = .idle
    try bus.set(BMP280Map().controlMeasurement) { $0.mode(.sleep) }
  }

  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    Bus.abilities.contains(.relatives)
      ? BMP280Decoder.decode(batch, frame: frame)
      : BMP280Decoder.decode(batch, frame: frame, hasHumidity: false)
  }

  public mutating func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake {
    do { return try advance(into: &batch) } catch {
      if error.busError != nil { counters.busErrors &+= 1 }
      if case .rejected = error { counters.misconfigurations &+= 1 }
      failures &+= 1
      // A read that failed took nothing out of this chip; only a row of failures asks for a new start.
      if !(phase.isSampling && error.busError != nil && failures < 3) {
        // What was asked for has been converted and is lost with the reset.
        if Bus.abilities.contains(.lowPower), case .forced = phase, error.busError != nil {
          abandoned &+= 1
        }
        counters.restarts &+= 1
        phase = .probe
      }
      throw error
    }
  }

  private mutating func advance(into batch: inout RawBatch) throws(ChipError) -> Wake {
    switch phase {
    case .idle:
      return .never
    case .probe:
      try probe()
      polls = 0
      phase = .resetting
      return .after(BMP280Timing.reset)
    case .resetting:
      if try bus.read(BMP280Map().status)({ $0.imageUpdate }) == true {
        guard polls < BMP280Timing.resetPolls else { throw .resetTimedOut }
        polls &+= 1
        return .after(BMP280Timing.reset)
      }
      try readTrim()
      try begin()
      return restingWake
    case .cycling:
      try lookAtCycle(into: &batch)
      failures = 0
      // Beside the reads: before, it could make a look miss the pause; after, what was read would be lost with the error.
      if batch.frames == 0, Bus.abilities.contains(.verification) { try verifyInTurn() }
      return restingWake
    case .sleeping:
      guard Bus.abilities.contains(.lowPower) else { return .never }
      guard bus.now >= due else { return .at(due) }
      return try force()
    case .forced:
      guard Bus.abilities.contains(.lowPower) else { return .never }
      let wake = try lookAtForced(into: &batch)
      failures = 0
      return wake
    }
  }

  /// Identity, which selects the row of the family, and reset.
  private mutating func probe() throws(ChipError) {
    let map = BMP280Map()
    let id = try bus.read(map.id).raw
    identity = id
    guard let found = BMP280Part(identity: configuration.assumedIdentity ?? id),
      found == part || (Bus.abilities.contains(.relatives) && asked != nil)
    else {
      throw .identity(found: id, register: map.id.address)
    }
    if Bus.abilities.contains(.relatives), found != part, var settings = asked {
      configuration = BMP280Configuration(nearest: &settings, on: found)
      clock = SampleClock(rate: configuration.rate, tolerance: 0.125)
    }
    try bus.set(map.reset) { $0.value(BMP280Map.softReset) }
  }

  /// Compares the line of the configuration whose turn it is.
  private mutating func verifyInTurn() throws(ChipError) {
    var patrol = patrol
    let next = patrol.next(at: bus.now, every: BMP280Timing.verification) { line($0) }
    self.patrol = patrol
    if let next { try bus.verify(next) }
  }

  private mutating func readTrim() throws(ChipError) {
    let map = BMP280Map()
    // Read beside `trim`, not into it: the bus and a span of `trim` would both claim this driver.
    var main = InlineArray<24, UInt8>(repeating: 0)
    var span = main.mutableSpan
    try bus.read(&span, from: map.trimT1Low)
    for index in 0..<24 { trim[index] = main[index] }
    if part.hasHumidity {
      trim[24] = try bus.read(map.trimH1).raw
      var others = InlineArray<7, UInt8>(repeating: 0)
      var span = others.mutableSpan
      try bus.read(&span, from: map.trimH2Low)
      for index in 0..<7 { trim[25 + index] = others[index] }
    }
    // A chip without its words cannot be understood. (Words outside Bosch's windows exist in real parts.)
    let first = trim[0]
    guard first == 0x00 || first == 0xFF else { return }
    for index in 1..<24 where trim[index] != first { return }
    throw .identity(found: first, register: map.trimT1Low.address)
  }

  /// Writes and compares the configuration; the last line starts normal mode.
  private mutating func begin() throws(ChipError) {
    let started = bus.now
    // As RegisterBus.configure, whose closure would have to hold a copy of the table.
    var index = 0
    while let line = line(index) {
      try bus.write(line)
      index &+= 1
    }
    index = 0
    while let line = line(index) {
      try bus.verify(line)
      index &+= 1
    }
    let now = bus.now
    patrol = Patrol(due: now.advanced(by: BMP280Timing.verification))
    lastRead = started
    noEndBefore = started.advanced(by: configuration.shortest)
    pausesMet = 0
    if isForced {
      busy = nil
      due = now
      phase = .sleeping
    } else {
      // Normal mode begins with a conversion, not with a pause.
      busy = BMP280Busy(first: started, firstSeen: now, newest: started)
      phase = .cycling
    }
  }
}

/// What the driver is waiting for.
enum BMP280Phase {
  case idle
  case probe
  case resetting
  /// Normal mode.
  case cycling
  /// Forced mode, until the next conversion is due.
  case sleeping
  case forced

  var isSampling: Bool {
    switch self {
    case .cycling, .sleeping, .forced: true
    case .idle, .probe, .resetting: false
    }
  }
}

/// A conversion that was asked for between two moments.
struct BMP280Forced {
  var earliest: Timestamp
  var latest: Timestamp
  /// When the one after it is.
  var next: Timestamp
}

/// A conversion that is not read yet was seen running.
struct BMP280Busy {
  /// Before the first look that saw it.
  var first: Timestamp
  /// After that look: it ends at most one conversion time later.
  var firstSeen: Timestamp
  /// Before the newest look that saw it.
  var newest: Timestamp
}
