// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Text

/// Checks of the wiring, to find mistakes before anything is connected.
extension BoardReader {
  /// Checks the board's wiring. `whole` contains the modules without invalid pins.
  mutating func check(
    _ wiring: BoardWiring, _ buses: [BusDescription], _ chips: [ChipPlacement],
    whole: Set<String>
  ) {
    /// The module and pin that are connected to each header pin so far.
    var taken: [Int: (module: WiredModule, pin: WiredPin)] = [:]
    for module in wiring.modules {
      let bus = module.chips.lazy.compactMap { name in chips.first { $0.name == name } }.first
        .flatMap { chip in buses.first { $0.name == chip.bus } }
      for pin in module.pins {
        guard let number = pin.header, let header = RaspberryPiHeader.pin(number) else { continue }
        if let wrong = mistake(module, pin, header, bus) {
          report(pin.position, wrong.found, expected: wrong.expected, hint: wrong.hint)
          continue
        }
        if let other = taken[number], header.kind == .line, !mayShare(other, (module, pin)) {
          reportShared(pin, header, other, wiring)
          continue
        }
        taken[number] = taken[number] ?? (module, pin)
      }
      if whole.contains(module.name) { reportMissing(module) }
    }
    for chip in chips { checkInterrupt(chip, wiring) }
  }

  private struct Mistake {
    var found: String
    var expected: String?
    var hint: String?
  }

  /// Returns the mistake in a wire; `nil` if the wire is correct.
  private func mistake(
    _ module: WiredModule, _ pin: WiredPin, _ header: HeaderPin, _ bus: BusDescription?
  ) -> Mistake? {
    // The manufacturer of a HAT defines its wires.
    if module.isHAT { return nil }
    let found = "'\(pin.name)' is wired to pin \(header.number), which is \(header.title)"
    let role = module.role(of: pin)
    switch role {
    case .supply, .supply3V3:
      if header.kind == .volts3 { return nil }
      if header.kind == .volts5, module.bears5V, role == .supply { return nil }
      return Mistake(
        found: found, expected: "3V3, pin \(RaspberryPiHeader.numbers(.volts3))",
        hint: header.kind != .volts5
          ? nil
          : role == .supply3V3
            ? "5 V there destroy the chips"
            : "where 5 V at this pin leave the module's lines at 3.3 V, say 'takes-5v: true'")
    case .ground:
      return header.kind == .ground
        ? nil
        : Mistake(found: found, expected: "GND, pin \(RaspberryPiHeader.numbers(.ground))")
    case .output:
      return Mistake(
        found: found, expected: "open: it is an output of the module's own regulator")
    case .strap:
      return header.kind == .volts3 || header.kind == .ground
        ? nil
        : Mistake(
          found: found, expected: "3V3, GND or open",
          hint: "it selects an address or a mode and must not change")
    case .i2cClock, .i2cData, .spiClock, .spiInput, .spiOutput, .chipSelect, .interrupt, .other:
      break
    }
    if header.kind == .volts5 {
      return Mistake(found: found, hint: "5 V there destroy the module")
    }
    // A pin with an unknown name may need any voltage level.
    if role == .other { return nil }
    if role.isInterrupt {
      return header.kind == .line ? nil : Mistake(found: found, expected: "a GPIO")
    }
    guard let bus, let wanted = bus.headerFunction(of: role), header.function != wanted else {
      return header.kind == .line ? nil : Mistake(found: found, expected: "a GPIO")
    }
    let other = bus.headerFunction(of: role == .i2cData ? .i2cClock : .i2cData)
    let isSwapped = bus.wire == .i2c && header.function != nil && header.function == other
    return Mistake(
      found: found,
      expected: RaspberryPiHeader.pin(for: wanted).map {
        "pin \($0.number), which is \(wanted), since '\(module.chips.first ?? "")' is on \(bus.path ?? bus.name)"
      },
      hint: isSwapped ? "are SDA and SCL swapped?" : nil)
  }

  private func mayShare(
    _ a: (module: WiredModule, pin: WiredPin), _ b: (module: WiredModule, pin: WiredPin)
  ) -> Bool {
    let role = a.module.role(of: a.pin)
    return role.isBus && role == b.module.role(of: b.pin) && a.module.name != b.module.name
  }

  private mutating func reportShared(
    _ pin: WiredPin, _ header: HeaderPin, _ other: (module: WiredModule, pin: WiredPin),
    _ wiring: BoardWiring
  ) {
    let used = wiring.modules.flatMap(\.pins).compactMap(\.header)
    let free = RaspberryPiHeader.pins.first {
      $0.kind == .line && $0.function == nil && !used.contains($0.number)
    }
    report(
      pin.position,
      "'\(pin.name)' is wired to pin \(header.number), which is '\(other.pin.name)' of '\(other.module.name)' already",
      expected: "one signal on a pin",
      hint: free.map { "pin \($0.number), \($0.name), is free" })
  }

  /// Reports pins that a module needs and that are missing.
  private mutating func reportMissing(_ module: WiredModule) {
    guard !module.pins.isEmpty, !module.isHAT else { return }
    let roles = module.pins.filter { $0.header != nil }.map { module.role(of: $0) }
    var missing: [String] = []
    func need(_ what: String, _ isThere: (PinRole) -> Bool) {
      if !roles.contains(where: isThere) { missing.append(what) }
    }
    need("a supply (VCC)") { $0 == .supply || $0 == .supply3V3 }
    need("GND") { $0 == .ground }
    switch module.wire {
    case .i2c:
      need("SCL") { $0 == .i2cClock }
      need("SDA") { $0 == .i2cData }
    case .spi:
      need("a clock (SCK)") { $0 == .spiClock }
      need("MOSI (SDI)") { $0 == .spiInput }
      need("MISO (SDO)") { $0 == .spiOutput }
      need("CS") { $0 == .chipSelect }
    }
    guard !missing.isEmpty else { return }
    report(
      module.position,
      "no pin of module '\(module.name)' is wired for \(NearestWord.list(missing))",
      hint: "write its pins as they are printed, such as 'pins: { VCC: 1, GND: 6, ... }'")
  }

  /// Checks that the interrupt line in the file is the line that the wire is connected to.
  private mutating func checkInterrupt(_ chip: ChipPlacement, _ wiring: BoardWiring) {
    guard let interrupt = chip.interrupt, let line = interrupt.line.headerName,
      let module = wiring.modules.first(where: { $0.chips.contains(chip.name) }), !module.isHAT
    else { return }
    guard let wanted = RaspberryPiHeader.pin(named: line) else {
      report(
        chip.positions["interrupt"], "the interrupt of '\(chip.name)' is \(line)",
        expected: "a line of the header, GPIO0 to GPIO27")
      return
    }
    let wired = module.pins.filter { module.role(of: $0).isInterrupt && $0.header != nil }
    let here = wired.first { $0.header == wanted.number }
    if let here {
      // If the module has several chips, it is unknown which pin belongs to which chip.
      if module.chips.count == 1, module.role(of: here) != .interrupt(interrupt.pin) {
        report(
          here.position,
          "'\(here.name)' is wired to \(line), and chip '\(chip.name)' has its interrupt on pin \(interrupt.pin)",
          hint: "wire 'INT\(interrupt.pin)', or correct 'pin' of 'interrupt'")
      }
      return
    }
    if let pin = wired.first, wired.count == 1, let number = pin.header,
      let header = RaspberryPiHeader.pin(number)
    {
      report(
        pin.position,
        "'\(pin.name)' is wired to pin \(number), which is \(header.name), and chip '\(chip.name)' has its interrupt on \(line)",
        hint: "wire it to pin \(wanted.number), or write 'interrupt: { line: \(header.name) }'")
      return
    }
    report(
      chip.positions["interrupt"],
      "the interrupt of '\(chip.name)' is \(line), and no interrupt pin of module '\(module.name)' is wired to it",
      hint: "wire it to pin \(wanted.number), or correct 'interrupt'")
  }
}
