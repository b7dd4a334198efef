// SPDX-License-Identifier: Apache-2.0
public import ChipCatalog

/// The role of a module's pin, according to its printed label.
public enum PinRole: Sendable, Equatable {
  case supply
  /// A supply labelled as 3.3 V.
  case supply3V3
  /// The output of the module's regulator.
  case output
  case ground
  case i2cClock
  case i2cData
  case spiClock
  /// Data into the chip: MOSI.
  case spiInput
  /// Data out of the chip: MISO.
  case spiOutput
  case chipSelect
  /// Interrupt pin 1 or 2 of the chip.
  case interrupt(Int)
  /// An input for an address or mode: high, low or open.
  case strap
  case other

  /// The labels that manufacturers print, and their meaning on each bus. Modules for both buses
  /// have I2C labels; the manufacturers' pages give their meaning on SPI.
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

  /// Creates the role of the pin called `name` on a module that uses a bus of kind `wire`.
  public init(_ name: String, on wire: Wire) {
    let word = name.uppercased()
    let row = Self.words.first { $0.names.contains(word) }
    self = row.map { wire == .i2c ? $0.i2c : $0.spi } ?? .other
  }

  /// True if modules may share a header pin for it: bus signals.
  package var isBus: Bool {
    switch self {
    case .i2cClock, .i2cData, .spiClock, .spiInput, .spiOutput: true
    default: false
    }
  }

  package var isInterrupt: Bool { if case .interrupt = self { true } else { false } }
}
