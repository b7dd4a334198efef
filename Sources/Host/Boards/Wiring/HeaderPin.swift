// SPDX-License-Identifier: Apache-2.0
internal import Text

/// A pin of a Raspberry Pi's 40-pin header.
public struct HeaderPin: Sendable, Equatable {
  /// The kind of a pin.
  public enum Kind: Sendable, Equatable {
    case volts3
    case volts5
    case ground
    /// A line of the processor, which tolerates at most 3.3 V.
    case line
  }

  /// The number of the pin, 1...40. Odd numbers are in the row farther from the edge of the
  /// computer's board.
  public var number: Int
  /// The name of the header pin: `3V3`, `5V`, `GND`, or the kernel's name of the line, such as
  /// `GPIO2`.
  public var name: String
  public var kind: Kind
  /// The line's function on a bus that the firmware can enable at this pin, such as `SDA1` or `SPI0
  /// MOSI`.
  public var function: String?

  init(_ number: Int, _ name: String, _ kind: Kind = .line, _ function: String? = nil) {
    self.number = number
    self.name = name
    self.kind = kind
    self.function = function
  }

  /// The display name of the header pin, such as `GPIO2 (SDA1)`.
  public var title: String { function.map { "\(name) (\($0))" } ?? name }
}

/// The header of every Raspberry Pi since the Model B+ of 2014, including the Zero.
///
/// Source: Raspberry Pi Documentation, "Raspberry Pi hardware", section "GPIO". The functions are
/// from the lists of SPI and I2C pins in that section, and from the overlays spi1-3cs and i2c-arm.
public enum RaspberryPiHeader {
  /// The header's pins, in the order of their numbers.
  public static let pins: [HeaderPin] = [
    HeaderPin(1, "3V3", .volts3), HeaderPin(2, "5V", .volts5),
    HeaderPin(3, "GPIO2", .line, "SDA1"), HeaderPin(4, "5V", .volts5),
    HeaderPin(5, "GPIO3", .line, "SCL1"), HeaderPin(6, "GND", .ground),
    HeaderPin(7, "GPIO4"), HeaderPin(8, "GPIO14", .line, "TXD"),
    HeaderPin(9, "GND", .ground), HeaderPin(10, "GPIO15", .line, "RXD"),
    HeaderPin(11, "GPIO17", .line, "SPI1 CE1"), HeaderPin(12, "GPIO18", .line, "SPI1 CE0"),
    HeaderPin(13, "GPIO27"), HeaderPin(14, "GND", .ground),
    HeaderPin(15, "GPIO22"), HeaderPin(16, "GPIO23"),
    HeaderPin(17, "3V3", .volts3), HeaderPin(18, "GPIO24"),
    HeaderPin(19, "GPIO10", .line, "SPI0 MOSI"), HeaderPin(20, "GND", .ground),
    HeaderPin(21, "GPIO9", .line, "SPI0 MISO"), HeaderPin(22, "GPIO25"),
    HeaderPin(23, "GPIO11", .line, "SPI0 SCLK"), HeaderPin(24, "GPIO8", .line, "SPI0 CE0"),
    HeaderPin(25, "GND", .ground), HeaderPin(26, "GPIO7", .line, "SPI0 CE1"),
    HeaderPin(27, "GPIO0", .line, "SDA0"), HeaderPin(28, "GPIO1", .line, "SCL0"),
    HeaderPin(29, "GPIO5"), HeaderPin(30, "GND", .ground),
    HeaderPin(31, "GPIO6"), HeaderPin(32, "GPIO12"),
    HeaderPin(33, "GPIO13"), HeaderPin(34, "GND", .ground),
    HeaderPin(35, "GPIO19", .line, "SPI1 MISO"), HeaderPin(36, "GPIO16", .line, "SPI1 CE2"),
    HeaderPin(37, "GPIO26"), HeaderPin(38, "GPIO20", .line, "SPI1 MOSI"),
    HeaderPin(39, "GND", .ground), HeaderPin(40, "GPIO21", .line, "SPI1 SCLK"),
  ]

  /// Returns the pin with this number; `nil` outside 1...40.
  public static func pin(_ number: Int) -> HeaderPin? {
    pins.indices.contains(number - 1) ? pins[number - 1] : nil
  }

  /// Returns the pin of a line, such as pin 7 for `GPIO4`.
  public static func pin(named line: String) -> HeaderPin? {
    pins.first { $0.kind == .line && $0.name == line }
  }

  /// Returns the pin with a bus function, such as pin 3 for `SDA1`.
  package static func pin(for function: String) -> HeaderPin? {
    pins.first { $0.function == function }
  }

  /// Returns the numbers of all header pins of a kind as words, such as `1 or 17`.
  package static func numbers(_ kind: HeaderPin.Kind) -> String {
    NearestWord.list(pins.filter { $0.kind == kind }.map { "\($0.number)" })
  }
}
