// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the driver's settings. `LPS2x.configure` finds the codes for physical
/// settings. Firmware with fixed settings specifies the codes directly, so that the search is not
/// linked into it.
public struct LPS2xConfiguration: ListedCodes {
  public var part = LPS2xPart.lps22hb
  /// The code of the output data rate: ODR of CTRL_REG1. Code 0, which selects single conversions,
  /// is not allowed.
  public var rate: UInt8 = 5
  /// The LPS22HB's low-pass filter for pressure: EN_LPFP and LPFP_CFG.
  public var filter = LPS22HBMap.Filter.half
  /// The readout mode. In low power the LPS25H averages 8 conversions, instead of 512 for pressure
  /// and 64 for temperature, and the LPS22HB has LC_EN set. The driver then verifies the chip less
  /// often.
  public var readout = ReadoutMode.polling

  public init() {}

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    rate > 0 && (acquisition == .dataReady || acquisition == .polling) && interruptPin.number == 1
  }

  public func makeClock() -> SampleClock { SampleClock(rate: hertz, tolerance: 0.1) }

  var hertz: Scalar { part.hertz(rate) ?? 1 }

  public static func limits(of part: LPS2xPart, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: part.hertz(part.fastest) ?? 1, pins: 1, ways: [.dataReady, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    // Choose the slowest output rate that is not below the requested rate.
    rate = 1
    while rate < part.fastest, hertz < settings.rate * 0.999 { rate += 1 }
    settings.rate = hertz
    // Choose the widest low-pass filter whose bandwidth does not exceed the requested bandwidth.
    if part == .lps22hb, let bandwidth = settings.bandwidth {
      if filter.relativeBandwidth * hertz > bandwidth * 1.001 { filter = .ninth }
      if filter.relativeBandwidth * hertz > bandwidth * 1.001 { filter = .twentieth }
    }
    settings.bandwidth = filter.relativeBandwidth * hertz
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts conversions. Block update ensures that the bytes of a word come from one
  /// sample.
  public func row(_ index: Int) -> RegisterValue? {
    let isLow = power == .low
    let isReady = acquisition == .dataReady
    if part == .lps25h {
      let map = LPS25HMap()
      return switch index {
      case 0:
        RegisterValue(map.resolution) {
          $0.temperatureAverage(isLow ? 0 : 3) | $0.pressureAverage(isLow ? 0 : 3)
        }
      case 1:
        RegisterValue(map.control3) {
          $0.activeLow(interruptPin.isActiveLow) | $0.openDrain(interruptPin.isOpenDrain)
        }
      case 2: RegisterValue(map.control4) { $0.dataReady(isReady) }
      case 3:
        RegisterValue(map.control1) {
          $0.isActive(true) | $0.rate(LPS25HMap.Rate(rawValue: rate) ?? .hz1) | $0.blockUpdate(true)
        }
      default: nil
      }
    }
    let map = LPS22HBMap()
    return switch index {
    case 0: RegisterValue(map.resolution) { $0.lowCurrent(isLow) }
    case 1: RegisterValue(map.control2) { $0.addressIncrement(true) }
    case 2:
      RegisterValue(map.control3) {
        $0.activeLow(interruptPin.isActiveLow) | $0.openDrain(interruptPin.isOpenDrain)
          | $0.dataReady(isReady)
      }
    case 3:
      RegisterValue(map.control1) {
        $0.rate(LPS22HBMap.Rate(rawValue: rate) ?? .hz1) | $0.filter(filter) | $0.blockUpdate(true)
      }
    default: nil
    }
  }
}

/// The parts of the family. One part cannot replace the other, because their registers and transfer
/// formats differ.
public enum LPS2xPart: UInt8, CaseIterable, ChipPart {
  case lps25h = 0xBD
  case lps22hb = 0xB1

  public init?(identity: UInt8) { nil }

  public func says(_ identity: UInt8) -> Bool { identity == rawValue }

  public static var expected: LPS2xPart { .lps22hb }

  /// Returns the output rate in Hz for a code of the rate field; `nil` after the last code.
  func hertz(_ code: UInt8) -> Scalar? {
    switch (self, code) {
    case (_, 1): 1
    case (.lps25h, 2): 7
    case (.lps25h, 3): 12.5
    case (.lps25h, 4): 25
    case (.lps22hb, 2): 10
    case (.lps22hb, 3): 25
    case (.lps22hb, 4): 50
    case (.lps22hb, 5): 75
    default: nil
    }
  }

  /// The code of the part's fastest output rate.
  var fastest: UInt8 { self == .lps25h ? 4 : 5 }

  /// The part's transfer format. On the LPS25H bit 7 of the sub-address enables the address
  /// increment in an I2C burst; in an SPI burst bit 6 of the command enables it (DocID023722,
  /// section 5.1). The LPS22HB increments addresses automatically (IF_ADD_INC).
  public var wireFormat: WireFormat {
    self == .lps25h ? WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40) : WireFormat()
  }

  /// The counts per degree Celsius, and the temperature in degrees Celsius at 0 counts
  /// (DocID023722, 8.17; DocID027083, 9.19).
  public var countsPerDegree: Scalar { self == .lps25h ? 480 : 100 }
  public var zeroCountsDegrees: Scalar { self == .lps25h ? 42.5 : 0 }
}

/// Constants for the family that do not depend on a driver's state.
extension LPS2xChip {
  /// The barometer's counts per kilopascal; the data sheets give 4096 per hectopascal.
  public static var countsPerKilopascal: Scalar { 40_960 }

  /// The size of a frame in bytes: pressure (3) and temperature (2), low byte first.
  public static var frameSize: Int { 5 }

  /// Returns the output data rates in Hz, fastest first.
  public static func rate(at index: Int, of part: LPS2xPart) -> Scalar? {
    index < 0 || index >= Int(part.fastest) ? nil : part.hertz(part.fastest - UInt8(index))
  }
}
