// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the QMC5883P (QST's data sheet 13-52-19 revision C, section 9). The addresses
/// and codes are also in Adafruit's and INAV's drivers.
public struct QMC5883PMap: RegisterMap {
  public let chipID = RO(0x00, reset: 0x80)
  public let out = RO.axisWords(0x01, .lowFirst)
  // A read of the status clears both flags, but a read of the outputs does not clear them (section
  // 9.2.2).
  public let status = RO(0x09, effect: .clears, (overflow: Bit(1), dataReady: Bit(0)))
  public let control1 = RW(
    0x0A,
    (
      downsampling: Bits<Downsampling>(6...7), oversampling: Bits<Oversampling>(4...5),
      rate: Bits<Rate>(2...3), mode: Bits<Mode>(0...1)
    ))
  public let control2 = RW(
    0x0B,
    (softReset: Bit(7), selfTest: Bit(6), fullScale: Bits<FullScale>(2...3), setReset: Bits(0...1)))
  // The register for the signs of the axes. Only the examples in section 7 of the data sheet use
  // this register; it is not in the table of registers.
  public let axisSigns = RW(0x29, reset: nil)
  public init() {}
}

// The register codes from tables 17 and 18.
extension QMC5883PMap {
  /// The ratio of the filter that follows the averaging (OSR2). A higher ratio gives less noise.
  public enum Downsampling: UInt8, FieldValue, CaseIterable {
    case samples1 = 0, samples2, samples4, samples8
  }

  /// The number of averaged samples (OSR1). More samples give less noise and need more current.
  public enum Oversampling: UInt8, FieldValue, CaseIterable {
    case samples8 = 0, samples4, samples2, samples1
  }

  public enum Rate: UInt8, FieldValue, CaseIterable { case hz10 = 0, hz50, hz100, hz200 }

  public enum FullScale: UInt8, FieldValue, CaseIterable {
    case gauss30 = 0, gauss12, gauss8, gauss2
  }

  /// The operating modes. Normal mode samples at the rate of `Rate`; continuous mode ignores that
  /// rate and samples without a pause.
  public enum Mode: UInt8, FieldValue, CaseIterable {
    case suspend = 0, normal, single, continuous
  }
}

extension QMC5883PMap.Rate {
  public var hertz: Scalar {
    switch self {
    case .hz10: 10
    case .hz50: 50
    case .hz100: 100
    case .hz200: 200
    }
  }
}

extension QMC5883PMap.FullScale {
  /// The full scale in microtesla; 1 gauss is 100 microtesla.
  public var microtesla: Scalar {
    switch self {
    case .gauss30: 3000
    case .gauss12: 1200
    case .gauss8: 800
    case .gauss2: 200
    }
  }

  /// The sensitivity in counts per microtesla: 30000 counts at full scale (table 2).
  public var countsPerMicrotesla: Scalar { 30000 / microtesla }
}
