// SPDX-License-Identifier: Apache-2.0
#if Tool

  /// A JSON value whose objects are ordered, so that a generated file is always the same text.
  indirect enum JSON: Equatable {
    case null
    case flag(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    struct Member: Equatable {
      var name: String
      var value: JSON

      init(_ name: String, _ value: JSON) {
        self.name = name
        self.value = value
      }
    }

    /// Creates the value that a YAML 1.2 parser reads from `tree`.
    init(_ tree: YAMLTree) {
      switch tree.content {
      case .scalar(let text, let plain):
        if tree.isNull {
          self = .null
        } else if plain, case .number(let value) = tree.number {
          self = .number(value)
        } else if plain, text == "true" || text == "false" {
          self = .flag(text == "true")
        } else {
          self = .string(text)
        }
      case .sequence(let items):
        self = .array(items.map { JSON($0) })
      case .mapping(let pairs):
        self = .object(pairs.map { Member($0.key.text ?? "", JSON($0.value)) })
      }
    }

    /// Returns the text with two spaces per level; values without objects are on one line.
    func text(indent: String = "") -> String {
      let deeper = indent + "  "
      switch self {
      case .array(let items) where !isFlat:
        let lines = items.map { deeper + $0.text(indent: deeper) }
        return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
      case .object(let members) where !isFlat:
        let lines = members.map {
          "\(deeper)\(JSON.string($0.name).text()): \($0.value.text(indent: deeper))"
        }
        return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
      default: return flat
      }
    }

    private var isFlat: Bool {
      switch self {
      case .array(let items): items.allSatisfy { $0.isFlat } && flat.utf8.count <= 70
      case .object(let members): members.isEmpty
      default: true
      }
    }

    private var flat: String {
      switch self {
      case .null: "null"
      case .flag(let value): "\(value)"
      case .number(let value): value.short
      case .string(let text): Self.quoted(text)
      case .array(let items): "[" + items.map { $0.flat }.joined(separator: ", ") + "]"
      case .object(let members):
        "{" + members.map { "\(Self.quoted($0.name)): \($0.value.flat)" }.joined(separator: ", ")
          + "}"
      }
    }

    private static func quoted(_ text: String) -> String {
      var result = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case _ where scalar.value < 0x20:
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result + "\""
    }
  }
#endif
