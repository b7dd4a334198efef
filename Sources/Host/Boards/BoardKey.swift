// SPDX-License-Identifier: Apache-2.0
internal import Text

/// A key of a board or calibration file. Parser, JSON Schema and documentation are generated from
/// these rows.
public struct BoardKey: Sendable {
  /// The kind of a key's value. A new kind needs words in `expectation`, a type in `BoardSchema`,
  /// and a case in `BoardReader+Values.swift`.
  public enum Kind: Sendable {
    /// The format's version, which must be exactly this number.
    case version(Int)
    /// A single line of text.
    case text
    /// Text of one or more lines.
    case lines
    /// The name of another entry, or of a chip in the catalogue.
    case name
    case integer(ClosedRange<Int>)
    /// A 7-bit I2C address outside the reserved ranges.
    case address
    case number(ClosedRange<Double>)
    case flag
    /// `true`, `false`, or a mapping with the keys of the named section.
    case flagOrSection(String)
    /// One of these words.
    case choice([String])
    /// A list of these words in brackets.
    case choices([String])
    /// A list of groups, each with the keys of the named section.
    case items(String)
    /// One of these words, or the path of a file with this extension.
    case choiceOrPath([String], extension: String)
    /// A group of the keys of the named section.
    case section(String)
    /// One of these words, or a group of the keys of the named section.
    case choiceOrSection([String], String)
    /// User-defined names, each with a group of the keys of the named section.
    case entries(String)
    case vector
    case matrix
    case mounting
    /// A list of names declared elsewhere in the file.
    case names
    /// User-defined names, each with a number or the word `open`.
    case pins(ClosedRange<Int>)
    /// Names declared elsewhere, each with a text.
    case texts
  }

  public var name: String
  public var kind: Kind
  public var isRequired: Bool
  /// The expected value, as in the phrase `expected a number of samples per second`.
  public var noun: String
  /// An explanation of the key in one or two sentences.
  public var summary: String
  /// The default in words, for an optional key.
  public var fallback: String?
  /// Keys that this key requires in the same group.
  public var needs: [String] = []
  /// An example value.
  public var example: String
  /// Other names that people use for the key.
  var alsoCalled: [String] = []
  /// True if the value may identify a person, a place or a folder, so that shared files omit it.
  /// Only for keys of the whole board: a shared file has its chips whole.
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

  /// `noun` with the limits for the value.
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
  /// The name used in `BoardKey.Kind`.
  public var name: String
  /// The title with its article: `a chip`.
  public var title: String
  public var summary: String
  public var keys: [BoardKey]
  /// Sets of keys of which exactly one must be present, or at least one if `mayCombine`.
  public var alternatives: [[String]] = []
  public var mayCombine = false

  /// The row of `key`.
  public subscript(key: String) -> BoardKey? { keys.first { $0.name == key } }
}

extension Double {
  /// The number without trailing zeros, with at most three decimals, for messages.
  var short: String {
    guard isFinite, magnitude < 1e15 else { return "\(self)" }
    let thousandths = (self * 1000).rounded()
    if thousandths.remainder(dividingBy: 1000) == 0 { return "\(Int64(thousandths / 1000))" }
    return "\(thousandths / 1000)"
  }
}
