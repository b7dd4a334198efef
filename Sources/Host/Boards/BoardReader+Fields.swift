// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Text

/// A key of a section of a board file, with its value in that file.
struct Field {
  var key: BoardKey
  var keyPosition: SourcePosition
  var value: YAMLTree

  /// The position for errors, which is the position of the value, or of the key if the value is
  /// missing.
  var position: SourcePosition { value.isNull ? keyPosition : value.position }
}

/// The keys and values of a mapping in a board file.
struct Fields {
  /// The name of the mapping in messages, such as `chip 'imu'`.
  var owner: String
  var position: SourcePosition
  var found: [String: Field] = [:]
  /// The keys in the file that the section does not have.
  var unknown: [String] = []
  /// The keys that the file certainly contains in a misspelt form. They are not reported as
  /// missing.
  var meant: Set<String> = []

  subscript(key: String) -> Field? { found[key] }

  var positions: Positions {
    Positions(entry: position, values: found.mapValues { $0.position })
  }
}

extension BoardReader {
  /// Reads the keys of `tree`. Reports keys that `section` does not have, and missing required
  /// keys.
  mutating func fields(
    _ tree: YAMLTree, _ section: BoardSection, owner: String, at position: SourcePosition
  ) -> Fields? {
    guard case .mapping(let pairs) = tree.content else {
      if tree.isNull {
        report(
          position, "\(owner) is empty", expected: "its keys, indented deeper than this line")
      } else {
        let keys = NearestWord.list(section.keys.map { $0.name })
        report(
          tree.position, "\(owner) is \(tree.shown)", expected: "keys of \(section.title): \(keys)")
      }
      return nil
    }
    var fields = Fields(owner: owner, position: position)
    let chip = pairs.first { $0.key.text == "chip" }?.value.text ?? ""
    for pair in pairs {
      guard let name = pair.key.text else {
        report(pair.key.position, "\(pair.key.shown) as a key", expected: "a word")
        continue
      }
      if YAMLSource.isHidden(name) { continue }
      if let key = section[name] {
        fields.found[name] = Field(key: key, keyPosition: pair.key.position, value: pair.value)
      } else {
        fields.unknown.append(name)
        if pair.value.isNull, isRest(name, ofChip: chip) { continue }
        if let guess = unknownKey(pair.key, name, section) { fields.meant.insert(guess) }
      }
    }
    for key in section.keys where key.isRequired { requireKey(key.name, in: fields, section) }
    reportNeeds(fields, section)
    return fields
  }

  /// Reports that a key is missing, unless the file certainly has it in a misspelt form.
  mutating func requireKey(_ name: String, in fields: Fields, _ section: BoardSection) {
    guard fields[name] == nil, !fields.meant.contains(name), let key = section[name] else { return }
    if case .version = key.kind {
      report(
        fields.position, "\(fields.owner) has no '\(name)'",
        expected: "'\(name): \(key.example)' as the first line")
    } else {
      report(
        fields.position, "\(fields.owner) has no '\(name)'", expected: key.expectation,
        hint: "such as '\(name): \(key.example)'")
    }
  }

  /// Reports missing keys that another key in the file requires. Each missing key is reported once.
  private mutating func reportNeeds(_ fields: Fields, _ section: BoardSection) {
    var reported = fields.meant
    for key in section.keys {
      guard let field = fields[key.name] else { continue }
      let missing = key.needs.compactMap { section[$0] }
        .filter { fields[$0.name] == nil && !reported.contains($0.name) }
      guard let first = missing.first else { continue }
      reported.formUnion(missing.map(\.name))
      report(
        field.keyPosition,
        "\(fields.owner) has '\(key.name)' without \(missing.map { "'\($0.name)'" }.joined(separator: " and "))",
        expected: missing.count == 1 ? first.expectation : nil,
        hint: "such as '\(missing.map { "\($0.name): \($0.example)" }.joined(separator: ", "))'")
    }
  }

  /// Returns true if the key `name` is the part of a chip name after an unquoted comma, and `chip`
  /// the part before the comma. Only the chip name is then reported, not the key.
  private func isRest(_ name: String, ofChip chip: String) -> Bool {
    let whole = "\(chip),\(name)"
    return catalogue.contains { $0.name == whole }
  }

  /// Reports an unknown key and returns the key that the user probably meant.
  private mutating func unknownKey(_ key: YAMLTree, _ name: String, _ section: BoardSection)
    -> String?
  {
    // After 100 errors no more guesses are made: a file with thousands of errors is not a board
    // file.
    guard errors.count < 100 else {
      report(key.position, "unknown key \(key.quoted)")
      return nil
    }
    let names = section.keys.map { $0.name }
    if let missed = section.keys.first(where: { name.hasPrefix($0.name + ":") })?.name {
      let value = name.dropFirst(missed.count + 1)
      report(
        key.position, "unknown key \(key.quoted)",
        hint: "a colon needs a space behind it: '\(missed): \(value)'")
      return missed
    }
    func alsoCalled(_ word: String) -> String? {
      section.keys.first { $0.alsoCalled.contains(word.lowercased()) }?.name
    }
    let otherWords = section.keys.flatMap { $0.alsoCalled }
    if let guess = alsoCalled(name) ?? NearestWord.to(name, among: names)
      ?? NearestWord.to(name, among: otherWords).flatMap(alsoCalled)
    {
      report(key.position, "unknown key \(key.quoted)", hint: "did you mean '\(guess)'?")
      return guess
    }
    // A key that belongs to another section of the file usually has the wrong indentation.
    if let home = BoardFormat.sections.first(where: { $0.name != section.name && $0[name] != nil })
    {
      report(
        key.position, "'\(name)' is not a key of \(section.title)",
        hint: "it is a key of \(home.title): is the indentation right?")
      return nil
    }
    report(
      key.position, "unknown key \(key.quoted)",
      expected: "a key of \(section.title): \(NearestWord.list(names))")
    return nil
  }

  /// The largest number of entries in a mapping, which is more than any machine needs.
  private static let mostEntries = 128

  /// Returns the named entries of a mapping in which the user chooses the names.
  mutating func entries(_ field: Field, of section: BoardSection) -> [YAMLTree.Pair] {
    let what = section.title.split(separator: " ").last.map(String.init) ?? section.title
    guard case .mapping(let pairs) = field.value.content else {
      var hint = "such as '\(what)1:' and, indented below it, the keys of \(section.title)"
      if case .sequence = field.value.content { hint = "give each \(what) a name instead of a '-'" }
      report(
        field.position, "'\(field.key.name)' is \(field.value.shown)",
        expected: field.key.noun, hint: hint)
      return []
    }
    if pairs.isEmpty {
      report(field.position, "'\(field.key.name)' is empty", expected: "at least one \(what)")
    }
    // The number is limited, because each bus has a thread, and each chip has a slot in every ring.
    if pairs.count > Self.mostEntries {
      report(
        field.position, "'\(field.key.name)' has \(pairs.count) entries",
        expected: "\(Self.mostEntries) at most")
      return []
    }
    return pairs.filter { pair in
      let name = pair.key.text ?? ""
      if YAMLSource.isHidden(name) { return false }
      let isName =
        !name.isEmpty && name.count <= 32
        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      if !isName {
        report(
          pair.key.position, "a \(what) is called \(pair.key.shown)",
          expected: "a name of up to 32 letters, digits, '-' and '_'")
        return false
      }
      if section[name] != nil, case .scalar = pair.value.content, !pair.value.isNull {
        report(
          pair.key.position, "'\(name)' stands where a name for \(section.title) should",
          hint: "indent it deeper than the name of its \(what)")
        return false
      }
      return true
    }
  }
}

extension YAMLTree {
  /// The key in quotation marks, for an error message.
  var quoted: String { isNull ? "''" : shown.hasPrefix("'") ? shown : "'\(text ?? shown)'" }
}
