// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the BMP388 (Bosch BST-BMP388-DS001 revision 1, section 4; Bosch's
/// BMP3_SensorAPI beside it).
public struct BMP388Map: RegisterMap {
  public let chipID = Register(0x00, RO.self, reset: 0x50)
  public let error = Register(
    0x02, RO.self, reset: 0x00, effect: .clears,
    (configuration: Bit(2), command: Bit(1), fatal: Bit(0)))
  public let status = Register(
    0x03, RO.self, reset: 0x10,
    (temperatureReady: Bit(6), pressureReady: Bit(5), commandReady: Bit(4)))
  public let pressureLowest = Register(0x04, RO.self, reset: 0x00)
  public let pressureLow = Register(0x05, RO.self, reset: 0x00)
  public let pressureHigh = Register(0x06, RO.self, reset: 0x80)
  public let temperatureLowest = Register(0x07, RO.self, reset: 0x00)
  public let temperatureLow = Register(0x08, RO.self, reset: 0x00)
  public let temperatureHigh = Register(0x09, RO.self, reset: 0x80)
  public let timeLowest = Register(0x0C, RO.self, reset: nil)
  public let timeLow = Register(0x0D, RO.self, reset: nil)
  public let timeHigh = Register(0x0E, RO.self, reset: nil)
  public let event = Register(0x10, RO.self, reset: 0x01, effect: .clears, Event())
  public let interruptStatus = Register(
    0x11, RO.self, reset: 0x00, effect: .clears,
    (dataReady: Bit(3), queueFull: Bit(1), watermark: Bit(0)))
  public let queueLengthLow = Register(0x12, RO.self, reset: 0x00)
  public let queueLengthHigh = Register(0x13, RO.self, reset: 0x00, NinthBit())
  public let queueData = Register(0x14, RO.self, reset: nil, effect: .popsQueue)
  public let watermarkLow = Register(0x15, RW.self, reset: 0x01)
  public let watermarkHigh = Register(0x16, RW.self, reset: 0x00, NinthBit())
  public let queueConfig1 = Register(
    0x17, RW.self, reset: 0x02,
    (temperature: Bit(4), pressure: Bit(3), time: Bit(2), stopsWhenFull: Bit(1), enable: Bit(0)))
  public let queueConfig2 = Register(
    0x18, RW.self, reset: 0x02, (source: Bits<QueueSource>(3...4), subsampling: Bits<UInt8>(0...2)))
  public let interruptControl = Register(
    0x19, RW.self, reset: 0x02,
    (
      dataReady: Bit(6), queueFull: Bit(4), watermark: Bit(3), latched: Bit(2), activeHigh: Bit(1),
      openDrain: Bit(0)
    ))
  public let interfaceConfig = Register(
    0x1A, RW.self, reset: 0x00,
    (longWatchdog: Bit(2), watchdogEnable: Bit(1), threeWireSPI: Bit(0)))
  public let powerControl = Register(
    0x1B, RW.self, reset: 0x00,
    (mode: Bits<Mode>(4...5), temperatureEnable: Bit(1), pressureEnable: Bit(0)))
  public let oversampling = Register(
    0x1C, RW.self, reset: 0x02,
    (temperature: Bits<Oversampling>(3...5), pressure: Bits<Oversampling>(0...2)))
  public let rate = Register(0x1D, RW.self, reset: 0x00, RateField())
  public let config = Register(0x1F, RW.self, reset: 0x00, FilterField())
  public let trimT1Low = Register(0x31, RO.self, reset: nil)
  public let trimT1High = Register(0x32, RO.self, reset: nil)
  public let trimT2Low = Register(0x33, RO.self, reset: nil)
  public let trimT2High = Register(0x34, RO.self, reset: nil)
  public let trimT3 = Register(0x35, RO.self, reset: nil)
  public let trimP1Low = Register(0x36, RO.self, reset: nil)
  public let trimP1High = Register(0x37, RO.self, reset: nil)
  public let trimP2Low = Register(0x38, RO.self, reset: nil)
  public let trimP2High = Register(0x39, RO.self, reset: nil)
  public let trimP3 = Register(0x3A, RO.self, reset: nil)
  public let trimP4 = Register(0x3B, RO.self, reset: nil)
  public let trimP5Low = Register(0x3C, RO.self, reset: nil)
  public let trimP5High = Register(0x3D, RO.self, reset: nil)
  public let trimP6Low = Register(0x3E, RO.self, reset: nil)
  public let trimP6High = Register(0x3F, RO.self, reset: nil)
  public let trimP7 = Register(0x40, RO.self, reset: nil)
  public let trimP8 = Register(0x41, RO.self, reset: nil)
  public let trimP9Low = Register(0x42, RO.self, reset: nil)
  public let trimP9High = Register(0x43, RO.self, reset: nil)
  public let trimP10 = Register(0x44, RO.self, reset: nil)
  public let trimP11 = Register(0x45, RO.self, reset: nil)
  public let command = Register(0x7E, WO.self, reset: 0x00)
  public init() {}

  /// The commands of `command`.
  public static var softReset: UInt8 { 0xB6 }
  public static var flushQueue: UInt8 { 0xB0 }
}

/// The registers of the BMP390 (Bosch BST-BMP390-DS002 revision 1.7, section 4): what is not the
/// BMP388's.
public struct BMP390Map: DerivedMap {
  public typealias Base = BMP388Map

  public let chipID = Register(0x00, RO.self, reset: 0x60)
  public let revision = Register(0x01, RO.self, reset: 0x01)
  public init() {}
}

extension BMP388Map {
  public struct Event: Sendable {
    public let poweredUp = Bit(0)
  }

  public struct NinthBit: Sendable {
    public let value = Bits<UInt8>(0...0)
  }

  public struct RateField: Sendable {
    public let rate = Bits<Rate>(0...4)
  }

  public struct FilterField: Sendable {
    public let filter = Bits<Filter>(1...3)
  }

  /// Code 2 is forced mode as well.
  public enum Mode: UInt8, FieldValue, CaseIterable {
    case sleep = 0, forced, forcedCode2, normal
  }

  public enum QueueSource: UInt8, FieldValue, CaseIterable {
    case unfiltered = 0, filtered
  }

  /// Conversions that are averaged into one.
  public enum Oversampling: UInt8, FieldValue, CaseIterable {
    case x1 = 0, x2, x4, x8, x16, x32
  }

  /// Samples per second: 200, halved at each code, by the names that Bosch gives them.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz200 = 0, hz100, hz50, hz25, hz12_5, hz6_25, hz3_1, hz1_5, hz0_78, hz0_39, hz0_2, hz0_1
    case hz0_05, hz0_02, hz0_01, hz0_006, hz0_003, hz0_0015
  }

  /// The coefficient of the recursive filter.
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

  /// The rate at which y += (x - y) / (coefficient + 1) falls to -3 dB, as a part of the sampling
  /// rate; unfiltered, half of it.
  public var relativeBandwidth: Scalar {
    let widths: InlineArray<8, Scalar> = [
      0.5, 0.115, 0.0461, 0.0213, 0.0103, 0.00505, 0.00251, 0.00125,
    ]
    return widths[Int(rawValue)]
  }
}
