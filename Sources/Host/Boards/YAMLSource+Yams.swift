// SPDX-License-Identifier: Apache-2.0
internal import Yams

extension YAMLSource {
  /// The largest number of mappings with repeated keys, and of repeated keys, that are reported at
  /// once.
  private static let mostTurns = 8
  private static let mostRepetitions = 100

  mutating func composed() -> YAMLTree? {
    // Each pass hides the repeated keys of one mapping from the YAML library, so that the library
    // can check the rest.
    for _ in 0..<Self.mostTurns {
      do {
        // The YAML library does not resolve types, because the keys define the types of their
        // values and the resolution would take most of the time.
        guard let root = try compose(yaml: text, .basic, .default, .utf8) else { return nil }
        var count = 0
        guard let tree = Self.tree(root, &count) else {
          report(
            .start, "more than \(Self.mostValues) values, those of aliases (*name) written out",
            hint: "is this a board file?")
          return nil
        }
        return tree
      } catch YamlError.duplicatedKeysInMapping(let names, let context) {
        guard hideRepetitions(of: names, first: context.mark) else { return nil }
      } catch let error as YamlError {
        report(error)
        return nil
      } catch {
        report(.start, "not readable as YAML")
        return nil
      }
    }
    return nil
  }

  /// Converts a node of the YAML tree; `nil` if there are more than `mostValues` values. `count` is
  /// the number of values so far.
  private static func tree(_ node: Node, _ count: inout Int) -> YAMLTree? {
    count += 1
    guard count <= mostValues else { return nil }
    let position = SourcePosition(node.mark)
    switch node {
    case .scalar(let scalar):
      let plain = scalar.style == .plain || scalar.style == .any
      return YAMLTree(content: .scalar(scalar.string, plain: plain), position: position)
    case .sequence(let sequence):
      var items: [YAMLTree] = []
      for node in sequence {
        guard let item = tree(node, &count) else { return nil }
        items.append(item)
      }
      return YAMLTree(content: .sequence(items), position: position)
    case .mapping(let mapping):
      var pairs: [YAMLTree.Pair] = []
      for (key, value) in mapping {
        guard let key = tree(key, &count), let value = tree(value, &count) else { return nil }
        pairs.append(YAMLTree.Pair(key: key, value: value))
      }
      return YAMLTree(content: .mapping(pairs), position: position)
    case .alias(let alias):
      return YAMLTree(content: .scalar("*\(alias.anchor)", plain: true), position: position)
    }
  }
}

// MARK: - Repeated keys

extension YAMLSource {
  /// Reports the repeated keys among `names` in the mapping whose first repeated key is at `first`.
  /// Replaces these keys in the text with hidden keys of the same length. Returns false if none is
  /// found.
  private mutating func hideRepetitions(of names: [String], first: Mark) -> Bool {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Array($0.unicodeScalars) }
    guard let name = names.first, lines.indices.contains(first.line - 1), first.column > 0 else {
      report(SourcePosition(first), "a key occurs more than once in its group")
      return false
    }
    let (line, column) = (first.line - 1, first.column - 1)
    let wanted = Set(names)
    var lineOfFirst: [String: Int] = [:]
    var places: [KeyFinder.Place] = []
    for betweenBraces in [false, true]
    where places.isEmpty && (betweenBraces || KeyFinder.mayBeInLines(lines[line], column)) {
      lineOfFirst = [:]
      var finder = KeyFinder(lines, line: line, column: column, betweenBraces: betweenBraces)
      while let place = finder.next() {
        guard wanted.contains(place.name) else { continue }
        if lineOfFirst[place.name] == nil {
          lineOfFirst[place.name] = place.line + 1
        } else {
          places.append(place)
        }
      }
    }
    guard !places.isEmpty else {
      report(SourcePosition(first), "key '\(name)' occurs more than once in its group")
      return false
    }
    for place in places {
      // The character that hides a repeated key is from a private-use plane, which YAML regards as
      // printable and board files do not use. One character for each repetition is enough for a
      // file of this size.
      guard let mask = Unicode.Scalar(Self.firstMask + UInt32(hidden)) else { return false }
      hidden += 1
      lines[place.line].replaceSubrange(
        place.columns, with: repeatElement(mask, count: place.columns.count))
      guard hidden <= Self.mostRepetitions else { continue }
      let shown = place.name.count > 40 ? place.name.prefix(40) + "..." : place.name[...]
      report(
        SourcePosition(line: place.line + 1, column: place.columns.lowerBound + 1),
        "key '\(shown)' is here for the second time",
        hint: "the first is in line \(lineOfFirst[place.name] ?? first.line)")
    }
    text = lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n")
    return true
  }
}

// MARK: - Syntax errors, in words

extension YAMLSource {
  private mutating func report(_ error: YamlError) {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      report(problem, at: SourcePosition(mark), context: context)
    case .reader(let problem, let offset, _, _):
      let position = offset.map { self.position(atCharacter: $0) } ?? .start
      report(position, "a character that YAML does not allow (\(problem))", hint: "delete it")
    default:
      report(.start, "not readable as YAML")
    }
  }

  private mutating func report(
    _ problem: String, at position: SourcePosition, context: YamlError.Context?
  ) {
    let opening = context.map { SourcePosition($0.mark) }
    let line = opening.map { "line \($0.line)" } ?? "an earlier line"
    if problem.contains("cannot start any token") {
      return reportCharacter(at: position)
    }
    if problem.contains("could not find expected ':'") {
      return report(
        opening ?? position, "a line without a colon", expected: "'key: value'",
        hint: "is the colon missing, or the space after it?")
    }
    if problem.contains("mapping values are not allowed") {
      return report(
        position, "a colon where no key can be",
        hint:
          "is this line indented deeper than its neighbours, or text with ': ' without quotes?")
    }
    if problem.contains("expected ',' or") {
      let bracket = problem.contains("']'") ? "]" : "}"
      return report(
        opening ?? position, "a '\(bracket == "]" ? "[" : "{")' that is not closed",
        expected: "'\(bracket)' or ',' before line \(position.line), column \(position.column)")
    }
    if problem.contains("did not find expected key")
      || problem.contains("did not find expected '-' indicator")
      || problem.contains("block sequence entries are not allowed")
    {
      guard isFirst(position) else {
        return report(
          position, "text behind the end of a value",
          hint: "a quotation mark ends it: write \"it's\", or 'the \"best\"'")
      }
      return report(
        position, "a line that does not fit its neighbours",
        expected: "the same indentation as in \(line)", hint: "indent with spaces, two a level")
    }
    if problem.contains("unexpected end of stream") || problem.contains("unexpected document") {
      return report(opening ?? position, "a quotation mark that is not closed")
    }
    if problem.contains("another document") {
      return report(position, "a second document ('---')", expected: "one board in a file")
    }
    let (found, hint) =
      Self.words.first { problem.contains($0.problem) }.map { ($0.found, $0.hint) }
      ?? ("not valid YAML: \(problem)", nil)
    report(position, found, hint: hint)
  }

  /// The messages from the YAML library, with each error in plain words and a hint.
  private static let words: [(problem: String, found: String, hint: String?)] = [
    (
      "<document start>", "a line that does not belong to what is above",
      "is it, or the line above, indented as its neighbours are?"
    ),
    (
      "expected node content", "no value where one should be",
      "is there a ',' or a bracket too many, or a character that needs quotes?"
    ),
    (
      "expected comment or line break", "text behind '|' or '>'",
      "put text that begins with '|' or '>' in quotes"
    ),
    ("unexpected ':'", "a colon where no key can be", "put text that holds ':' in quotes"),
    ("a tab character", "a tab; expected spaces", "YAML does not indent with tabs"),
    (
      "unknown escape character", "a backslash before a character without such a meaning",
      "use single quotes for text with backslashes"
    ),
    ("mapping keys are not allowed", "a '?' where no key can be", "put the text in quotes"),
    ("expected directive name", "a line that begins with '%'", "put the text in quotes"),
    ("unknown directive name", "a line that begins with '%'", "put the text in quotes"),
    ("undefined alias", "an alias (*name) of nothing", "put text that begins with '*' in quotes"),
    (
      "expected alphabetic or numeric character", "'&' or '*' without a name",
      "put the text in quotes"
    ),
  ]

  private mutating func reportCharacter(at position: SourcePosition) {
    switch scalar(at: position) {
    case "\t":
      report(position, "a tab", expected: "spaces", hint: "YAML does not indent with tabs")
    case let scalar?:
      report(
        position, "a value that begins with '\(scalar)'", hint: "put the text in quotes")
    case nil:
      report(position, "a character that begins no value")
    }
  }

  /// Returns true if only spaces precede `position` in its line.
  private func isFirst(_ position: SourcePosition) -> Bool {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(position.line - 1) else { return true }
    return lines[position.line - 1].unicodeScalars.prefix(position.column - 1).allSatisfy {
      $0 == " "
    }
  }

  private func scalar(at position: SourcePosition) -> Unicode.Scalar? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(position.line - 1) else { return nil }
    return lines[position.line - 1].unicodeScalars.dropFirst(position.column - 1).first
  }

  private func position(atCharacter offset: Int) -> SourcePosition {
    let before = text.prefix(offset)
    let lastLine = before.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    return SourcePosition(
      line: before.count { $0.isNewline } + 1, column: lastLine.unicodeScalars.count + 1)
  }
}

extension SourcePosition {
  init(_ mark: Mark?) {
    self.init(line: max(1, mark?.line ?? 1), column: max(1, mark?.column ?? 1))
  }
}
