// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The settings that the driver writes into the chip: codes of its registers. `BMP280.configure`
/// finds them from physical settings; firmware whose settings never change names them, and then
/// nothing that searches is linked.
public struct BMP280Configuration: ChipCodes {
  /// The driver of a connection without the ability `relatives` knows the BMP280 alone.
  public var part = BMP280Part.bmp280
  /// osrs_t and osrs_p of ctrl_meas: conversions that are averaged into one; not `skipped`, as
  /// pressure and humidity need the temperature.
  public var temperature = BMP280Map.Oversampling.x1
  public var pressure = BMP280Map.Oversampling.x1
  /// t_sb of config: the pause between two conversions of normal mode.
  public var standby = BMP280Map.Standby.ms0_5
  /// The recursive filter, in config.
  public var filter = BMP280Map.Filter.off
  /// Conversions a second that the driver starts one by one, the chip asleep between, which needs
  /// the ability `lowPower`: 1/60 to 50, with room for twice the longest conversion in a period.
  /// `nil`: normal mode, whose rate follows from averaging and pause.
  public var forcedRate: Scalar?
  public var readout = Readout.polling
  /// Conversions a second. It and all behind it follow from the codes; of constants they are such.
  private(set) var rate: Scalar = 0
  /// The duration of a conversion at the longest, typically and at the shortest.
  private(set) var longest = TimeSpan.zero
  private(set) var typical = TimeSpan.zero
  private(set) var shortest = TimeSpan.zero
  /// The pause in normal mode, typically and at the longest.
  private(set) var pause = TimeSpan.zero
  private(set) var longestPause = TimeSpan.zero
  /// A conversion and the pause after it.
  private(set) var longestCycle = TimeSpan.zero
  /// Two fifths and three tenths of a pause: steps that it cannot slip through, and where in it to
  /// look.
  private(set) var stepInPause = TimeSpan.zero
  private(set) var placeInPause = TimeSpan.zero

  public init() {}

  @inline(__always)
  public mutating func settle() {
    let step = BMP280Step(temperature: temperature, pressure: pressure, standby: standby)
    let conversion = step.conversion(on: part)
    let pause = standby.microseconds(on: part)
    rate = forcedRate ?? step.rate(on: part)
    longest = Self.span(conversion.longest)
    typical = Self.span(conversion.typical)
    shortest = Self.span(conversion.shortest)
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

  public func makeClock() -> SampleClock { SampleClock(rate: rate, tolerance: 0.125) }

  @inline(__always)
  public var abilities: DriverAbilities {
    var abilities = readout.abilities
    if part != .bmp280 { abilities.insert(.relatives) }
    if isForced { abilities.insert(.lowPower) }
    return abilities
  }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    guard acquisition == .polling, temperature != .skipped, pressure != .skipped else {
      return false
    }
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

extension BMP280Configuration {
  public static func limits(of part: BMP280Part, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: BMP280Chip.rate(at: 0, of: part) ?? 0, ways: .polling)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    // Slow: as much averaging as there is. Its pause goes unused in forced mode.
    var step = BMP280Step(temperature: .x2, pressure: .x16, standby: .ms0_5)
    if power == .low {
      // The fewest conversions, and sleep between.
      step = BMP280Step(temperature: .x1, pressure: .x1, standby: .ms0_5)
      settings.rate = min(max(settings.rate, BMP280Chip.slowest), BMP280Chip.fastestLow)
      forcedRate = settings.rate
    } else if settings.rate <= BMP280Chip.fastestForced {
      settings.rate = max(settings.rate, BMP280Chip.slowest)
      forcedRate = settings.rate
    } else {
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
    (temperature, pressure, standby) = (step.temperature, step.pressure, step.standby)
    // The widest filter within the bandwidth that is wanted, or the narrowest.
    let bandwidth = settings.bandwidth ?? settings.rate / 2
    let rate = settings.rate
    filter = BMP280Map.Filter.allCases.first { $0.relativeBandwidth * rate <= bandwidth } ?? .x16
    settings.bandwidth = filter.relativeBandwidth * settings.rate
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
