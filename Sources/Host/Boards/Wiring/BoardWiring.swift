// SPDX-License-Identifier: Apache-2.0
public import ChipCatalog

/// The wires between the pins of a board's modules and the computer's header.
public struct BoardWiring: Sendable, Equatable {
  /// The wired modules, in the order of the file.
  public var modules: [WiredModule]
  public var position: SourcePosition

  public init(modules: [WiredModule], position: SourcePosition = .start) {
    self.modules = modules
    self.position = position
  }
}

/// A breakout board with chips and a row of pins.
public struct WiredModule: Sendable, Equatable {
  public var name: String
  /// The name that is printed on the module, or used in shops.
  public var title: String
  /// The chips on the module, by their names in the board file.
  public var chips: [String]
  /// The kind of bus for which the module is wired.
  public var wire: Wire
  /// The module's pins, in the order in which they are printed.
  public var pins: [WiredPin]
  /// True if the module's signals stay at 3.3 V when its supply is 5 V.
  public var bears5V: Bool
  /// True if the module plugs onto the whole header instead of being wired.
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

/// A pin of a module, and what it is connected to.
public struct WiredPin: Sendable, Equatable {
  /// The name that is printed at the pin.
  public var name: String
  /// The number of the header pin; `nil` if the pin is open.
  public var header: Int?
  /// True if the module also works without this wire.
  public var isOptional: Bool
  /// A remark on the wire for users.
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
