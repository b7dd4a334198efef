// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog

extension BoardReader {
  mutating func buses(_ board: Fields) -> [BusDescription] {
    guard let field = board["buses"] else { return [] }
    simulatedSelects = 0
    var buses: [BusDescription] = []
    for entry in entries(field, of: BoardFormat.bus) {
      let name = entry.key.text ?? ""
      if let path = entry.value.text, path.hasPrefix("/") {
        let wire = path.contains("spi") ? "spi" : "i2c"
        report(
          entry.value.position, "bus '\(name)' is \(entry.value.shown)",
          expected: "its kind as well: { \(wire): \(path) }")
        continue
      }
      guard
        let fields = fields(
          entry.value, BoardFormat.bus, owner: "bus '\(name)'", at: entry.key.position)
      else { continue }
      guard let connection = connection(fields) else { continue }
      let bus = BusDescription(name: name, connection: connection, positions: fields.positions)
      if let path = bus.path, let other = buses.first(where: { $0.path == path }) {
        // Two readers of the same bus would mix their transfers.
        report(
          fields.positions[bus.wire.rawValue], "'\(path)' is bus '\(other.name)' already",
          hint: "put both buses' chips on '\(other.name)'")
      }
      buses.append(bus)
    }
    return buses
  }

  /// Returns the names of all buses in the file, including those with errors.
  func busNames(_ board: Fields) -> [String] {
    guard case .mapping(let pairs)? = board["buses"]?.value.content else { return [] }
    return pairs.compactMap { $0.key.text }.filter { !YAMLSource.isHidden($0) }
  }

  private mutating func connection(_ fields: Fields) -> BusDescription.Connection? {
    let kinds = BoardFormat.bus.alternatives.flatMap { $0 }.filter { fields[$0] != nil }
    guard kinds.count == 1, let kind = kinds.first else {
      let wires = BoardFormat.bus.alternatives.flatMap { $0 }
      if kinds.isEmpty, !fields.meant.isDisjoint(with: wires) { return nil }
      let found =
        kinds.isEmpty
        ? "\(fields.owner) has no device"
        : "\(fields.owner) has \(kinds.map { "'\($0)'" }.joined(separator: " and "))"
      report(
        fields.position, found, expected: "one of 'i2c', 'spi' and 'simulated'",
        hint: kinds.isEmpty ? "such as 'i2c: /dev/i2c-1'" : nil)
      return nil
    }
    if kind != "spi" {
      for key in kind == "simulated" ? ["mode"] : ["mode", "speed-hz"] {
        guard let field = fields[key] else { continue }
        report(
          field.keyPosition, "'\(key)' on \(fields.owner), which is not an SPI device",
          hint: kind == "i2c"
            ? "remove it: the speed of an I2C bus is set at boot, by dtparam" : "remove it")
      }
    }
    if let field = fields["select"], fields["simulated"]?.value.text != "spi" {
      report(
        field.keyPosition, "'select' on \(fields.owner), which is not a simulated SPI bus",
        hint: "remove it")
    }
    switch kind {
    case "i2c":
      return devicePath(fields, "i2c").map { .i2c(path: $0) }
    case "spi":
      let mode = integer(fields, "mode") ?? 3
      let speed = integer(fields, "speed-hz") ?? 1_000_000
      return devicePath(fields, "spi").map { .spi(path: $0, mode: mode, speed: speed) }
    default:
      guard let wire = choice(fields, "simulated").flatMap(Wire.init(rawValue:)) else { return nil }
      let speed = integer(fields, "speed-hz") ?? (wire == .i2c ? 400_000 : 1_000_000)
      let place = next(wire)
      return .simulated(wire, select: integer(fields, "select") ?? place, speed: speed)
    }
  }

  /// Returns the next free chip select, in the order of the file.
  private mutating func next(_ wire: Wire) -> Int {
    guard wire == .spi else { return 0 }
    defer { simulatedSelects += 1 }
    return simulatedSelects
  }

  private mutating func devicePath(_ fields: Fields, _ key: String) -> String? {
    guard let field = fields[key] else { return nil }
    if case .number(let value) = field.value.number, key == "i2c", let number = Int(exactly: value)
    {
      refuse(field, hint: "did you mean /dev/i2c-\(number)?")
      return nil
    }
    guard let path = text(fields, key) else { return nil }
    if key == "i2c", path.contains("spidev") {
      refuse(field, hint: "that is an SPI device: write 'spi: \(path)'")
      return nil
    }
    if key == "spi", path.contains("i2c-") {
      refuse(field, hint: "that is an I2C adapter: write 'i2c: \(path)'")
      return nil
    }
    guard path.hasPrefix("/") else {
      refuse(field, hint: path.contains("dev") || path.contains("-") ? "a path begins with /" : nil)
      return nil
    }
    return path
  }
}
