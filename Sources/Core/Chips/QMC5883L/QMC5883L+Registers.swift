// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the QMC5883L (QST's data sheet 1.0, section 9).
public struct QMC5883LMap: RegisterMap {
  public let out = RO.axisWords(0x00, .lowFirst)
  public let status = RO(0x06, (skipped: Bit(2), overflow: Bit(1), dataReady: Bit(0)))
  // The temperature has 100 counts per degree Celsius and an uncalibrated offset (section 9.2.3).
  public let temperature = RO.words(0x07, .lowFirst, reset: nil)
  public let control1 = RW(
    0x09,
    (
      oversampling: Bits<Oversampling>(6...7), fullScale: Bits<FullScale>(4...5),
      rate: Bits<Rate>(2...3), mode: Bits<Mode>(0...1)
    ))
  public let control2 = RW(0x0A, (softReset: Bit(7), rollOver: Bit(6), pinDisable: Bit(0)))
  public let setResetPeriod = RW(0x0B, reset: nil)
  public let chipID = RO(0x0D, reset: 0xFF)
  public init() {}
}

// The register codes of the chip's settings, from table 18.
extension QMC5883LMap {
  /// The number of averaged samples. More samples give less noise and need more current.
  public enum Oversampling: UInt8, FieldValue, CaseIterable {
    case samples512 = 0, samples256, samples128, samples64
  }

  public enum FullScale: UInt8, FieldValue, CaseIterable { case gauss2 = 0, gauss8 }

  public enum Rate: UInt8, FieldValue, CaseIterable { case hz10 = 0, hz50, hz100, hz200 }

  public enum Mode: UInt8, FieldValue, CaseIterable { case standby = 0, continuous }
}

extension QMC5883LMap.Rate {
  public var hertz: Scalar {
    switch self {
    case .hz10: 10
    case .hz50: 50
    case .hz100: 100
    case .hz200: 200
    }
  }
}

extension QMC5883LMap.FullScale {
  /// The full scale in microtesla; 1 gauss is 100 microtesla.
  public var microtesla: Scalar { self == .gauss2 ? 200 : 800 }

  /// The sensitivity in counts per microtesla: 12000 and 3000 counts per gauss (table 2).
  public var countsPerMicrotesla: Scalar { self == .gauss2 ? 120 : 30 }
}
