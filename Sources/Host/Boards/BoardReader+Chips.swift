// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities
internal import Sensors
internal import Text

extension BoardReader {
  mutating func chips(_ board: Fields, _ buses: [BusDescription]) -> [ChipPlacement] {
    guard let field = board["chips"] else { return [] }
    let busNames = busNames(board)
    var chips: [ChipPlacement] = []
    for entry in entries(field, of: BoardFormat.chip) {
      let name = entry.key.text ?? ""
      guard
        let fields = fields(
          entry.value, BoardFormat.chip, owner: "chip '\(name)'", at: entry.key.position)
      else { continue }
      if fields["iio"] != nil {
        if let placement = kernelChip(fields, name: name, among: chips) { chips.append(placement) }
        continue
      }
      hasChipOnBus = true
      for key in ["chip", "on"] { requireKey(key, in: fields, BoardFormat.chip) }
      let chip = chip(fields)
      let bus = bus(fields, buses, names: busNames)
      if let chip, let bus { checkWire(fields, chip, bus) }
      let address = address(fields, chip, bus)
      let interrupt = interrupt(fields, bus)
      let settings = settings(fields, chip, interrupt)
      let placement = ChipPlacement(
        name: name, chip: chip?.name ?? fields["chip"]?.value.text ?? "", bus: bus?.name ?? "",
        address: address,
        interrupt: interrupt, settings: settings, mounting: mounting(fields),
        delays: delays(fields, chip, settings), behind: text(fields, "behind"),
        firmware: firmware(fields, chip), uses: uses(fields, chip),
        position: vector(fields, "position-mm") / 1000, positions: fields.positions)
      checkShared(placement, chips, bus)
      if let chip, let pin = fields["interrupt"], placement.interrupt?.pin ?? 1 > chip.interruptPins
      {
        report(
          pin.position, "'pin' is 2 and \(chip.name) has \(chip.interruptPins)", hint: "remove it")
      }
      chips.append(placement)
    }
    for index in chips.indices { connectAuxiliary(index, &chips) }
    return chips
  }

  /// Returns the path of the chip's firmware.
  private mutating func firmware(_ fields: Fields, _ chip: ChipDescription?) -> String? {
    guard let field = fields["firmware"], let path = text(fields, "firmware") else { return nil }
    if let chip, chip.firmware == nil {
      report(
        field.keyPosition, "'firmware' for \(chip.name), which needs none", hint: "remove it")
    }
    return resolve(path)
  }

  /// Returns the sensors' delays. If the file does not give a sensor's delay, the result contains
  /// the delay that the driver has with these settings.
  mutating func delays(
    _ fields: Fields, _ chip: ChipDescription?, _ settings: SensorSettings
  ) -> StreamDelays {
    var delays = chip?.delays(settings) ?? StreamDelays()
    delays.rotationRate = delay(fields, chip, "gyro-delay-ms", .rotationRate) ?? delays.rotationRate
    delays.acceleration =
      delay(fields, chip, "acceleration-delay-ms", .acceleration) ?? delays.acceleration
    delays.magneticField =
      delay(fields, chip, "magnetic-delay-ms", .magneticField) ?? delays.magneticField
    return delays
  }

  /// Reads a delay in seconds.
  private mutating func delay(
    _ fields: Fields, _ chip: ChipDescription?, _ key: String, _ channel: Channel
  ) -> Double? {
    guard let field = fields[key] else { return nil }
    if let chip, !chip.channels.contains(where: { $0.channel == channel }) {
      report(
        field.keyPosition, "'\(key)' for \(chip.name), which measures no \(channel.words)",
        hint: "remove it")
      return nil
    }
    return number(fields, key).map { $0 / 1000 }
  }

  /// If the chip is on the auxiliary bus of another chip, configures the other chip to connect its
  /// auxiliary bus to the host's bus.
  private mutating func connectAuxiliary(_ index: Int, _ chips: inout [ChipPlacement]) {
    guard let name = chips[index].behind else { return }
    let position = chips[index].positions["behind"]
    guard let host = chips.firstIndex(where: { $0.name == name }), host != index else {
      let others = chips.map(\.name).filter { $0 != chips[index].name }
      report(
        position, "'behind' is '\(name)'",
        expected: others.isEmpty ? "another chip of this board" : NearestWord.list(others))
      return
    }
    let description = catalogue.first { $0.name == chips[host].chip }
    if chips[host].bus != chips[index].bus {
      report(
        position, "'\(chips[index].name)' and '\(name)' are on two buses",
        hint: "a chip behind another is on that one's bus")
    } else if let description, !description.hasAuxiliaryBus {
      report(position, "\(description.name) has no auxiliary bus", hint: "remove 'behind'")
    } else if chips[host].address == nil {
      report(
        position, "'\(name)' is on SPI, which cannot be connected to its auxiliary bus",
        hint: "wire '\(chips[index].name)' to a separate I2C bus")
    } else if chips[host].settings.usesMagnetometer {
      report(
        position, "'\(name)' keeps its auxiliary bus for itself: its 'magnetometer' is true",
        hint: "remove 'magnetometer' there, or this chip")
    }
    chips[host].settings.passesThrough = true
  }

  private mutating func chip(_ fields: Fields) -> ChipDescription? {
    guard let field = fields["chip"], let name = text(fields, "chip") else { return nil }
    if let chip = catalogue.meant(by: name) { return chip }
    let names = catalogue.map { $0.name }
    // In braces a comma ends a value: { chip: maker,part } has a chip 'maker' and a key 'part'.
    if let whole = fields.unknown.map({ "\(name),\($0)" }).first(where: names.contains) {
      report(
        field.position, "'chip' is cut off at its comma",
        hint: "inside { } it needs quotes: chip: \"\(whole)\"")
      return nil
    }
    if let known = KnownChips.chip(named: name) {
      report(
        field.position, "'\(name)', \(known.title), is not supported yet",
        hint: "\(known.instead); see docs/adding-a-chip.md for adding a chip")
      errors[errors.count - 1].unsupportedChip = known.title
      return nil
    }
    if let guess = NearestWord.to(name, among: names) {
      report(field.position, "unknown chip '\(name)'", hint: "did you mean '\(guess)'?")
    } else {
      report(
        field.position, "unknown chip \(field.value.quoted)",
        expected: "a chip that otolith drives: \(NearestWord.list(names))")
    }
    return nil
  }

  private mutating func bus(_ fields: Fields, _ buses: [BusDescription], names: [String])
    -> BusDescription?
  {
    guard let field = fields["on"], let name = text(fields, "on") else { return nil }
    if let bus = buses.first(where: { $0.name == name }) { return bus }
    // The chip's invalid bus was reported already.
    if names.contains(name) { return nil }
    let guess = NearestWord.to(name, among: names)
    report(
      field.position, "no bus is called \(field.value.quoted)",
      expected: guess == nil && !names.isEmpty ? NearestWord.list(names) : nil,
      hint: guess.map { "did you mean '\($0)'?" } ?? "buses are declared under 'buses:'")
    return nil
  }

  private mutating func checkWire(_ fields: Fields, _ chip: ChipDescription, _ bus: BusDescription)
  {
    guard !chip.wires.contains(bus.wire) else { return }
    let kind = bus.wire.title
    report(
      fields.positions["on"],
      "\(chip.name) has no \(kind) interface and '\(bus.name)' is an \(kind) bus",
      expected: "a bus of kind \(NearestWord.list(chip.wires.map { $0.title }))")
  }

  /// Reports an address, chip select or interrupt line that two chips use.
  private mutating func checkShared(
    _ chip: ChipPlacement, _ others: [ChipPlacement], _ bus: BusDescription?
  ) {
    guard let bus else { return }
    let neighbours = others.filter { $0.bus == bus.name }
    if bus.wire == .spi, let other = neighbours.first {
      report(
        chip.positions["on"], "bus '\(bus.name)' carries chip '\(other.name)' already",
        hint: "an SPI bus of a board file is one chip select: give this chip its own")
    }
    if let address = chip.address, let other = neighbours.first(where: { $0.address == address }) {
      report(
        chip.positions["address"],
        "address \(address.hexadecimal) on '\(bus.name)' is chip '\(other.name)' already",
        hint: "change one chip's address strap, or put it on another bus")
    }
    if let line = chip.interrupt?.line, line != .simulated,
      let other = others.first(where: { $0.interrupt?.line == line })
    {
      report(
        chip.positions["interrupt"], "this interrupt line is chip '\(other.name)''s already",
        hint: "a line serves one chip: wire another, or leave 'interrupt' out")
    }
  }
}

extension Wire {
  /// The name of the kind of bus for users.
  var title: String {
    switch self {
    case .i2c: "I2C"
    case .spi: "SPI"
    }
  }
}
