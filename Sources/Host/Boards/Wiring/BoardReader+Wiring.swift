// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Text

extension BoardReader {
  /// Reads the wiring and checks it against the header, the buses and the interrupts; `nil` if the
  /// file has no wiring.
  mutating func wiring(_ board: Fields, _ buses: [BusDescription], _ chips: [ChipPlacement])
    -> BoardWiring?
  {
    guard let field = board["wiring"],
      let fields = fields(
        field.value, BoardFormat.wiring, owner: "'wiring'", at: field.keyPosition)
    else { return nil }
    _ = choice(fields, "header")
    guard let modules = fields["modules"] else { return nil }
    var wiring = BoardWiring(modules: [], position: field.keyPosition)
    var whole: Set<String> = []
    for entry in entries(modules, of: BoardFormat.module) {
      var isWhole = true
      guard let module = module(entry, buses, chips, isWhole: &isWhole) else { continue }
      wiring.modules.append(module)
      if isWhole { whole.insert(module.name) }
    }
    check(wiring, buses, chips, whole: whole)
    return wiring
  }

  private mutating func module(
    _ entry: YAMLTree.Pair, _ buses: [BusDescription], _ chips: [ChipPlacement],
    isWhole: inout Bool
  ) -> WiredModule? {
    let name = entry.key.text ?? ""
    guard
      let fields = fields(
        entry.value, BoardFormat.module, owner: "module '\(name)'", at: entry.key.position)
    else { return nil }
    let own = names(fields, "chips", among: chips.map(\.name))
    let bus = own.lazy.compactMap { name in chips.first { $0.name == name } }.first
      .flatMap { chip in buses.first { $0.name == chip.bus } }
    var module = WiredModule(
      name: name, title: text(fields, "title") ?? name, chips: own, wire: bus?.wire ?? .i2c,
      pins: pins(fields, isWhole: &isWhole), bears5V: flag(fields, "takes-5v") ?? false,
      isHAT: flag(fields, "hat") ?? false, position: entry.key.position)
    let printed = module.pins.map(\.name)
    for name in names(fields, "optional", among: printed) {
      for index in module.pins.indices where module.pins[index].name == name {
        module.pins[index].isOptional = true
      }
    }
    for (name, remark) in texts(fields, "remarks", among: printed) {
      for index in module.pins.indices where module.pins[index].name == name {
        module.pins[index].remark = remark
      }
    }
    return module
  }

  /// Reads the pins of a module. Sets `isWhole` to false if a pin is invalid.
  private mutating func pins(_ module: Fields, isWhole: inout Bool) -> [WiredPin] {
    guard let field = module["pins"], case .pins(let limits) = field.key.kind else { return [] }
    guard case .mapping(let pairs) = field.value.content, !pairs.isEmpty else {
      refuse(field)
      return []
    }
    var pins: [WiredPin] = []
    for pair in pairs {
      guard let name = pinName(pair.key) else {
        isWhole = false
        continue
      }
      if pair.value.text == "open" {
        pins.append(WiredPin(name, nil, position: pair.value.position))
        continue
      }
      guard case .number(let value) = pair.value.number, let number = Int(exactly: value),
        limits.contains(number)
      else {
        // Some users write the name of a GPIO line instead of a pin number.
        let pin = pair.value.text.flatMap { RaspberryPiHeader.pin(named: $0.uppercased()) }
        report(
          pair.value.isNull ? pair.key.position : pair.value.position,
          "pin '\(name)' is \(pair.value.shown)",
          expected:
            "the number of a pin of the header between \(limits.lowerBound) and \(limits.upperBound), or open",
          hint: pin.map { "did you mean \($0.number)? \($0.name) is pin \($0.number)" })
        // Keep the pin although its value is invalid, so that other references to the pin cause no
        // further errors.
        pins.append(WiredPin(name, nil, position: pair.key.position))
        isWhole = false
        continue
      }
      pins.append(WiredPin(name, number, position: pair.value.position))
    }
    return pins
  }

  /// Returns the name of a module's pin; `nil` if the key is hidden or invalid.
  private mutating func pinName(_ key: YAMLTree) -> String? {
    let name = key.text ?? ""
    if YAMLSource.isHidden(name) { return nil }
    let isName =
      !name.isEmpty && name.count <= 12
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_+/.".contains($0)) }
    if !isName {
      report(
        key.position, "a pin is called \(key.quoted)",
        expected: "a name of up to 12 letters, digits, '-', '_', '+', '/' and '.'")
    }
    return isName ? name : nil
  }

  /// Reads a list of words from the file, all of which must be in `known`.
  private mutating func names(_ fields: Fields, _ key: String, among known: [String]) -> [String] {
    guard let field = fields[key] else { return [] }
    // An empty list means that the known names had errors, which were reported already.
    guard !known.isEmpty else { return [] }
    guard case .sequence(let items) = field.value.content else {
      refuse(field, hint: field.value.isNull ? nil : field.value.text.map { "write [\($0)]" })
      return []
    }
    return items.filter { isKnown($0, key, among: known) }.compactMap(\.text)
  }

  /// Reads a mapping from keys to strings from the file. All keys must be in `known`.
  private mutating func texts(_ fields: Fields, _ key: String, among known: [String])
    -> [(String, String)]
  {
    guard let field = fields[key], !known.isEmpty else { return [] }
    guard case .mapping(let pairs) = field.value.content else {
      refuse(field)
      return []
    }
    var texts: [(String, String)] = []
    for pair in pairs {
      if YAMLSource.isHidden(pair.key.text ?? "") { continue }
      guard isKnown(pair.key, key, among: known), let name = pair.key.text else { continue }
      guard let text = pair.value.text, !pair.value.isNull else {
        report(
          pair.value.isNull ? pair.key.position : pair.value.position,
          "'\(key)' of '\(name)' is \(pair.value.shown)", expected: "a text")
        continue
      }
      texts.append((name, text))
    }
    return texts
  }

  private mutating func isKnown(_ item: YAMLTree, _ key: String, among known: [String]) -> Bool {
    if let name = item.text, known.contains(name) { return true }
    let guess = item.text.flatMap { NearestWord.to($0, among: known) }
    report(
      item.position, "'\(key)' has \(item.quoted)", expected: NearestWord.list(known),
      hint: guess.map { "did you mean '\($0)'?" })
    return false
  }
}
