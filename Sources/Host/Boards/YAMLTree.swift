// SPDX-License-Identifier: Apache-2.0

/// A YAML value with its position and its original text: the key decides whether `on`, `y` or
/// `0x68` is a word, a boolean or a number, because the versions of YAML disagree.
struct YAMLTree: Equatable {
  enum Content: Equatable {
    /// `plain`: without quotes.
    case scalar(String, plain: Bool)
    case sequence([YAMLTree])
    case mapping([Pair])
  }

  struct Pair: Equatable {
    var key: YAMLTree
    var value: YAMLTree
  }

  var content: Content
  var position: SourcePosition

  /// True for nothing, `~` or `null`.
  var isNull: Bool {
    guard case .scalar(let text, plain: true) = content else { return false }
    return text.isEmpty || text == "~" || text.lowercased() == "null"
  }

  /// A scalar's text, quoted or not.
  var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// The text as written, for an error message.
  var shown: String {
    switch content {
    case .scalar(let text, let plain):
      let short = text.count > 40 ? text.prefix(40) + "..." : text[...]
      return isNull ? "empty" : plain ? "'\(short)'" : "the text \"\(short)\""
    case .sequence: return "a list"
    case .mapping: return "a group of keys"
    }
  }
}
