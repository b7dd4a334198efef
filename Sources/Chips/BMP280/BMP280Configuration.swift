// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The settings that the driver writes into the chip: codes of its registers. `BMP280.configure`
/// finds them from physical settings; firmware whose settings never change names them, and then
/// nothing that searches is linked.
public struct BMP280Configuration: ChipCodes {
  public let part: BMP280Part
  /// Conversions that are averaged into one.
  public let temperature: BMP280Map.Oversampling
  public let pressure: BMP280Map.Oversampling
  public let standby: BMP280Map.Standby
  public let filter: BMP280Map.Filter
  /// Conversions a second that the driver starts one by one, the chip asleep between; `nil`: the
  /// chip converts by itself.
  public let forcedRate: Scalar?
  /// The identity to go by instead of the one that the chip gives.
  public let assumedIdentity: UInt8?

  /// Conversions a second.
  let rate: Scalar
  /// The duration of a conversion at the longest, typically and at the shortest.
  let longest: TimeSpan
  let typical: TimeSpan
  let shortest: TimeSpan
  /// Between two conversions of normal mode, typically and at the longest.
  let pause: TimeSpan
  let longestPause: TimeSpan
  /// Of a conversion and the pause after it.
  let longestCycle: TimeSpan
  /// Two fifths and three tenths of a pause: steps that it cannot slip through, and where in it to
  /// look.
  let stepInPause: TimeSpan
  let placeInPause: TimeSpan

  /// Creates a configuration of codes as they stand in the registers (Bosch BST-BMP280-DS001
  /// revision 1.26, sections 3.3 and 4.3).
  ///
  /// - Parameters:
  ///   - part: The part of the family. The driver of a connection without the ability `relatives`
  ///     knows the BMP280 alone.
  ///   - temperature: osrs_t of ctrl_meas; not `skipped`, since pressure and humidity need it.
  ///   - pressure: osrs_p of ctrl_meas; not `skipped`.
  ///   - standby: t_sb of config: the pause between two conversions of normal mode.
  ///   - filter: The recursive filter, in config.
  ///   - forcedRate: For forced mode, which needs the ability `lowPower`: 1/60 to 50 conversions a
  ///     second, with room for twice the longest conversion in a period. `nil`: normal mode, whose
  ///     rate follows from averaging and pause.
  ///   - assumedIdentity: For a clone that says something else than 0x56 to 0x58 or 0x60.
  @inline(__always)
  public init(
    part: BMP280Part = .bmp280, temperature: BMP280Map.Oversampling,
    pressure: BMP280Map.Oversampling, standby: BMP280Map.Standby = .ms0_5,
    filter: BMP280Map.Filter, forcedRate: Scalar? = nil, assumedIdentity: UInt8? = nil
  ) {
    self.part = part
    self.temperature = temperature
    self.pressure = pressure
    self.standby = standby
    self.filter = filter
    self.forcedRate = forcedRate
    self.assumedIdentity = assumedIdentity
    // Of codes that are constants these are too: nothing of it is worked out while running.
    let step = BMP280Step(temperature: temperature, pressure: pressure, standby: standby)
    let conversion = step.conversion(on: part)
    rate = forcedRate ?? step.rate(on: part)
    longest = Self.span(conversion.longest)
    typical = Self.span(conversion.typical)
    shortest = Self.span(conversion.shortest)
    let pause = standby.microseconds(on: part)
    self.pause = Self.span(pause)
    longestPause = Self.span(BMP280Timing.longestStandby(pause))
    longestCycle = Self.span(conversion.longest &+ BMP280Timing.longestStandby(pause))
    stepInPause = TimeSpan(nanoseconds: pause &* 2000 / 5)
    placeInPause = TimeSpan(nanoseconds: pause &* 3000 / 10)
  }

  /// Always inlined, so that of constants it is one.
  @inline(__always)
  private static func span(_ microseconds: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: microseconds &* 1000)
  }

  public var acquisition: Acquisition { .polling }

  public func makeClock() -> SampleClock { SampleClock(rate: rate, tolerance: 0.125) }

  @inline(__always)
  public var abilities: DriverAbilities {
    var abilities = DriverAbilities.polling
    if part != .bmp280 { abilities.insert(.relatives) }
    if isForced { abilities.insert(.lowPower) }
    return abilities
  }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    guard temperature != .skipped, pressure != .skipped else { return false }
    guard let forcedRate else { return true }
    return forcedRate >= BMP280Chip.slowest && longest.seconds * forcedRate <= 0.5
  }

  /// The chip sleeps between conversions.
  var isForced: Bool { forcedRate != nil }

  /// Starts what is configured: one conversion, or the cycle.
  func control(_ mode: BMP280Map.Mode) -> RegisterValue {
    RegisterValue(BMP280Map().controlMeasurement) {
      $0.temperatureOversampling(temperature) | $0.pressureOversampling(pressure) | $0.mode(mode)
    }
  }
}

// Physical settings turned into what the chip has.
extension BMP280Configuration {
  /// Creates the codes of `part` nearest to `settings`, which become what the chip really has.
  public init(nearest settings: inout SensorSettings, of part: BMP280Part, isSPI: Bool) {
    // Slow: as much averaging as there is. Its pause goes unused in forced mode.
    var step = BMP280Step(temperature: .x2, pressure: .x16, standby: .ms0_5)
    let isForced: Bool
    if settings.power == .low {
      // The fewest conversions, and sleep between.
      step = BMP280Step(temperature: .x1, pressure: .x1, standby: .ms0_5)
      isForced = true
      settings.rate = min(max(settings.rate, BMP280Chip.slowest), BMP280Chip.fastestLow)
    } else if settings.rate <= BMP280Chip.fastestForced {
      isForced = true
      settings.rate = max(settings.rate, BMP280Chip.slowest)
    } else {
      isForced = false
      // The slowest rate that is not slower than asked. A part that turns out to be slower than its
      // relative runs as fast as it can.
      var index = 0
      while let next = BMP280Step.normal(index, of: part),
        index == 0 || next.rate(on: part) >= settings.rate * 0.999
      {
        step = next
        index += 1
      }
      settings.rate = step.rate(on: part)
    }
    // The widest filter within the bandwidth that is wanted.
    let bandwidth = settings.bandwidth ?? settings.rate / 2
    var filter = BMP280Map.Filter.x16
    if BMP280Map.Filter.x8.relativeBandwidth * settings.rate <= bandwidth { filter = .x8 }
    if BMP280Map.Filter.x4.relativeBandwidth * settings.rate <= bandwidth { filter = .x4 }
    if BMP280Map.Filter.x2.relativeBandwidth * settings.rate <= bandwidth { filter = .x2 }
    if BMP280Map.Filter.off.relativeBandwidth * settings.rate <= bandwidth { filter = .off }
    settings.bandwidth = filter.relativeBandwidth * settings.rate
    // There is neither a queue nor a pin, no bus behind it, and nothing that it detects.
    settings.acquisition = .polling
    settings.interruptPin = InterruptPin()
    settings.passesThrough = false
    settings.detection.kinds = []
    self.init(
      part: part, temperature: step.temperature, pressure: step.pressure, standby: step.standby,
      filter: filter, forcedRate: isForced ? settings.rate : nil,
      assumedIdentity: settings.assumedIdentity)
  }

  /// Creates the codes; `nil` where a rate is not positive and finite, or beyond the chip.
  public init?(checking settings: inout SensorSettings, of part: BMP280Part, isSPI: Bool) {
    guard settings.acquisition != .detections, settings.rate > 0,
      let fastest = BMP280Chip.rate(at: 0, of: part),
      settings.rate <= fastest * 1.001
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }
}

/// The rows of the family. Boards sold as one often carry the other: the identity read from the
/// chip selects the row.
public enum BMP280Part: UInt8, CaseIterable, ChipPart {
  case bmp280 = 0
  case bme280 = 1

  /// Creates the row of an identity; `nil` for a chip of another family. 0x56 and 0x57 are
  /// engineering samples.
  public init?(identity: UInt8) {
    switch identity {
    case 0x56, 0x57, 0x58: self = .bmp280
    case 0x60: self = .bme280
    default: return nil
    }
  }

  public static var expected: BMP280Part { .bmp280 }

  public var hasHumidity: Bool { self == .bme280 }

  public var channels: ChannelSet {
    hasHumidity ? [.pressure, .temperature, .humidity] : [.pressure, .temperature]
  }
}

/// The properties of the BMP280 and BME280 that are known without a chip.
extension BMP280Chip {
  /// Addresses advance by themselves. Over SPI bit 7 is the read flag: it is no part of the
  /// address, which is 0x80 or above for every register. Several writes in one transfer are pairs
  /// of address and value on both buses.
  public static var wireFormat: WireFormat { WireFormat(spiImplied: 0x80, writesPairs: true) }

  /// A frame: pressure (3 bytes), temperature (3) and, of a BME280, humidity (2), as in registers
  /// 0xF7 to 0xFE.
  public static func frameSize(of part: BMP280Part) -> Int { part.hasHumidity ? 8 : 6 }

  /// The format of a batch: the row of the family, then the trim words that give its frames
  /// meaning, 0x88 to 0x9F, 0xA1, 0xE1 to 0xE7. So a recorded batch decodes without its chip.
  static var partFormat: Int { 0 }
  static var trimFormat: Int { 1 }
  static var trimSize: Int { 32 }

  /// Data words of a quantity that was not measured, and of all of them after a reset.
  static var skippedWord: Int { 0x80000 }
  static var skippedHumidity: Int { 0x8000 }

  /// Rates in Hz, fastest first: those of normal mode, then some of forced mode, which can have any
  /// up to 1 Hz.
  public static func rate(at index: Int, of part: BMP280Part) -> Scalar? {
    if let step = BMP280Step.normal(index, of: part) { return step.rate(on: part) }
    switch index - BMP280Step.normalCount(of: part) {
    case 0: return fastestForced
    case 1: return 0.5
    case 2: return 0.2
    case 3: return 0.1
    case 4: return slowest
    default: return nil
    }
  }

  /// From here on down the chip sleeps between conversions, which the driver starts one by one.
  public static var fastestForced: Scalar { 1 }
  /// At low power it sleeps between conversions at any rate: up to this one, whose period is twice
  /// the longest conversion of either part at x 1 (9.3 ms).
  public static var fastestLow: Scalar { 50 }
  /// One a minute.
  public static var slowest: Scalar { 1.0 / 60 }
}

/// Waits and bounds; numbers are microseconds.
enum BMP280Timing {
  /// Start-up time (table 2), and how often the end of the copying of trim words is asked for.
  static var reset: UInt32 { 2000 }
  static var resetPolls: UInt16 { 20 }
  /// A forced conversion that still runs after so many times its longest time has hung.
  static var patience: Int64 { 3 }
  /// From one line of the configuration to the next to be compared in normal mode, and the longest
  /// that the chip is left alone in it. The last line is never as after a reset: a chip that lost
  /// its supply is found after three.
  static var verification: TimeSpan { .milliseconds(50) }
  /// After so many pauses in a row the clock knows the cycle better than a pause is long.
  static var pausesToLearn: Int { 4 }
  /// The pause of normal mode may be off by a quarter (table 2: typically 5 %).
  @inline(__always)
  static func longestStandby(_ microseconds: Int64) -> Int64 { microseconds &* 5 / 4 }
}
