// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the BMP581 (Bosch BST-BMP581-DS004 revision 1.2, section 7). Addresses, fields
/// and codes are also in Bosch's BMP5_SensorAPI, and reset values in the embedded-devices crate for
/// the BMP585.
public struct BMP581Map: RegisterMap {
  public let chipID = RO(0x01, reset: 0x50)
  public let revision = RO(0x02, reset: 0x32)
  public let interfaceStatus = RO(
    0x11, reset: nil, effect: .clears,
    (busConditionError: Bit(3), parityError: Bit(2), hostInterface: Bits(0...1)))
  public let hostInterface = RW(0x13, reset: nil, (threeWireSPI: Bit(1), selectPullUp: Bit(0)))
  public let interruptConfig = RW(
    0x14, reset: 0x35,
    (
      drive: Bits(4...7), enable: Bit(3), openDrain: Bit(2), activeHigh: Bit(1), latched: Bit(0)
    ))
  public let interruptSource = RW(
    0x15, (outOfRange: Bit(3), watermark: Bit(2), queueFull: Bit(1), dataReady: Bit(0)))
  public let queueConfig = RW(0x16, (stopsWhenFull: Bit(5), watermark: Bits(0...4)))
  public let queueCount = RO(0x17, Bits(0...5))
  public let queueSelection = RW(
    0x18, (subsampling: Bits(2...4), pressure: Bit(1), temperature: Bit(0)))
  public let temperatureLowest = RO(0x1D, reset: 0x7F)
  public let temperatureLow = RO(0x1E, reset: 0x7F)
  public let temperatureHigh = RO(0x1F, reset: 0x7F)
  public let pressureLowest = RO(0x20, reset: 0x7F)
  public let pressureLow = RO(0x21, reset: 0x7F)
  public let pressureHigh = RO(0x22, reset: 0x7F)
  public let interruptStatus = RO(
    0x27, reset: 0x10, effect: .clears,
    (
      powerOnReset: Bit(4), outOfRange: Bit(3), watermark: Bit(2), queueFull: Bit(1),
      dataReady: Bit(0)
    ))
  public let status = RO(
    0x28, reset: 0x02, (memoryCommandError: Bit(3), memoryError: Bit(2), memoryReady: Bit(1)))
  public let queueData = RO(0x29, reset: 0x7F, effect: .popsQueue)
  public let memoryAddress = RW(0x2B, (program: Bit(6), row: Bits(0...5)))
  public let memoryData = RW.words(0x2C, .lowFirst)
  // The reset value of the signal paths is from the data sheet; no public driver contains this
  // value.
  public let signalPath = RW(
    0x30, reset: nil,
    (
      outOfRangePressure: Bit(7), queuePressure: Bit(6), outputPressure: Bit(5),
      queueTemperature: Bit(4), outputTemperature: Bit(3), flushWhenForced: Bit(2),
      compensation: Bits(0...1)
    ))
  public let filter = RW(
    0x31,
    (pressure: Bits<BMP388Map.Filter>(3...5), temperature: Bits<BMP388Map.Filter>(0...2)))
  public let threshold = RW.words(0x32, .lowFirst)
  public let thresholdRange = RW(0x34)
  public let thresholdConfig = RW(0x35, (count: Bits(6...7), thresholdHighest: Bit(0)))
  public let oversampling = RW(
    0x36,
    (
      pressureEnable: Bit(6), pressure: Bits<Oversampling>(3...5),
      temperature: Bits<Oversampling>(0...2)
    ))
  public let rate = RW(
    0x37, reset: 0x70,
    (deepStandbyDisable: Bit(7), rate: Bits<Rate>(2...6), mode: Bits<Mode>(0...1))
  )
  public let effective = RO(
    0x38, reset: nil,
    (
      isRateValid: Bit(7), pressure: Bits<Oversampling>(3...5),
      temperature: Bits<Oversampling>(0...2)
    ))
  public let command = WO(0x7E)
  public init() {}

  /// The value of `command` that resets the chip.
  public static var softReset: UInt8 { 0xB6 }
}

extension BMP581Map {
  /// The power modes of the barometer. In normal mode the chip samples at the rate in ODR_CONFIG,
  /// in forced mode once, in continuous mode without pauses.
  public enum Mode: UInt8, FieldValue, CaseIterable { case standby = 0, normal, forced, continuous }

  /// The number of averaged conversions of a quantity.
  public enum Oversampling: UInt8, FieldValue, CaseIterable {
    case x1 = 0, x2, x4, x8, x16, x32, x64, x128
  }

  /// The output data rates in normal mode.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz240 = 0, hz218_5, hz199_1, hz179_2, hz160, hz149_3, hz140, hz129_9, hz120, hz110_2
    case hz100_3, hz89_6, hz80, hz70, hz60, hz50_1, hz45, hz40, hz35, hz30, hz25, hz20, hz15, hz10
    case hz5, hz4, hz3, hz2, hz1, hz0_5, hz0_25, hz0_125
  }
}

extension BMP581Map.Rate {
  /// The rate in Hz (section 7.34; the embedded-devices crate has the same figures).
  public var hertz: Scalar {
    let rates: InlineArray<32, Scalar> = [
      240, 218.537, 199.111, 179.2, 160, 149.333, 140, 129.855, 120, 110.164, 100.299, 89.6, 80, 70,
      60, 50.056, 45.025, 40, 35, 30, 25.005, 20, 15, 10, 5, 4, 3, 2, 1, 0.5, 0.25, 0.125,
    ]
    return rates[Int(rawValue)]
  }
}

extension BMP581Map.Oversampling {
  /// The typical conversion times of pressure and temperature in microseconds (section 2, table 4;
  /// ESPHome's bmp581 component has the same figures).
  package var pressureTime: Int {
    let times: InlineArray<8, Int> = [1000, 1700, 2900, 5400, 10_400, 20_400, 40_400, 80_400]
    return times[Int(rawValue)]
  }

  package var temperatureTime: Int {
    let times: InlineArray<8, Int> = [1000, 1100, 1500, 2100, 3300, 5800, 10_800, 20_800]
    return times[Int(rawValue)]
  }
}
