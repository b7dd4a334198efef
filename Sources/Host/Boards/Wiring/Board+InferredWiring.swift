// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog

extension Board {
  /// The wiring that follows from the buses and interrupt lines, for a board whose file has no
  /// wiring. The wiring has one module for each chip. `nil` if no bus has known pins.
  package var inferredWiring: BoardWiring? {
    let supplies = RaspberryPiHeader.pins.filter { $0.kind == .volts3 }.map(\.number)
    let grounds = RaspberryPiHeader.pins.filter { $0.kind == .ground }.map(\.number)
    var modules: [WiredModule] = []
    for chip in chips where chip.behind == nil {
      guard let bus = bus(chip.bus), let signals = Self.signals(bus) else { continue }
      let next = modules.count
      var pins = [
        WiredPin("VCC", supplies[next % supplies.count]),
        WiredPin("GND", grounds[next % grounds.count]),
      ]
      pins += signals
      if let interrupt = chip.interrupt, let line = interrupt.line.headerName,
        let pin = RaspberryPiHeader.pin(named: line)
      {
        pins.append(WiredPin(interrupt.pin == 2 ? "INT2" : "INT", pin.number))
      }
      let behind = chips.filter { $0.behind == chip.name }.map(\.name)
      modules.append(
        WiredModule(
          name: chip.name, title: chip.name, chips: [chip.name] + behind, wire: bus.wire,
          pins: pins))
    }
    return modules.isEmpty ? nil : BoardWiring(modules: modules)
  }

  /// Returns the pins of a bus; `nil` if one of them is unknown.
  private static func signals(_ bus: BusDescription) -> [WiredPin]? {
    let names =
      bus.wire == .i2c ? ["SCL", "SDA"] : ["SCK", "MOSI", "MISO", "CS"]
    var pins: [WiredPin] = []
    for name in names {
      guard let function = bus.headerFunction(of: PinRole(name, on: bus.wire)),
        let pin = RaspberryPiHeader.pin(for: function)
      else { return nil }
      pins.append(WiredPin(name, pin.number))
    }
    return pins
  }
}

extension BusDescription {
  /// Returns the name on the header of the bus's signal; `nil` if the name is unknown. Simulated
  /// buses have no such names, and neither have buses whose pins an overlay selects.
  func headerFunction(of role: PinRole) -> String? {
    guard let path else { return nil }
    switch wire {
    case .i2c:
      guard ["/dev/i2c-0", "/dev/i2c-1"].contains(path), let number = path.last else { return nil }
      return role == .i2cData ? "SDA\(number)" : "SCL\(number)"
    case .spi:
      let numbers = path.replacing("/dev/spidev", with: "").split(separator: ".")
      guard numbers.count == 2, ["0", "1"].contains(numbers[0]) else { return nil }
      switch role {
      case .spiClock: return "SPI\(numbers[0]) SCLK"
      case .spiInput: return "SPI\(numbers[0]) MOSI"
      case .spiOutput: return "SPI\(numbers[0]) MISO"
      case .chipSelect: return "SPI\(numbers[0]) CE\(numbers[1])"
      default: return nil
      }
    }
  }
}

extension Interrupt.Line {
  /// The name of the line on the header, such as `GPIO4`, if the line is one of a Raspberry Pi.
  var headerName: String? {
    switch self {
    case .named(let name) where name.hasPrefix("GPIO"): name
    case .offset(let chip, let number)
    where chip.hasPrefix("pinctrl-bcm2") || chip == "pinctrl-rp1":
      "GPIO\(number)"
    default: nil
    }
  }
}
