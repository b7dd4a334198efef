// SPDX-License-Identifier: Apache-2.0

/// A YAML value with its position and its original text. The key decides whether `on`, `y` or
/// `0x68` is a word, a boolean or a number, because the versions of YAML differ.
struct YAMLTree: Equatable {
  enum Content: Equatable {
    /// A scalar with its text. `plain` means without quotation marks.
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

  /// True if the YAML value is empty, `~` or `null`.
  var isNull: Bool {
    guard case .scalar(let text, plain: true) = content else { return false }
    return text.isEmpty || text == "~" || text.lowercased() == "null"
  }

  /// The text of a scalar, with or without quotation marks in the file; `nil` for another value.
  var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// The YAML value as it is written in the file, for an error message.
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
