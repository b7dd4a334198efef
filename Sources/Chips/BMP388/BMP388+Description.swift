// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The one row of the family: what a driver needs to know of a BMP388 and of a BMP390 is the same.
public enum BMP388Part: ChipPart {
  case bmp388

  /// Creates the row of an identity; `nil` for a chip of another family.
  public init?(identity: UInt8) {
    guard identity == 0x50 || identity == 0x60 else { return nil }
    self = .bmp388
  }

  public static var expected: BMP388Part { .bmp388 }
}

/// Facts of the family without a part at hand.
extension BMP388Chip {
  /// A byte comes before those that an SPI read asks for; several writes in one transfer are pairs
  /// of address and value (section 5).
  public static var wireFormat: WireFormat { WireFormat(spiDummyBytes: 1, writesPairs: true) }

  /// A frame out of the registers: pressure and temperature, 3 bytes each, low bytes first.
  public static var frameSize: Int { 6 }

  /// A frame of the queue: its header, temperature and pressure.
  public static var queueFrameSize: Int { 7 }
  static var queueHeader: UInt8 { 0x94 }
  static var queueSize: Int { 512 }
  /// The most frames that are waited for: three more find room.
  static var longestBatch: Int { 70 }

  /// Trim words, 0x31 to 0x45: the format of a batch, so that it decodes without its chip.
  static var trimSize: Int { 21 }

  /// Returns the output data rates in Hz, fastest first.
  public static func rate(at index: Int) -> Scalar? {
    (0...17).contains(index) ? BMP388Map.Rate(rawValue: UInt8(index))?.hertz : nil
  }

  /// Returns the time of one conversion of both, in microseconds (section 3.9.2).
  @inline(__always)
  public static func conversion(
    _ temperature: BMP388Map.Oversampling, _ pressure: BMP388Map.Oversampling
  ) -> Int {
    234 + 392 + 163 + 2020 << Int(pressure.rawValue) + 2020 << Int(temperature.rawValue)
  }
}
