// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The rows of the family. None stands in for the other: registers and wire formats differ.
public enum LPS2xPart: UInt8, CaseIterable, ChipPart {
  case lps25h = 0xBD
  case lps22hb = 0xB1

  public init?(identity: UInt8) { nil }

  public func says(_ identity: UInt8) -> Bool { identity == rawValue }

  public static var expected: LPS2xPart { .lps22hb }

  /// Returns the samples per second of the rate field's code; `nil` past the last.
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

  /// The code of the fastest rate.
  var fastest: UInt8 { self == .lps25h ? 4 : 5 }

  /// The part's wire format. Of the LPS25H bit 7 of the sub-address advances an I2C burst and bit 6
  /// of the command an SPI burst (DocID023722, section 5.1); the LPS22HB advances by itself
  /// (IF_ADD_INC).
  public var wireFormat: WireFormat {
    self == .lps25h ? WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40) : WireFormat()
  }

  /// Counts a degree, and the temperature at 0 (DocID023722, 8.17; DocID027083, 9.19).
  public var countsPerDegree: Scalar { self == .lps25h ? 480 : 100 }
  public var zeroCountsDegrees: Scalar { self == .lps25h ? 42.5 : 0 }
}

/// Facts of the family without a part at hand.
extension LPS2xChip {
  /// 4096 counts a hectopascal.
  public static var countsPerKilopascal: Scalar { 40_960 }

  /// A frame: pressure (3 bytes) and temperature (2), low bytes first.
  public static var frameSize: Int { 5 }

  /// Returns the output data rates in Hz, fastest first.
  public static func rate(at index: Int, of part: LPS2xPart) -> Scalar? {
    index < 0 || index >= Int(part.fastest) ? nil : part.hertz(part.fastest - UInt8(index))
  }
}
