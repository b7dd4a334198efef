// SPDX-License-Identifier: Apache-2.0

/// A key of a board or calibration file. Parser, JSON Schema and documentation are made from these
/// rows.
public struct BoardKey: Sendable {
  /// The kind of a key's value. A new one has its words in `expectation`, its type in `BoardSchema`
  /// and is read in `BoardReader+Values.swift`.
  public enum Kind: Sendable {
    /// The format's version: this number and no other.
    case version(Int)
    /// A text of one line.
    case text
    /// A text that may have several lines.
    case lines
    /// The name of another entry, or of a row of the catalogue.
    case name
    case integer(ClosedRange<Int>)
    /// A 7-bit I2C address that is not reserved.
    case address
    case number(ClosedRange<Double>)
    case flag
    /// `true`, `false`, or a group of the keys of the named section.
    case flagOrSection(String)
    /// One of these words.
    case choice([String])
    /// Some of these words, in brackets.
    case choices([String])
    /// A list of groups, each with the keys of the named section.
    case items(String)
    /// One of these words, or the path of a file of this extension.
    case choiceOrPath([String], extension: String)
    /// A group of the keys of the named section.
    case section(String)
    /// One of these words, or a group of the keys of the named section.
    case choiceOrSection([String], String)
    /// Names of your choice, each with a group of the keys of the named section.
    case entries(String)
    case vector
    case matrix
    case mounting
    /// A list of names of things that are declared elsewhere in the file.
    case names
    /// Names of your choice, each with a number or the word `open`.
    case pins(ClosedRange<Int>)
    /// Names that are declared elsewhere, each with a text.
    case texts
  }

  public var name: String
  public var kind: Kind
  public var isRequired: Bool
  /// The value that is expected, to follow that word: `a number of samples per second`.
  public var noun: String
  /// The meaning of the key, in one or two sentences.
  public var summary: String
  /// The value that holds where the key is left out, in words.
  public var fallback: String?
  /// Keys that have to stand beside this one.
  public var needs: [String] = []
  /// A value, as it may stand in a file.
  public var example: String
  /// Other words that people write for it.
  var alsoCalled: [String] = []
  /// True where it may tell of a person, a place or a folder, and is left out of what is shared.
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

  /// `noun` with the limits of the value.
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

/// A group of keys.
public struct BoardSection: Sendable {
  /// The name by which `BoardKey.Kind` refers to it.
  public var name: String
  /// With its article: `a chip`.
  public var title: String
  public var summary: String
  public var keys: [BoardKey]
  /// Exactly one of these sets of keys is there, or at least one.
  public var alternatives: [[String]] = []
  public var mayCombine = false

  /// The row of `key`.
  public subscript(key: String) -> BoardKey? { keys.first { $0.name == key } }
}

extension Double {
  /// Without trailing zeros, at most three decimals: numbers in messages are for people.
  var short: String {
    guard isFinite, magnitude < 1e15 else { return "\(self)" }
    let thousandths = (self * 1000).rounded()
    if thousandths.remainder(dividingBy: 1000) == 0 { return "\(Int64(thousandths / 1000))" }
    return "\(thousandths / 1000)"
  }
}
