// SPDX-License-Identifier: Apache-2.0
public import ChipCatalog

/// The role of a module's pin, as far as the word printed beside it tells.
public enum PinRole: Sendable, Equatable {
  case supply
  /// A supply that is 3.3 V by its own name.
  case supply3V3
  /// A supply from the module's own regulator, for others.
  case output
  case ground
  case i2cClock
  case i2cData
  case spiClock
  /// Into the chip: MOSI.
  case spiInput
  /// Out of the chip: MISO.
  case spiOutput
  case chipSelect
  /// The chip's pin 1 or 2.
  case interrupt(Int)
  /// Selects an address or a mode: high, low or open.
  case strap
  case other

  /// The words that makers print, and what they mean on either bus. Modules made for both print
  /// those of I2C, and the makers' pages say which is which on SPI.
  private static let words: [(names: [String], i2c: PinRole, spi: PinRole)] = [
    (["VCC", "VCC_IN", "VIN", "VDD", "V+"], .supply, .supply),
    (["3V3", "3.3V", "3V"], .supply3V3, .supply3V3),
    (["3VO", "VOUT"], .output, .output),
    (["GND", "G"], .ground, .ground),
    (["SCL", "SCK", "SCLK", "SPC", "SCX"], .i2cClock, .spiClock),
    (["SDA", "SDI", "MOSI", "SDX"], .i2cData, .spiInput),
    (["SDO", "MISO", "AD0", "SA0", "SA1", "SAO", "ADO"], .strap, .spiOutput),
    (["CS", "NCS", "CSB", "CE", "SS"], .strap, .chipSelect),
    (["INT", "INT1", "INTA", "DRDY", "RDY"], .interrupt(1), .interrupt(1)),
    (["INT2"], .interrupt(2), .interrupt(2)),
  ]

  /// The role of the pin called `name` on a module whose chips are on a bus of kind `wire`.
  public init(_ name: String, on wire: Wire) {
    let word = name.uppercased()
    let row = Self.words.first { $0.names.contains(word) }
    self = row.map { wire == .i2c ? $0.i2c : $0.spi } ?? .other
  }

  /// True where modules may share a pin of the header for it: the wires of a bus.
  package var isBus: Bool {
    switch self {
    case .i2cClock, .i2cData, .spiClock, .spiInput, .spiOutput: true
    default: false
    }
  }

  package var isInterrupt: Bool { if case .interrupt = self { true } else { false } }
}
