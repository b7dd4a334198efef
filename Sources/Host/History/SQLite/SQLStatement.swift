// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  /// An SQL statement. Interpolated values are bound and never parsed as SQL.
  struct SQLStatement: ExpressibleByStringInterpolation {
    let text: String
    let values: [Value]

    enum Value {
      case integer(Int64)
      case bytes([UInt8])
      case null
    }

    init(stringLiteral text: String) {
      self.text = text
      values = []
    }

    init(stringInterpolation parts: StringInterpolation) {
      text = parts.text
      values = parts.values
    }

    struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var text = ""
      fileprivate var values: [Value] = []

      init(literalCapacity: Int, interpolationCount: Int) {}

      mutating func appendLiteral(_ literal: String) { text += literal }

      mutating func appendInterpolation(_ number: Int64) { bind(.integer(number)) }
      mutating func appendInterpolation(_ flag: Bool) { bind(.integer(flag ? 1 : 0)) }
      mutating func appendInterpolation(_ bytes: [UInt8]) { bind(.bytes(bytes)) }
      mutating func appendInterpolation(_ value: Value) { bind(value) }

      private mutating func bind(_ value: Value) {
        text += "?"
        values.append(value)
      }
    }
  }
#endif
