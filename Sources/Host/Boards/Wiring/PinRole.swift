// SPDX-License-Identifier: Apache-2.0
public import ChipCatalog

/// The role of a module's pin, which follows from its printed label.
public enum PinRole: Sendable, Equatable {
  case supply
  /// A supply input that is labelled 3.3 V.
  case supply3V3
  /// An output of the module's voltage regulator.
  case output
  case ground
  case i2cClock
  case i2cData
  case spiClock
  /// The data input of the chip: MOSI.
  case spiInput
  /// The data output of the chip: MISO.
  case spiOutput
  case chipSelect
  /// Interrupt pin 1 or 2 of the chip.
  case interrupt(Int)
  /// An input that selects an address or a mode: high, low or open.
  case strap
  case other

  /// The labels that manufacturers print, with their meaning on each bus. Modules for both buses
  /// are printed with the labels for I2C; the manufacturers' pages give the meaning of the labels
  /// on SPI.
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

  /// Creates the role of a pin with the label `name` on a module for a bus of kind `wire`.
  public init(_ name: String, on wire: Wire) {
    let word = name.uppercased()
    let row = Self.words.first { $0.names.contains(word) }
    self = row.map { wire == .i2c ? $0.i2c : $0.spi } ?? .other
  }

  /// True if the pins of several modules may be connected to one header pin, as for the signals of
  /// a bus.
  package var isBus: Bool {
    switch self {
    case .i2cClock, .i2cData, .spiClock, .spiInput, .spiOutput: true
    default: false
    }
  }

  package var isInterrupt: Bool { if case .interrupt = self { true } else { false } }
}
