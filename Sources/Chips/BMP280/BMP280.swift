// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver of the BMP280 and BME280: barometer and thermometer, and hygrometer in the latter.
///
/// Above 1 Hz the chip runs by itself in normal mode, below it sleeps and is made to convert. It
/// has no data-ready pin and no flag for it either, only one that says that a conversion runs. A
/// conversion is read when one has certainly ended since the last read, hence at most once; a
/// sample's time is the end of its conversion.
public typealias BMP280<Bus: RegisterBus & ~Copyable> = RegisterDriver<BMP280Chip, Bus>

/// Describes to the engine what is peculiar to the family.
public struct BMP280Chip: RegisterChip {
  public typealias Decoder = BMP280Decoder

  enum Mode {
    /// Normal mode.
    case cycling
    /// Forced mode, until the next conversion is due.
    case sleeping
    case forced
  }

  var mode = Mode.cycling
  /// The moment at which the next forced conversion is to begin, and that to look at the one that
  /// runs.
  var due = Timestamp.zero
  var look = Timestamp.zero
  /// Between which moments it was asked for.
  var earliest = Timestamp.zero
  var latest = Timestamp.zero
  /// Forced conversions that were never read, before the next that is.
  var abandoned: UInt32 = 0
  /// Registers 0x88 to 0x9F, 0xA1, 0xE1 to 0xE7.
  var trim = InlineArray<32, UInt8>(repeating: 0)
  /// No conversion that ended before this moment may be read any more.
  var lastRead = Timestamp.zero
  /// The first conversion of normal mode cannot be over before.
  var noEndBefore = Timestamp.zero
  /// The number of conversions in a row that were read in the pause behind them, up to the number
  /// that counts.
  var pausesMet = 0
  /// The looks since `lastRead` that saw a conversion running.
  var busy: BMP280Busy?

  public init() {}

  public static func channels(of codes: BMP280Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.part.channels }

  public static func rate(at index: Int, of codes: BMP280Configuration) -> Scalar? {
    BMP280Chip.rate(at: index, of: codes.part)
  }

  public static func start<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMP280<Bus>, at index: Int
  ) throws(ChipError) -> ChipTask {
    let map = BMP280Map()
    switch index {
    case 0: return .identify(by: map.id)
    case 1:
      return .write(map.reset, wait: BMP280Timing.reset) { $0.value(BMP280Map.softReset) }
    case 2:
      return .poll(map.status, each: BMP280Timing.reset, times: BMP280Timing.resetPolls) {
        $0.imageUpdate(false)
      }
    case 3:
      try driver.readTrim()
      driver.chip.lastRead = driver.now
      return .configure()
    default: return .done
    }
  }

  /// The chip sleeps while its lines are written; the last one makes it heed the humidity line and,
  /// in normal mode, starts it.
  @inline(never)
  public static func line<Bus: RegisterBus & ~Copyable>(
    _ index: Int, of driver: borrowing BMP280<Bus>
  ) -> RegisterValue? {
    let map = BMP280Map()
    let codes = driver.codes
    switch (index, driver.row.hasHumidity) {
    case (0, _):
      return RegisterValue(map.config) { $0.standby(codes.standby) | $0.filter(codes.filter) }
    case (1, true): return RegisterValue(map.controlHumidity) { $0.oversampling(.x1) }
    case (1, false), (2, true): return codes.control(driver.isForced ? .sleep : .normal)
    default: return nil
    }
  }

  public static var verification: TimeSpan { BMP280Timing.verification }

  public static func flush<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMP280<Bus>, into batch: inout RawBatch
  ) throws(ChipError) {
    let started = driver.chip.lastRead
    let now = driver.lastLook
    driver.chip.noEndBefore = started.advanced(by: driver.codes.shortest)
    driver.chip.pausesMet = 0
    if driver.isForced {
      driver.chip.busy = nil
      driver.chip.due = now
      driver.chip.mode = .sleeping
    } else {
      // Normal mode begins with a conversion, not with a pause.
      driver.chip.busy = BMP280Busy(first: started, firstSeen: now, newest: started)
      driver.chip.mode = .cycling
    }
  }

  public static func run<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMP280<Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    guard driver.isForced else {
      try driver.lookAtCycle(into: &batch)
      // Beside the reads: before, it could make a look miss the pause; after, what was read would
      // be lost with the error.
      if batch.frames == 0 { try driver.verifyInTurn(at: driver.now) }
      return
    }
    if driver.chip.mode == .forced {
      try driver.lookAtForced(into: &batch)
    } else if driver.now >= driver.chip.due {
      try driver.force()
    }
  }

  public static func rest<Bus: RegisterBus & ~Copyable>(_ driver: borrowing BMP280<Bus>) -> Wake {
    guard driver.isForced else { return driver.cycleWake }
    return .at(driver.chip.mode == .forced ? driver.chip.look : driver.chip.due)
  }

  /// Counts the conversion that was asked for: it is lost with the reset.
  public static func lose<Bus: RegisterBus & ~Copyable>(
    _ driver: inout BMP280<Bus>, _ error: ChipError
  ) {
    guard driver.isForced, driver.chip.mode == .forced else { return }
    if error.busError != nil { driver.chip.abandoned &+= 1 }
    driver.chip.mode = .sleeping
  }

  public static func sleep<Bus: RegisterBus & ~Copyable>(_ driver: inout BMP280<Bus>)
    throws(ChipError)
  { try driver.bus.set(BMP280Map().controlMeasurement) { $0.mode(.sleep) } }
}

// What the connection leaves of the codes: constants where it leaves no choice.
extension RegisterDriver where Chip == BMP280Chip, Bus: ~Copyable {
  @inline(__always)
  var row: BMP280Part { Bus.abilities.contains(.relatives) ? codes.part : .bmp280 }

  /// The chip sleeps between conversions.
  @inline(__always)
  var isForced: Bool { Bus.abilities.contains(.lowPower) && codes.isForced }

  mutating func readTrim() throws(ChipError) {
    let map = BMP280Map()
    // Read beside `trim`, not into it: the bus and a span of `trim` would both claim this driver.
    var main = InlineArray<24, UInt8>(repeating: 0)
    var span = main.mutableSpan
    try bus.read(&span, from: map.trimT1Low)
    for index in 0..<24 { chip.trim[index] = main[index] }
    if row.hasHumidity {
      chip.trim[24] = try bus.read(map.trimH1).raw
      var others = InlineArray<7, UInt8>(repeating: 0)
      var span = others.mutableSpan
      try bus.read(&span, from: map.trimH2Low)
      for index in 0..<7 { chip.trim[25 + index] = others[index] }
    }
    // A chip without its words cannot be understood. (Words outside Bosch's windows exist in real
    // parts.)
    let first = main[0]
    guard first == 0x00 || first == 0xFF else { return }
    for index in 1..<24 where main[index] != first { return }
    throw .identity(found: first, register: map.trimT1Low.address)
  }
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
