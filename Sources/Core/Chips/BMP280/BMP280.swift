// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the BMP280, a barometer and thermometer, and of the BME280, which also has a
/// hygrometer.
///
/// Above 1 Hz the chip runs in normal mode; at lower rates it sleeps and the driver starts each
/// conversion (forced mode). The chip has no data-ready signal, only a flag that is set while a
/// conversion is running. The driver reads a result only when a conversion has certainly ended
/// since the last read, so it never reads a conversion twice. A sample's time is the end of its
/// conversion.
public typealias BMP280<Bus: ChipBus> = RegisterDriver<BMP280Chip, Bus>

/// The chip-specific parts of the driver.
public struct BMP280Chip: RegisterChip {
  public typealias Decoder = BMP280Decoder

  enum Mode {
    /// The chip is in normal mode and repeats conversions by itself.
    case cycling
    /// The chip is used in forced mode and sleeps until the next conversion is due.
    case sleeping
    case forced
  }

  var mode = Mode.cycling
  /// The time to start the next forced conversion (`due`), and the time to poll the running
  /// conversion.
  var due = Timestamp.zero
  var nextPoll = Timestamp.zero
  /// The earliest and latest time at which the running conversion can have started.
  var earliest = Timestamp.zero
  var latest = Timestamp.zero
  /// The number of forced conversions since the last read that were started but never read.
  var abandoned: UInt32 = 0
  /// The trim words: registers 0x88 to 0x9F, 0xA1, and 0xE1 to 0xE7.
  var trim = InlineArray<32, UInt8>(repeating: 0)
  /// The time of the last read of a conversion; only conversions that ended later are new.
  var lastRead = Timestamp.zero
  /// The earliest time at which the first conversion in normal mode can end.
  var noEndBefore = Timestamp.zero
  /// The number of consecutive conversions whose results were read in the pause after the
  /// conversion, counted up to `pausesToLearn`.
  var pausesMet = 0
  /// The times of the polls since `lastRead` that found the barometer's conversion running.
  var busy: BMP280Busy?

  public init() {}

  public static var channels: ChannelSet { BMP280Part.expected.channels }

  public static func channels(of codes: BMP280Configuration, with abilities: DriverAbilities)
    -> ChannelSet
  { codes.part.channels }

  public static func rate(at index: Int, of codes: BMP280Configuration) -> Scalar? {
    BMP280Chip.rate(at: index, of: codes.part)
  }

  public enum StartStep: UInt8, ChipStep { case identity, reset, resetOver, trim, configuration }

  public static func start(
    _ driver: inout BMP280<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = BMP280Map()
    switch step {
    case .identity: return .identify(by: map.id)
    case .reset:
      return .write(map.reset, wait: BMP280Timing.reset) { $0.value(BMP280Map.softReset) }
    case .resetOver:
      return .poll(map.status, each: BMP280Timing.reset, times: BMP280Timing.resetPolls) {
        $0.imageUpdate(false)
      }
    case .trim:
      try driver.readTrim()
      return .next
    case .configuration:
      driver.chip.lastRead = driver.now
      return .configure()
    }
  }

  /// Returns a register write of the configuration. The chip sleeps during these writes; the last
  /// write applies the humidity setting and, in normal mode, starts conversions.
  @inline(never)
  public static func row(
    _ index: Int, of driver: borrowing BMP280<some ChipBus>
  ) -> RegisterValue? {
    let map = BMP280Map()
    let codes = driver.codes
    switch (index, driver.row.hasHumidity) {
    case (0, _):
      return RegisterValue(map.config) { $0.standby(codes.standby) | $0.filter(codes.filter) }
    case (1, true): return RegisterValue(map.controlHumidity) { $0(.x1) }
    case (1, false), (2, true): return codes.control(driver.isForced ? .sleep : .normal)
    default: return nil
    }
  }

  public static var verification: Verification {
    Verification(every: BMP280Timing.verification)
  }

  public static func discardOldSamples(
    _ driver: inout BMP280<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    let started = driver.chip.lastRead
    let now = driver.lastPoll
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

  public static func run(
    _ driver: inout BMP280<some ChipBus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    guard driver.isForced else {
      try driver.pollCycle(into: &batch)
      // Configuration registers are verified only in steps without a read. Before a read the
      // verification could delay the poll past the pause; after a read an error would lose the
      // data.
      if batch.frames == 0 { try driver.verifyInTurn(at: driver.now) }
      return
    }
    if driver.chip.mode == .forced {
      try driver.pollForced(into: &batch)
    } else if driver.now >= driver.chip.due {
      try driver.force()
    }
  }

  public static func nextStep(_ driver: borrowing BMP280<some ChipBus>) -> NextStep {
    guard driver.isForced else { return driver.nextCyclePoll }
    return .at(driver.chip.mode == .forced ? driver.chip.nextPoll : driver.chip.due)
  }

  /// Counts the requested conversion as lost, because the reset discards that conversion.
  public static func noteRestart(_ driver: inout BMP280<some ChipBus>, _ error: ChipError) {
    guard driver.isForced, driver.chip.mode == .forced else { return }
    if error.busError != nil { driver.chip.abandoned &+= 1 }
    driver.chip.mode = .sleeping
  }

  public static func sleep(_ driver: inout BMP280<some ChipBus>) throws(ChipError) {
    try driver.bus.set(BMP280Map().controlMeasurement) { $0.mode(.sleep) }
  }
}

// The register codes, limited to the abilities of the connection. Codes that the connection cannot
// use become constants.
extension RegisterDriver where Chip == BMP280Chip, Bus: ~Copyable {
  @inline(__always)
  var row: BMP280Part { Bus.abilities.contains(.relatives) ? codes.part : .bmp280 }

  /// True if the chip sleeps between conversions.
  @inline(__always)
  var isForced: Bool { Bus.abilities.contains(.lowPower) && codes.isForced }

  mutating func readTrim() throws(ChipError) {
    let map = BMP280Map()
    let main: InlineArray<24, UInt8> = try bus.bytes(from: map.trimT.first)
    for index in 0..<24 { chip.trim[index] = main[index] }
    if row.hasHumidity {
      chip.trim[24] = try bus.read(map.trimH1).raw
      let others: InlineArray<7, UInt8> = try bus.bytes(from: map.trimH2.first)
      for index in 0..<7 { chip.trim[25 + index] = others[index] }
    }
    // Data cannot be decoded without trim words. (The words are not compared with Bosch's ranges,
    // which some real parts violate.)
    let first = main[0]
    guard first == 0x00 || first == 0xFF else { return }
    for index in 1..<24 where main[index] != first { return }
    throw .identity(found: first, register: map.trimT.address)
  }
}

/// The times of the polls that observed a conversion whose result has not been read yet.
struct BMP280Busy {
  /// The time just before the first poll that found the conversion running.
  var first: Timestamp
  /// The time just after the first poll that found the conversion running. The conversion ends at
  /// most one conversion time later.
  var firstSeen: Timestamp
  /// The time just before the last poll that found the conversion still running.
  var newest: Timestamp
}

/// Decodes the family's frames to physical values, with the trim words in the batch.
public struct BMP280Decoder: FrameDecoder {
  private let trim: BMP280Trim
  private let hasHumidity: Bool
  /// False in small firmware, which checks only for the code of a skipped measurement.
  private let checksLimits: Bool

  public init(_ batch: borrowing RawBatch) {
    trim = BMP280Trim(batch)
    hasHumidity = batch.format[BMP280Chip.partFormat] == BMP280Part.bme280.rawValue
    checksLimits = true
  }

  @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: BMP280Configuration, with abilities: DriverAbilities
  ) {
    trim = BMP280Trim(batch)
    hasHumidity =
      abilities.contains(.relatives)
      && batch.format[BMP280Chip.partFormat] == BMP280Part.bme280.rawValue
    checksLimits = abilities.contains(.invalidReadings)
  }

  /// The operating ranges from the data sheets (BST-BMP280-DS001 and BST-BME280-DS001, table 2),
  /// which are also the limits in Bosch's BMP2 and BME280 drivers.
  @inlinable
  public static func limits(of channel: Channel, of part: BMP280Part) -> ClosedRange<Scalar>? {
    switch channel {
    case .temperature: -40...85
    case .pressure: 30...110
    case .humidity: part.hasHumidity ? 0...100 : nil
    default: nil
    }
  }

  /// Returns one reading. A word is not a measurement if it has the value "skipped" or if any of
  /// the four bits that always read 0 (table 18) is set. Without the temperature the reading has no
  /// channels, because the other quantities are compensated with the temperature.
  @inline(__always)
  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    let start = frame * batch.frameSize
    var reading = ChipReading()
    let part: BMP280Part = hasHumidity ? .bme280 : .bmp280
    let temperatureWord = Self.word(batch, start + 3)
    if let fault = fault(temperatureWord, rest: batch.byte(start + 5)) {
      reading.reject(part.channels, fault)
      return reading
    }
    let fine = trim.fineTemperature(Int64(temperatureWord))
    reading.add(
      .temperature, Scalar(BMP280Trim.centidegrees(fine)) / 100,
      within: limits(of: .temperature), code: temperatureWord, ones: Self.ones,
      with: part.channels)
    guard reading.invalid.isEmpty else { return reading }
    let pressureWord = Self.word(batch, start)
    if let fault = fault(pressureWord, rest: batch.byte(start + 2)) {
      reading.reject(.pressure, fault)
    } else if let pressure = trim.pressure(Int64(pressureWord), fine) {
      // The compensated pressure is in units of 1/256 Pa.
      reading.add(
        .pressure, Scalar(pressure) / 256_000, within: limits(of: .pressure),
        code: pressureWord, ones: Self.ones)
    } else {
      // The formula would divide by zero. (In this case the data sheet's code returns 0, section
      // 3.11.3, and Bosch's BME280 driver returns the smallest pressure of its range.)
      reading.reject(.pressure, .outside)
    }
    guard hasHumidity else { return reading }
    let humidityWord = Int(batch.byte(start + 6)) << 8 | Int(batch.byte(start + 7))
    switch humidityWord {
    case BMP280Chip.skippedHumidity: reading.reject(.humidity, .noData)
    // The converter's codes for 0 and 100 % humidity are far from the codes whose bits are all
    // equal.
    case 0: reading.reject(.humidity, .zeros)
    case 0xFFFF: reading.reject(.humidity, .ones)
    default:
      reading.humidity = Scalar(trim.humidity(Int64(humidityWord), fine)) / 1024
      reading.channels.insert(.humidity)
    }
    return reading
  }

  /// Returns the limits of a channel of this part; `nil` if they are not checked.
  @inline(__always)
  private func limits(of channel: Channel) -> ClosedRange<Scalar>? {
    checksLimits ? Self.limits(of: channel, of: hasHumidity ? .bme280 : .bmp280) : nil
  }

  /// The converter's largest code of pressure and temperature.
  private static var ones: Int { 0xFFFFF }

  /// Returns the fault of a data word: it was not measured, all of its bits are set, or its last
  /// byte, `rest`, has bits set that should always read 0.
  @inline(__always)
  private func fault(_ word: Int, rest: UInt8) -> ReadingFault? {
    if word == BMP280Chip.skippedWord { return .noData }
    guard checksLimits else { return nil }
    if word == Self.ones { return .ones }
    return rest & 0x0F != 0 ? .unusedBits : nil
  }

  /// Returns a twenty-bit number that is left-aligned in three bytes.
  private static func word(_ batch: borrowing RawBatch, _ start: Int) -> Int {
    Int(batch.byte(start)) << 12 | Int(batch.byte(start + 1)) << 4 | Int(batch.byte(start + 2)) >> 4
  }
}

/// The averaging and the pause of the barometer for one row of the table of rates.
struct BMP280Step: Sendable {
  var temperature: BMP280Map.Oversampling
  var pressure: BMP280Map.Oversampling
  var standby: BMP280Map.Standby

  /// Returns the typical output rate in normal mode, in Hz.
  @inline(__always)
  func rate(on part: BMP280Part) -> Scalar {
    1e6 / Scalar(conversion(on: part).typical &+ standby.microseconds(on: part))
  }

  @inline(__always)
  func conversion(on part: BMP280Part) -> BMP280Conversion {
    BMP280Conversion(
      temperature: temperature.count, pressure: pressure.count, humidity: part.hasHumidity ? 1 : 0)
  }

  /// Returns row `index` of the table of rates in normal mode, fastest first. From row to row the
  /// averaging increases first (temperature x 2 belongs to pressure x 16, BMP280 data sheet, table
  /// 4), and then the pauses increase.
  static func normal(_ index: Int, of part: BMP280Part) -> BMP280Step? {
    switch index {
    case 0: return BMP280Step(temperature: .x1, pressure: .x1, standby: .ms0_5)
    case 1: return BMP280Step(temperature: .x1, pressure: .x2, standby: .ms0_5)
    case 2: return BMP280Step(temperature: .x1, pressure: .x4, standby: .ms0_5)
    case 3: return BMP280Step(temperature: .x1, pressure: .x8, standby: .ms0_5)
    default: break
    }
    guard index > 0, index < normalCount(of: part) else { return nil }
    let standby: BMP280Map.Standby?
    switch (part, index) {
    case (_, 4): standby = .ms0_5
    case (.bme280, 5): standby = .ms2000Or10
    case (.bme280, 6): standby = .ms4000Or20
    default: standby = BMP280Map.Standby(rawValue: UInt8(index - (part.hasHumidity ? 6 : 4)))
    }
    return standby.map { BMP280Step(temperature: .x2, pressure: .x16, standby: $0) }
  }

  static func normalCount(of part: BMP280Part) -> Int { part.hasHumidity ? 11 : 9 }
}

/// The duration of one conversion, in microseconds (sections 3.8.1 and, for the BME280, 9.1).
public struct BMP280Conversion: Sendable {
  public var typical: Int64
  public var longest: Int64

  @inline(__always)
  public init(temperature: Int64, pressure: Int64, humidity: Int64) {
    // `count` is the number of averaged conversions of all quantities, `others` the number of
    // measured quantities after the first.
    let count = temperature &+ pressure &+ humidity
    let others: Int64 = (pressure > 0 ? 1 : 0) &+ (humidity > 0 ? 1 : 0)
    typical = 1000 &+ 2000 &* count &+ 500 &* others
    longest = 1250 &+ 2300 &* count &+ 575 &* others
  }

  /// The data sheets do not give the shortest conversion time. It is assumed to be as far below the
  /// typical time as the longest time is above it.
  @inline(__always)
  public var shortest: Int64 { 2 &* typical &- longest }
}
