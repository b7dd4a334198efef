// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the BMP388 (Bosch BST-BMP388-DS001 revision 1, section 4, and Bosch's
/// BMP3_SensorAPI).
public struct BMP388Map: RegisterMap {
  public let chipID = RO(0x00, reset: 0x50)
  public let error = RO(
    0x02, effect: .clears, (configuration: Bit(2), command: Bit(1), fatal: Bit(0)))
  public let status = RO(
    0x03, reset: 0x10, (temperatureReady: Bit(6), pressureReady: Bit(5), commandReady: Bit(4)))
  public let pressureLowest = RO(0x04)
  public let pressureLow = RO(0x05)
  public let pressureHigh = RO(0x06, reset: 0x80)
  public let temperatureLowest = RO(0x07)
  public let temperatureLow = RO(0x08)
  public let temperatureHigh = RO(0x09, reset: 0x80)
  public let timeLowest = RO(0x0C, reset: nil)
  public let time = RO.words(0x0D, .lowFirst, reset: nil)
  public let event = RO(0x10, reset: 0x01, effect: .clears, Bit(0))
  public let interruptStatus = RO(
    0x11, effect: .clears, (dataReady: Bit(3), queueFull: Bit(1), watermark: Bit(0)))
  public let queueLengthLow = RO(0x12)
  public let queueLengthHigh = RO(0x13, Bits(0...0))
  public let queueData = RO(0x14, reset: nil, effect: .popsQueue)
  public let watermarkLow = RW(0x15, reset: 0x01)
  public let watermarkHigh = RW(0x16, Bits(0...0))
  public let queueConfig1 = RW(
    0x17, reset: 0x02,
    (temperature: Bit(4), pressure: Bit(3), time: Bit(2), stopsWhenFull: Bit(1), enable: Bit(0)))
  public let queueConfig2 = RW(
    0x18, reset: 0x02, (source: Bits<QueueSource>(3...4), subsampling: Bits(0...2)))
  public let interruptControl = RW(
    0x19, reset: 0x02,
    (
      dataReady: Bit(6), queueFull: Bit(4), watermark: Bit(3), latched: Bit(2), activeHigh: Bit(1),
      openDrain: Bit(0)
    ))
  public let interfaceConfig = RW(
    0x1A, (longWatchdog: Bit(2), watchdogEnable: Bit(1), threeWireSPI: Bit(0)))
  public let powerControl = RW(
    0x1B, (mode: Bits<Mode>(4...5), temperatureEnable: Bit(1), pressureEnable: Bit(0)))
  public let oversampling = RW(
    0x1C, reset: 0x02, (temperature: Bits<Oversampling>(3...5), pressure: Bits<Oversampling>(0...2))
  )
  public let rate = RW(0x1D, Bits<Rate>(0...4))
  public let config = RW(0x1F, Bits<Filter>(1...3))
  public let trimT1 = RO.words(0x31, .lowFirst, reset: nil)
  public let trimT2 = RO.words(0x33, .lowFirst, reset: nil)
  public let trimT3 = RO(0x35, reset: nil)
  public let trimP1 = RO.words(0x36, .lowFirst, reset: nil)
  public let trimP2 = RO.words(0x38, .lowFirst, reset: nil)
  public let trimP3 = RO(0x3A, reset: nil)
  public let trimP4 = RO(0x3B, reset: nil)
  public let trimP5 = RO.words(0x3C, .lowFirst, reset: nil)
  public let trimP6 = RO.words(0x3E, .lowFirst, reset: nil)
  public let trimP7 = RO(0x40, reset: nil)
  public let trimP8 = RO(0x41, reset: nil)
  public let trimP9 = RO.words(0x42, .lowFirst, reset: nil)
  public let trimP10 = RO(0x44, reset: nil)
  public let trimP11 = RO(0x45, reset: nil)
  public let command = WO(0x7E)
  public init() {}

  /// The value of `command` that resets the chip.
  public static var softReset: UInt8 { 0xB6 }
  public static var flushQueue: UInt8 { 0xB0 }
}

/// The registers of the BMP390 that differ from the BMP388 (Bosch BST-BMP390-DS002 revision 1.7,
/// section 4).
public struct BMP390Map: DerivedMap {
  public typealias Base = BMP388Map

  public let chipID = RO(0x00, reset: 0x60)
  public let revision = RO(0x01, reset: 0x01)
  public init() {}
}

extension BMP388Map {
  /// The power modes of the barometer; code 2 also means forced mode.
  public enum Mode: UInt8, FieldValue, CaseIterable { case sleep = 0, forced, forcedCode2, normal }

  public enum QueueSource: UInt8, FieldValue, CaseIterable { case unfiltered = 0, filtered }

  /// The number of averaged conversions of a quantity.
  public enum Oversampling: UInt8, FieldValue, CaseIterable { case x1 = 0, x2, x4, x8, x16, x32 }

  /// The output data rates, named as in Bosch's documents: 200 Hz, halved for each higher code.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz200 = 0, hz100, hz50, hz25, hz12_5, hz6_25, hz3_1, hz1_5, hz0_78, hz0_39, hz0_2, hz0_1
    case hz0_05, hz0_02, hz0_01, hz0_006, hz0_003, hz0_0015
  }

  /// The coefficient of the chip's recursive filter.
  public enum Filter: UInt8, FieldValue, CaseIterable {
    case off = 0, c1, c3, c7, c15, c31, c63, c127
  }
}

extension BMP388Map.Rate {
  public var hertz: Scalar { 200 / Scalar(1 << Int(rawValue)) }

  /// The time between two samples in microseconds.
  @inline(__always)
  var period: Int { 5000 << Int(rawValue) }
}

extension BMP388Map.Filter {
  public var coefficient: Int { 1 << Int(rawValue) - 1 }

  /// The 3 dB bandwidth of the recursive filter y += (x - y) / (coefficient + 1), as a fraction of
  /// the sampling rate. Without the filter the bandwidth is half of the rate.
  public var relativeBandwidth: Scalar {
    let widths: InlineArray<8, Scalar> = [
      0.5, 0.115, 0.0461, 0.0213, 0.0103, 0.00505, 0.00251, 0.00125,
    ]
    return widths[Int(rawValue)]
  }
}
