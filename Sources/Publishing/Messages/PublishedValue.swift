// SPDX-License-Identifier: Apache-2.0

/// A part of what a message says, before it is written as JSON or CBOR.
package enum PublishedValue: Equatable, Sendable {
  case number(Double)
  case integer(Int64)
  case flag(Bool)
  case text(String)
  case list([PublishedValue])
  case object([Field])

  /// One name of an object with its value.
  package struct Field: Equatable, Sendable {
    package var name: String
    package var value: PublishedValue

    package init(_ name: String, _ value: PublishedValue) {
      self.name = name
      self.value = value
    }
  }

  /// False for what neither format has a word for that every reader takes: infinities and what is
  /// no number. Objects leave such a field out.
  var isSayable: Bool {
    if case .number(let number) = self { number.isFinite } else { true }
  }
}

/// The form of a message's bytes.
package enum MessageForm: String, CaseIterable, Sendable {
  case json
  case cbor

  package func bytes(_ value: PublishedValue) -> [UInt8] {
    switch self {
    case .json: JSONText.bytes(value)
    case .cbor: CBOR.bytes(value)
    }
  }
}
