// SPDX-License-Identifier: Apache-2.0

/// A value in a D-Bus message.
package enum BusValue: Equatable, Sendable {
  case flag(Bool)
  case number(Double)
  case text(String)
  /// An array of strings, signature `as`.
  case texts([String])
  /// A variant, signature `v`.
  indirect case variant(BusValue)
  /// A dictionary in the given order, signature `a{sv}`.
  case properties([Property])

  package struct Property: Equatable, Sendable {
    package var name: String
    package var value: BusValue

    package init(_ name: String, _ value: BusValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value's D-Bus type signature.
  var signature: String {
    switch self {
    case .flag: "b"
    case .number: "d"
    case .text: "s"
    case .texts: "as"
    case .variant: "v"
    case .properties: "a{sv}"
    }
  }
}

/// A call or signal received from D-Bus.
package struct BusMessage: Equatable, Sendable {
  package var isCall: Bool
  package var sender: String
  package var path: String
  package var interface: String
  package var member: String
  /// The text arguments at the start of the message.
  package var texts: [String]

  package init(
    isCall: Bool = true, sender: String, path: String, interface: String, member: String,
    texts: [String] = []
  ) {
    self.isCall = isCall
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.texts = texts
  }
}

/// The answer to a call.
package enum BusAnswer: Equatable, Sendable {
  case values([BusValue])
  case error(String, String)
}
