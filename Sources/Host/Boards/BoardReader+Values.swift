// SPDX-License-Identifier: Apache-2.0
internal import Text

extension BoardReader {
  /// Reports a value that is not of the kind that its key expects.
  mutating func refuse(_ field: Field, expected: String? = nil, hint: String? = nil) {
    report(
      field.position, "'\(field.key.name)' is \(field.value.shown)",
      expected: expected ?? field.key.expectation, hint: hint)
  }

  /// Returns advice for a key that has no value.
  private func hintForEmpty(_ field: Field) -> String {
    field.key.isRequired ? "write a value behind the colon" : "write a value, or remove the line"
  }

  /// Reads a string from the file; `nil` if the key is missing or its value is not a string.
  mutating func text(_ fields: Fields, _ key: String) -> String? {
    guard let field = fields[key] else { return nil }
    guard case .scalar(let text, let plain) = field.value.content, !field.value.isNull,
      !text.isEmpty
    else {
      refuse(field, hint: field.value.isNull ? hintForEmpty(field) : nil)
      return nil
    }
    var isOther = ["true", "false"].contains(text.lowercased())
    if case .number = field.value.number { isOther = true }
    if plain, isOther {
      refuse(field, hint: "if that is the text, put it in quotes")
      return nil
    }
    // A name that contains a line end would break the lines in which the name is shown.
    let mayHaveLines = if case .lines = field.key.kind { true } else { false }
    if !mayHaveLines, text.unicodeScalars.contains("\n") {
      report(
        field.position, "'\(key)' is a text of several lines", expected: "one line",
        hint: "not '|' nor '>', which end in a new line")
      return nil
    }
    return text
  }

  /// Reads a number from the file within the limits of its key.
  mutating func number(_ fields: Fields, _ key: String) -> Double? {
    guard let field = fields[key] else { return nil }
    switch field.value.number {
    case .none(let hint):
      refuse(field, hint: field.value.isNull ? hintForEmpty(field) : hint)
      return nil
    case .number(let value):
      if case .number(let limits) = field.key.kind, !limits.contains(value) {
        refuse(field)
        return nil
      }
      return value
    }
  }

  /// Reads a whole number from the file within the limits of its key.
  mutating func integer(_ fields: Fields, _ key: String) -> Int? {
    guard let field = fields[key], let value = number(fields, key) else { return nil }
    guard case .integer(let limits) = field.key.kind, let whole = Int(exactly: value),
      limits.contains(whole)
    else {
      refuse(field)
      return nil
    }
    return whole
  }

  mutating func flag(_ fields: Fields, _ key: String) -> Bool? {
    guard let field = fields[key] else { return nil }
    guard case .scalar(let text, plain: true) = field.value.content else {
      refuse(field, hint: "without quotes")
      return nil
    }
    switch text.lowercased() {
    case "true": return true
    case "false": return false
    case "yes", "on", "y", "1":
      refuse(field, hint: "write true")
    case "no", "off", "n", "0":
      refuse(field, hint: "write false")
    default: refuse(field)
    }
    return nil
  }

  /// Reads one of the words that a key of the file accepts.
  mutating func choice(_ fields: Fields, _ key: String) -> String? {
    guard let field = fields[key] else { return nil }
    guard case .choice(let words) = field.key.kind else { return nil }
    if let text = field.value.text, words.contains(text) { return text }
    let guess = field.value.text.flatMap { NearestWord.to($0, among: words) }
    refuse(field, hint: guess.map { "did you mean '\($0)'?" })
    return nil
  }

  /// Reads `count` numbers in brackets. Messages call the numbers `key`.
  mutating func numbers(_ tree: YAMLTree, _ count: Int, of key: String, expected: String)
    -> [Double]?
  {
    guard case .sequence(let items) = tree.content, items.count == count else {
      var found = tree.shown
      if case .sequence(let items) = tree.content { found = "a list of \(items.count)" }
      report(tree.position, "\(key) is \(found)", expected: expected)
      return nil
    }
    var values: [Double] = []
    for item in items {
      switch item.number {
      case .number(let value): values.append(value)
      case .none(let hint):
        report(
          item.position, "a number of \(key) is \(item.shown)", expected: "a number", hint: hint)
      }
    }
    return values.count == count ? values : nil
  }

  /// Reads a matrix: three rows of three numbers.
  mutating func rows(_ tree: YAMLTree, of key: BoardKey) -> [[Double]]? {
    guard case .sequence(let items) = tree.content, items.count == 3 else {
      var found = tree.shown
      if case .sequence(let items) = tree.content { found = "a list of \(items.count)" }
      report(tree.position, "'\(key.name)' is \(found)", expected: key.noun)
      return nil
    }
    var rows: [[Double]] = []
    for item in items {
      guard let row = numbers(item, 3, of: "a row of '\(key.name)'", expected: "three numbers")
      else {
        continue
      }
      rows.append(row)
    }
    return rows.count == 3 ? rows : nil
  }
}
