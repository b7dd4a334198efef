// SPDX-License-Identifier: Apache-2.0
internal import Text

/// A key of a board or calibration file. The parser, the JSON Schema and the documentation are
/// generated from the table of all keys.
public struct BoardKey: Sendable {
  /// The kind of value that a key has. A new kind needs words in `expectation`, a type in
  /// `BoardSchema`, and a case in `BoardReader+Values.swift`.
  public enum Kind: Sendable {
    /// The version of the file's format, which must be this number.
    case version(Int)
    /// The key's value is a string of one line.
    case text
    /// The key's value is a string of one or more lines.
    case lines
    /// The key's value is the name of another entry in the file, or of a chip in the catalogue.
    case name
    case integer(ClosedRange<Int>)
    /// The key's value is a 7-bit I2C address outside the reserved ranges.
    case address
    case number(ClosedRange<Double>)
    case flag
    /// The key's value is `true`, `false`, or a mapping with the keys of the named section.
    case flagOrSection(String)
    /// One of the given words.
    case choice([String])
    /// The key's value is a list of the given words, in brackets.
    case choices([String])
    /// The key's value is a list of mappings. Each mapping has the keys of the named section.
    case items(String)
    /// The key's value is one of the given words, or the path of a file with the given extension.
    case choiceOrPath([String], extension: String)
    /// The key's value is a mapping that has the keys of the named section.
    case section(String)
    /// The key's value is one of the given words, or a mapping that has the keys of the named
    /// section.
    case choiceOrSection([String], String)
    /// The key's value consists of names that the user chooses, each with a mapping that has the
    /// keys of the named section.
    case entries(String)
    case vector
    case matrix
    case mounting
    /// The key's value is a list of names that are declared elsewhere in the file.
    case names
    /// The key's value consists of names that the user chooses, each with a number or the word
    /// `open`.
    case pins(ClosedRange<Int>)
    /// The key's value consists of names that are declared elsewhere in the file, each with a
    /// string.
    case texts
  }

  public var name: String
  public var kind: Kind
  public var isRequired: Bool
  /// The expected value as a noun phrase, as in `expected a number of samples per second`.
  public var noun: String
  /// An explanation of the key in one or two sentences.
  public var summary: String
  /// The default in words if the key is optional; `nil` if it is required.
  public var fallback: String?
  /// The keys that must be present in the same mapping if this key is present.
  public var needs: [String] = []
  /// An example value.
  public var example: String
  /// Other names that users give to the key.
  var alsoCalled: [String] = []
  /// True if the value may identify a person, a place or a folder, so that published files leave
  /// the value out. Only keys of the whole board can be private, because published files contain
  /// each chip completely.
  var isPrivate = false

  init(
    _ name: String, _ kind: Kind, required: Bool = false, noun: String, _ summary: String,
    fallback: String? = nil, needs: [String] = [], example: String, alsoCalled: [String] = [],
    isPrivate: Bool = false
  ) {
    self.name = name
    self.kind = kind
    isRequired = required
    self.noun = noun
    self.summary = summary
    self.fallback = fallback
    self.needs = needs
    self.example = example
    self.alsoCalled = alsoCalled
    self.isPrivate = isPrivate
  }

  /// The noun for the expected value, together with the limits of the value.
  public var expectation: String {
    switch kind {
    case .address: "\(noun) between 0x08 and 0x77"
    case .integer(let limits): "\(noun) between \(limits.lowerBound) and \(limits.upperBound)"
    case .number(let limits):
      "\(noun) between \(limits.lowerBound.short) and \(limits.upperBound.short)"
    case .choice(let words): NearestWord.list(words)
    case .choices(let words): "some of \(NearestWord.list(words)), in brackets"
    case .choiceOrPath(let words, let ending):
      NearestWord.list(words + ["the path of a .\(ending) file"])
    case .version, .text, .lines, .name, .flag, .flagOrSection, .items, .section, .choiceOrSection,
      .entries, .vector, .matrix, .mounting, .names, .pins, .texts:
      noun
    }
  }
}

/// A section: the keys that a mapping in a board file may contain.
public struct BoardSection: Sendable {
  /// The name by which `BoardKey.Kind` refers to the section.
  public var name: String
  /// The section's title with its article, such as `a chip`.
  public var title: String
  public var summary: String
  public var keys: [BoardKey]
  /// Sets of keys. Exactly one of these sets must be present in the section, or at least one if
  /// `mayCombine` is true.
  public var alternatives: [[String]] = []
  public var mayCombine = false

  /// The description of the key with this name; `nil` if the section does not have it.
  public subscript(key: String) -> BoardKey? { keys.first { $0.name == key } }
}

extension Double {
  /// The number with at most three decimals and no trailing zeros, for messages.
  var short: String {
    guard isFinite, magnitude < 1e15 else { return "\(self)" }
    let thousandths = (self * 1000).rounded()
    if thousandths.remainder(dividingBy: 1000) == 0 { return "\(Int64(thousandths / 1000))" }
    return "\(thousandths / 1000)"
  }
}
