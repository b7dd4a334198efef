// SPDX-License-Identifier: Apache-2.0

/// A value on the command line that its option cannot have: what it takes, and the nearest or an
/// example, as the end of a sentence about the value.
package struct WrongValue: Error, Equatable, CustomStringConvertible {
  package let description: String

  /// `form` is what the option takes, such as "a number of seconds above 0".
  package init(_ form: String, meant: [String] = [], example: String) {
    description =
      meant.isEmpty
      ? "it is \(form), such as \(example)"
      : "it is \(form); did you mean \(meant.joined(separator: " or "))?"
  }
}

/// A value that is parsed from one word of the command line.
package protocol TypedArgument {
  init?(argument: String)

  /// Returns the sentence for a text that is not such a value.
  static func wrong(_ text: String) -> WrongValue
}

extension TypedArgument {
  /// Returns the value of `text`, or throws what is wrong with it.
  package static func read(_ text: String) throws -> Self {
    guard let value = Self(argument: text) else { throw wrong(text) }
    return value
  }
}
