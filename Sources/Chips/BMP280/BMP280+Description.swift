// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

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
