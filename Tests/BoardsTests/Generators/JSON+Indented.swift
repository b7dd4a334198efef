// SPDX-License-Identifier: Apache-2.0
@testable import Boards
import Text

extension JSON {
  /// Creates the value that a YAML 1.2 parser reads from `tree`.
  init(_ tree: YAMLTree) {
    switch tree.content {
    case .scalar(let text, let plain):
      if tree.isNull {
        self = .null
      } else if plain, case .number(let value) = tree.number {
        self = .plain(value)
      } else if plain, text == "true" || text == "false" {
        self = .flag(text == "true")
      } else {
        self = .text(text)
      }
    case .sequence(let items):
      self = .list(items.map { JSON($0) })
    case .mapping(let pairs):
      self = .object(pairs.map { Member($0.key.text ?? "", JSON($0.value)) })
    }
  }

  /// Returns the JSON text with two spaces per level. Values that contain no objects are on one
  /// line.
  func indented(by indent: String = "") -> String {
    let deeper = indent + "  "
    switch self {
    case .list(let items) where !isFlat:
      let lines = items.map { deeper + $0.indented(by: deeper) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object(let members) where !isFlat:
      let lines = members.map {
        "\(deeper)\(JSON.text($0.name).description): \($0.value.indented(by: deeper))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    default: return flat
    }
  }

  private var isFlat: Bool {
    switch self {
    case .list(let items): items.allSatisfy { $0.isFlat } && flat.utf8.count <= 70
    case .object(let members): members.isEmpty
    default: true
    }
  }

  /// The JSON text in one line, with a space after each comma.
  private var flat: String {
    switch self {
    case .list(let items): "[" + items.map { $0.flat }.joined(separator: ", ") + "]"
    default: description
    }
  }

  /// Returns the number as JSON; a whole number has no decimal point.
  static func plain(_ value: Double) -> JSON {
    Int64(exactly: value).map { .integer($0) } ?? .number(value)
  }
}
