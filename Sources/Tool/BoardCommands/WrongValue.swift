// SPDX-License-Identifier: Apache-2.0

/// An invalid option value. The error message completes a sentence that begins with the value; it
/// contains the valid form, and the nearest valid value or an example.
package struct WrongValue: Error, Equatable, CustomStringConvertible {
  package let description: String

  /// Creates the error. `form` says what the option accepts, such as "a number of seconds above 0".
  package init(_ form: String, meant: [String] = [], example: String) {
    description =
      meant.isEmpty
      ? "it is \(form), such as \(example)"
      : "it is \(form); did you mean \(meant.joined(separator: " or "))?"
  }
}

/// A value parsed from one command-line argument.
package protocol TypedArgument {
  init?(argument: String)

  /// Returns the error for a string that is not a valid value.
  static func wrong(_ text: String) -> WrongValue
}

extension TypedArgument {
  /// Parses `text`; throws the error for an invalid value.
  package static func read(_ text: String) throws -> Self {
    guard let value = Self(argument: text) else { throw wrong(text) }
    return value
  }
}
