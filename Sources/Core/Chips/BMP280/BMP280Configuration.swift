// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the driver's settings. `BMP280.configure` finds the codes for physical
/// settings. Firmware with fixed settings specifies the codes directly, so that the search is not
/// linked into it.
public struct BMP280Configuration: ChipConfiguration {
  /// The part of the chip family to which the register codes belong. On a connection without the
  /// ability `relatives` only the BMP280 is supported.
  public var part = BMP280Part.bmp280
  /// The number of averaged conversions: osrs_t and osrs_p of ctrl_meas. `skipped` is not allowed,
  /// because pressure and humidity need the temperature.
  public var temperature = BMP280Map.Oversampling.x1
  public var pressure = BMP280Map.Oversampling.x1
  /// The pause between two of the chip's conversions in normal mode: t_sb of config.
  public var standby = BMP280Map.Standby.ms0_5
  /// The chip's recursive filter: filter of config.
  public var filter = BMP280Map.Filter.off
  /// The rate in Hz at which the driver starts single conversions, with the chip asleep between
  /// conversions: 1/60 to 50, with a period of at least twice the longest conversion. Needs the
  /// ability `lowPower`. `nil` selects normal mode, whose rate follows from averaging and pause.
  public var forcedRate: Scalar?
  public var readout = ReadoutMode.polling
  /// The conversion rate in Hz. This field and the fields after it are computed from the register
  /// codes, and are constants if the codes are constants.
  private(set) var rate: Scalar = 0
  /// The longest, typical and shortest duration of a conversion.
  private(set) var longest = TimeSpan.zero
  private(set) var typical = TimeSpan.zero
  private(set) var shortest = TimeSpan.zero
  /// The typical and the longest pause between conversions in normal mode.
  private(set) var pause = TimeSpan.zero
  private(set) var longestPause = TimeSpan.zero
  /// The sum of the longest conversion time and the longest pause between conversions.
  private(set) var longestCycle = TimeSpan.zero
  /// The interval of the polls that look for a pause, and the time from the start of a pause to its
  /// poll. The interval is two fifths of the pause, so that at least one poll is in each pause. The
  /// time is three tenths of the pause.
  private(set) var stepInPause = TimeSpan.zero
  private(set) var placeInPause = TimeSpan.zero

  public init() {}

  @inline(__always)
  public mutating func finalize() {
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

  /// Returns a time span. Always inlined, so that constant arguments give a constant.
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

  /// True if the chip sleeps between conversions.
  var isForced: Bool { forcedRate != nil }

  /// Returns the register write that starts one conversion (`forced`) or continuous conversions
  /// (`normal`).
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
    // At low output rates there is time for the most averaging. Forced mode does not use the pause.
    var step = BMP280Step(temperature: .x2, pressure: .x16, standby: .ms0_5)
    if power == .low {
      // The low-power mode uses the fewest conversions, and the chip sleeps between them.
      step = BMP280Step(temperature: .x1, pressure: .x1, standby: .ms0_5)
      settings.rate = min(max(settings.rate, BMP280Chip.slowest), BMP280Chip.fastestLow)
      forcedRate = settings.rate
    } else if settings.rate <= BMP280Chip.fastestForced {
      settings.rate = max(settings.rate, BMP280Chip.slowest)
      forcedRate = settings.rate
    } else {
      // Choose the slowest rate that is not below the requested rate, or the fastest rate if all
      // rates are slower.
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
    // Choose the widest filter whose bandwidth does not exceed the requested bandwidth, or else the
    // narrowest filter.
    let bandwidth = settings.bandwidth ?? settings.rate / 2
    let rate = settings.rate
    filter = BMP280Map.Filter.allCases.first { $0.relativeBandwidth * rate <= bandwidth } ?? .x16
    settings.bandwidth = filter.relativeBandwidth * settings.rate
  }
}

/// The parts of the family. Boards sold as a BMP280 often carry a BME280 and vice versa, so the
/// identity read from the chip selects the part.
public enum BMP280Part: UInt8, CaseIterable, ChipPart {
  case bmp280 = 0
  case bme280 = 1

  /// Creates the part for an identity; `nil` for a chip outside the family. 0x56 and 0x57 are
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

/// Constants for the BMP280 and BME280 that do not depend on a driver's state.
extension BMP280Chip {
  /// The transfer format. Addresses increment automatically in reads; a write of several registers
  /// consists of pairs of address and value on both buses. Over SPI, the read flag replaces bit 7
  /// of the address, because all registers are at 0x80 or above.
  public static var wireFormat: WireFormat { WireFormat(spiImplied: 0x80, writesPairs: true) }

  /// Returns the size of a frame in bytes: pressure (3), temperature (3) and, for a BME280,
  /// humidity (2), as in registers 0xF7 to 0xFE.
  public static func frameSize(of part: BMP280Part) -> Int { part.hasHumidity ? 8 : 6 }

  /// The positions, in a batch's format, of the part's code and of the trim words, in the order
  /// 0x88 to 0x9F, 0xA1, 0xE1 to 0xE7. With the part and the trim words a recorded batch can be
  /// decoded without its chip.
  static var partFormat: Int { 0 }
  static var trimFormat: Int { 1 }
  static var trimSize: Int { 32 }

  /// The data word of a quantity that was not measured. After a reset all quantities have this
  /// value.
  static var skippedWord: Int { 0x80000 }
  static var skippedHumidity: Int { 0x8000 }

  /// Returns the sample rates in Hz, fastest first: the rates of normal mode, then some rates of
  /// forced mode. Forced mode supports any rate up to 1 Hz.
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

  /// The highest rate in Hz at which the driver uses forced mode in normal power.
  public static var fastestForced: Scalar { 1 }
  /// The highest rate in Hz in low power, in which the driver always uses forced mode. The period
  /// at this rate is twice the longest conversion of either part at x 1 (9.3 ms).
  public static var fastestLow: Scalar { 50 }
  /// The slowest sample rate in Hz: one sample a minute.
  public static var slowest: Scalar { 1.0 / 60 }
}

/// The driver's waiting times, intervals and limits; numbers without a unit are microseconds.
enum BMP280Timing {
  /// The start-up time (table 2), and the number of polls while the chip copies the trim words.
  static var reset: UInt32 { 2000 }
  static var resetPolls: UInt16 { 20 }
  /// The timeout of a forced conversion, as a multiple of its longest duration.
  static var timeoutFactor: Int64 { 3 }
  /// The interval between verifications of configuration registers in normal mode, and the longest
  /// time between two steps. The last register differs from its reset value, so a supply failure is
  /// detected after at most three verifications.
  static var verification: TimeSpan { .milliseconds(50) }
  /// The number of consecutive observed pauses after which the error of the clock's estimate is
  /// smaller than a pause.
  static var pausesToLearn: Int { 4 }
  /// Returns the longest pause in normal mode: a quarter above `typical` (table 2: typically within
  /// 5 percent).
  @inline(__always)
  static func longestStandby(_ microseconds: Int64) -> Int64 { microseconds &* 5 / 4 }
}
