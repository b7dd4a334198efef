// SPDX-License-Identifier: Apache-2.0
internal import Sensors

/// The trim words of one part and the compensation formulas that use them (BMP280 data sheet,
/// sections 3.11 and 3.12; BME280 data sheet, section 4.2). The formulas use 64-bit integers and
/// shifts, as Linux does; Bosch's code divides instead, and differs by up to 18/256 Pa. Arbitrary
/// words and codes never trap, because transfers may corrupt them.
public struct BMP280Trim: Equatable, Sendable {
  public var t1: UInt16 = 0
  public var t2: Int16 = 0
  public var t3: Int16 = 0
  public var p1: UInt16 = 0
  public var p2: Int16 = 0
  public var p3: Int16 = 0
  public var p4: Int16 = 0
  public var p5: Int16 = 0
  public var p6: Int16 = 0
  public var p7: Int16 = 0
  public var p8: Int16 = 0
  public var p9: Int16 = 0
  public var h1: UInt8 = 0
  public var h2: Int16 = 0
  public var h3: UInt8 = 0
  /// A signed 12-bit word.
  public var h4: Int16 = 0
  /// A signed 12-bit word.
  public var h5: Int16 = 0
  public var h6: Int8 = 0

  public init() {}

  /// Decodes the 32 bytes of trim words in a batch's format: registers 0x88 to 0x9F, 0xA1, 0xE1 to
  /// 0xE7.
  init(_ batch: borrowing RawBatch) {
    let start = BMP280Chip.trimFormat
    func word(_ index: Int) -> UInt16 {
      UInt16(batch.format[start + 2 * index + 1]) << 8 | UInt16(batch.format[start + 2 * index])
    }
    func signed(_ index: Int) -> Int16 { Int16(bitPattern: word(index)) }
    func byte(_ index: Int) -> UInt8 { batch.format[start + index] }
    t1 = word(0)
    t2 = signed(1)
    t3 = signed(2)
    p1 = word(3)
    p2 = signed(4)
    p3 = signed(5)
    p4 = signed(6)
    p5 = signed(7)
    p6 = signed(8)
    p7 = signed(9)
    p8 = signed(10)
    p9 = signed(11)
    h1 = byte(24)
    h2 = Int16(bitPattern: UInt16(byte(26)) << 8 | UInt16(byte(25)))
    h3 = byte(27)
    let nibbles = byte(29)
    h4 = Int16(Int8(bitPattern: byte(28))) << 4 | Int16(nibbles & 0x0F)
    h5 = Int16(Int8(bitPattern: byte(30))) << 4 | Int16(nibbles >> 4)
    h6 = Int8(bitPattern: byte(31))
  }

  /// Returns the temperature in units of 1/5120 degrees Celsius, which the formulas for pressure
  /// and humidity need.
  public func fineTemperature(_ code: Int64) -> Int64 {
    let coarse = (code >> 3) - Int64(t1) << 1
    let offset = (code >> 4) - Int64(t1)
    return (coarse * Int64(t2)) >> 11 + (((offset * offset) >> 12) * Int64(t3)) >> 14
  }

  /// Returns the temperature in hundredths of a degree Celsius.
  public static func centidegrees(_ fine: Int64) -> Int64 { (fine * 5 + 128) >> 8 }

  /// Returns the pressure in units of 1/256 Pa; `nil` if the trim words would divide by zero.
  public func pressure(_ code: Int64, _ fine: Int64) -> Int64? {
    let a = fine - 128_000
    let square = a &* a
    let offset = square &* Int64(p6) &+ ((a &* Int64(p5)) << 17) &+ (Int64(p4) << 35)
    let slope = ((square &* Int64(p3)) >> 8) &+ ((a &* Int64(p2)) << 12)
    let divisor = (((1 << 47) &+ slope) &* Int64(p1)) >> 33
    guard divisor != 0 else { return nil }
    let dividend = (((1_048_576 - code) << 31) &- offset) &* 3125
    let (quotient, overflow) = dividend.dividedReportingOverflow(by: divisor)
    guard !overflow else { return nil }
    let scaled = quotient >> 13
    let quadratic = (Int64(p9) &* scaled &* scaled) >> 25
    let linear = (Int64(p8) &* quotient) >> 19
    return ((quotient &+ quadratic &+ linear) >> 8) &+ (Int64(p7) << 4)
  }

  /// Returns the humidity in units of 1/1024 percent, clamped to 0 to 100 percent.
  public func humidity(_ code: Int64, _ fine: Int64) -> Int64 {
    let a = fine - 76_800
    // The expression is split because the compiler takes long to check a long expression.
    let line: Int64 = (code << 14) &- (Int64(h4) << 20)
    let slope: Int64 = Int64(h5) &* a
    let raw: Int64 = (line &- slope &+ 16_384) >> 15
    let linear: Int64 = (a &* Int64(h6)) >> 10
    let square: Int64 = ((a &* Int64(h3)) >> 11) &+ 32_768
    let warmth: Int64 = (linear &* square) >> 10
    let gain: Int64 = ((warmth &+ 2_097_152) &* Int64(h2) &+ 8192) >> 14
    let product = raw &* gain
    let bend = (((product >> 15) &* (product >> 15)) >> 7) &* Int64(h1)
    return min(max(product &- (bend >> 4), 0), 419_430_400) >> 12
  }
}
