// SPDX-License-Identifier: Apache-2.0
@testable import Boards
import Text

/// The formats of `BoardFormat` as JSON Schema, for editors.
enum BoardSchema {
  /// The text of `boards/board.schema.json`.
  static var board: String {
    schema(
      of: BoardFormat.board, title: "otolith board file",
      using: [
        BoardFormat.bus, BoardFormat.chip, BoardFormat.interrupt, BoardFormat.detection,
        BoardFormat.location, BoardFormat.pedometer, BoardFormat.wiring, BoardFormat.module,
        BoardFormat.simulation, BoardFormat.noise, BoardFormat.simulatedErrors, BoardFormat.fault,
        BoardFormat.senses,
      ])
  }

  /// The text of `boards/calibration.schema.json`.
  static var calibration: String {
    schema(
      of: BoardFormat.calibration, title: "otolith calibration file",
      using: [BoardFormat.chipCalibration])
  }

  private static let generated = "Generated: see docs/reference/board-files.md."

  private static func schema(of top: BoardSection, title: String, using sections: [BoardSection])
    -> String
  {
    var members: [JSON.Member] = [
      .init("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
      .init("$comment", .text("SPDX-License-Identifier: Apache-2.0. \(generated)")),
      .init("title", .text(title)),
    ]
    members += object(top)
    members.append(
      .init("$defs", .object(sections.map { .init($0.name, .object(object($0))) })))
    return JSON.object(members).indented() + "\n"
  }

  private static func object(_ section: BoardSection) -> [JSON.Member] {
    var members: [JSON.Member] = [
      .init("description", .text(section.summary)),
      .init("type", .text("object")),
      .init("additionalProperties", .flag(false)),
    ]
    let required = section.keys.filter { $0.isRequired }.map { JSON.text($0.name) }
    if !required.isEmpty { members.append(.init("required", .list(required))) }
    if !section.alternatives.isEmpty {
      let alternatives = section.alternatives.map { keys in
        JSON.object([.init("required", .list(keys.map { .text($0) }))])
      }
      members.append(.init(section.mayCombine ? "anyOf" : "oneOf", .list(alternatives)))
    }
    let needy = section.keys.filter { !$0.needs.isEmpty }
    if !needy.isEmpty {
      let needs = needy.map { JSON.Member($0.name, .list($0.needs.map { .text($0) })) }
      members.append(.init("dependentRequired", .object(needs)))
    }
    members.append(
      .init("properties", .object(section.keys.map { .init($0.name, .object(property($0))) })))
    return members
  }

  private static func property(_ key: BoardKey) -> [JSON.Member] {
    var summary = key.summary
    if let fallback = key.fallback { summary += " Left out: \(fallback)." }
    var members: [JSON.Member] = [.init("description", .text(summary))]
    members += type(key.kind)
    var source = YAMLSource(key.example, file: key.name)
    if let example = source.tree() { members.append(.init("examples", .list([JSON(example)]))) }
    return members
  }

  private static func type(_ kind: BoardKey.Kind) -> [JSON.Member] {
    switch kind {
    case .version(let version): [.init("const", .integer(Int64(version)))]
    case .text, .lines, .name: [.init("type", .text("string")), .init("minLength", .integer(1))]
    case .address: type(.integer(0x08...0x77))
    case .integer(let limits):
      [
        .init("type", .text("integer")),
        .init("minimum", .integer(Int64(limits.lowerBound))),
        .init("maximum", .integer(Int64(limits.upperBound))),
      ]
    case .number(let limits):
      [
        .init("type", .text("number")),
        .init("minimum", .plain(limits.lowerBound)),
        .init("maximum", .plain(limits.upperBound)),
      ]
    case .flag: [.init("type", .text("boolean"))]
    case .flagOrSection(let name):
      [
        .init(
          "anyOf",
          .list([.object([.init("type", .text("boolean"))]), .object([reference(name)])])
        )
      ]
    case .choice(let words): [words.enumeration]
    case .choices(let words):
      [
        .init("type", .text("array")),
        .init("items", .object([words.enumeration])),
      ]
    case .items(let name):
      [
        .init("type", .text("array")),
        .init("items", .object([reference(name)])),
      ]
    case .choiceOrPath(let words, let ending):
      [
        .init(
          "anyOf",
          .list([
            .object([words.enumeration]),
            .object([
              .init("type", .text("string")), .init("pattern", .text("\\.\(ending)$")),
            ]),
          ]))
      ]
    case .section(let name): [reference(name)]
    case .choiceOrSection(let words, let name):
      [.init("anyOf", .list([.object([words.enumeration]), .object([reference(name)])]))]
    case .entries(let name):
      [
        .init("type", .text("object")),
        .init("minProperties", .integer(1)),
        .init(
          "propertyNames", .object([.init("pattern", .text("^[A-Za-z0-9_-]{1,32}$"))])),
        .init("additionalProperties", .object([reference(name)])),
      ]
    case .names:
      [
        .init("type", .text("array")),
        .init("items", .object([.init("type", .text("string"))])),
      ]
    case .pins(let limits):
      [
        .init("type", .text("object")),
        .init("minProperties", .integer(1)),
        .init(
          "additionalProperties",
          .object([
            .init(
              "anyOf",
              .list([
                .object([["open"].enumeration]), .object(type(.integer(limits))),
              ]))
          ])),
      ]
    case .texts:
      [
        .init("type", .text("object")),
        .init("additionalProperties", .object([.init("type", .text("string"))])),
      ]
    case .vector: triple(of: [.init("type", .text("number"))])
    case .matrix: triple(of: triple(of: [.init("type", .text("number"))]))
    case .mounting:
      [
        .init(
          "anyOf",
          .list([
            .object(triple(of: [["x", "y", "z", "-x", "-y", "-z"].enumeration])),
            .object(triple(of: triple(of: [.init("type", .text("number"))]))),
          ]))
      ]
    }
  }

  private static func reference(_ name: String) -> JSON.Member {
    .init("$ref", .text("#/$defs/\(name)"))
  }

  private static func triple(of items: [JSON.Member]) -> [JSON.Member] {
    [
      .init("type", .text("array")),
      .init("minItems", .integer(3)),
      .init("maxItems", .integer(3)),
      .init("items", .object(items)),
    ]
  }
}

extension [String] {
  fileprivate var enumeration: JSON.Member { .init("enum", .list(map { .text($0) })) }
}
