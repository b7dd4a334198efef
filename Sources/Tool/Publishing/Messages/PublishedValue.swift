// SPDX-License-Identifier: Apache-2.0

/// A value in a message, before its encoding as JSON.
package enum PublishedValue: Equatable, Sendable {
  case number(Double)
  case integer(Int64)
  case flag(Bool)
  case text(String)
  case list([PublishedValue])
  case object([Field])

  /// A name in an object with its value.
  package struct Field: Equatable, Sendable {
    package var name: String
    package var value: PublishedValue

    package init(_ name: String, _ value: PublishedValue) {
      self.name = name
      self.value = value
    }
  }

  /// False for infinities and not-a-number, which JSON cannot represent. Objects
  /// omit such fields.
  var isSayable: Bool {
    if case .number(let number) = self { number.isFinite } else { true }
  }
}
