// SPDX-License-Identifier: Apache-2.0
public import ChipCatalog

/// The wiring of the pins of a board's modules to those of the computer's header.
public struct BoardWiring: Sendable, Equatable {
  /// In the order of the file.
  public var modules: [WiredModule]
  public var position: SourcePosition

  public init(modules: [WiredModule], position: SourcePosition = .start) {
    self.modules = modules
    self.position = position
  }
}

/// A small board with chips on it and a row of pins.
public struct WiredModule: Sendable, Equatable {
  public var name: String
  /// The name that is printed on it, or that shops use.
  public var title: String
  /// Its chips, by their names in the board file.
  public var chips: [String]
  /// The kind of bus that it is wired for.
  public var wire: Wire
  /// In the order in which they are printed.
  public var pins: [WiredPin]
  /// True where the module's lines stay at 3.3 V with 5 V at its supply.
  public var bears5V: Bool
  /// True where it sits on the header as a whole instead of on wires.
  public var isHAT: Bool
  public var position: SourcePosition

  public init(
    name: String, title: String, chips: [String], wire: Wire, pins: [WiredPin],
    bears5V: Bool = false, isHAT: Bool = false, position: SourcePosition = .start
  ) {
    self.name = name
    self.title = title
    self.chips = chips
    self.wire = wire
    self.pins = pins
    self.bears5V = bears5V
    self.isHAT = isHAT
    self.position = position
  }

  /// Returns the role of `pin`.
  public func role(of pin: WiredPin) -> PinRole { PinRole(pin.name, on: wire) }
}

/// A pin of a module and where it goes.
public struct WiredPin: Sendable, Equatable {
  /// As it is printed.
  public var name: String
  /// The number of the header's pin; `nil`: it stays open.
  public var header: Int?
  /// True where everything works without this wire as well.
  public var isOptional: Bool
  /// A remark on the wire, for the reader.
  public var remark: String?
  public var position: SourcePosition

  public init(
    _ name: String, _ header: Int?, isOptional: Bool = false, remark: String? = nil,
    position: SourcePosition = .start
  ) {
    self.name = name
    self.header = header
    self.isOptional = isOptional
    self.remark = remark
    self.position = position
  }
}
