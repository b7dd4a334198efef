// SPDX-License-Identifier: Apache-2.0
#if Tool

  /// The formats in `BoardFormat` as JSON Schema, for editors.
  public enum BoardSchema {
    /// The text of `boards/board.schema.json`.
    public static var board: String {
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
    public static var calibration: String {
      schema(
        of: BoardFormat.calibration, title: "otolith calibration file",
        using: [BoardFormat.chipCalibration])
    }

    private static let generated = "Generated: see docs/reference/board-files.md."

    private static func schema(of top: BoardSection, title: String, using sections: [BoardSection])
      -> String
    {
      var members: [JSON.Member] = [
        .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        .init("$comment", .string("SPDX-License-Identifier: Apache-2.0. \(generated)")),
        .init("title", .string(title)),
      ]
      members += object(top)
      members.append(
        .init("$defs", .object(sections.map { .init($0.name, .object(object($0))) })))
      return JSON.object(members).text() + "\n"
    }

    private static func object(_ section: BoardSection) -> [JSON.Member] {
      var members: [JSON.Member] = [
        .init("description", .string(section.summary)),
        .init("type", .string("object")),
        .init("additionalProperties", .flag(false)),
      ]
      let required = section.keys.filter { $0.isRequired }.map { JSON.string($0.name) }
      if !required.isEmpty { members.append(.init("required", .array(required))) }
      if !section.alternatives.isEmpty {
        let alternatives = section.alternatives.map { keys in
          JSON.object([.init("required", .array(keys.map { .string($0) }))])
        }
        members.append(.init(section.mayCombine ? "anyOf" : "oneOf", .array(alternatives)))
      }
      let needy = section.keys.filter { !$0.needs.isEmpty }
      if !needy.isEmpty {
        let needs = needy.map { JSON.Member($0.name, .array($0.needs.map { .string($0) })) }
        members.append(.init("dependentRequired", .object(needs)))
      }
      members.append(
        .init("properties", .object(section.keys.map { .init($0.name, .object(property($0))) })))
      return members
    }

    private static func property(_ key: BoardKey) -> [JSON.Member] {
      var summary = key.summary
      if let fallback = key.fallback { summary += " Left out: \(fallback)." }
      var members: [JSON.Member] = [.init("description", .string(summary))]
      members += type(key.kind)
      var source = YAMLSource(key.example, file: key.name)
      if let example = source.tree() { members.append(.init("examples", .array([JSON(example)]))) }
      return members
    }

    private static func type(_ kind: BoardKey.Kind) -> [JSON.Member] {
      switch kind {
      case .version(let version): [.init("const", .number(Double(version)))]
      case .text, .lines, .name: [.init("type", .string("string")), .init("minLength", .number(1))]
      case .address: type(.integer(0x08...0x77))
      case .integer(let limits):
        [
          .init("type", .string("integer")),
          .init("minimum", .number(Double(limits.lowerBound))),
          .init("maximum", .number(Double(limits.upperBound))),
        ]
      case .number(let limits):
        [
          .init("type", .string("number")),
          .init("minimum", .number(limits.lowerBound)),
          .init("maximum", .number(limits.upperBound)),
        ]
      case .flag: [.init("type", .string("boolean"))]
      case .flagOrSection(let name):
        [
          .init(
            "anyOf",
            .array([.object([.init("type", .string("boolean"))]), .object([reference(name)])])
          )
        ]
      case .choice(let words): [words.enumeration]
      case .choices(let words):
        [
          .init("type", .string("array")),
          .init("items", .object([words.enumeration])),
        ]
      case .items(let name):
        [
          .init("type", .string("array")),
          .init("items", .object([reference(name)])),
        ]
      case .choiceOrPath(let words, let ending):
        [
          .init(
            "anyOf",
            .array([
              .object([words.enumeration]),
              .object([
                .init("type", .string("string")), .init("pattern", .string("\\.\(ending)$")),
              ]),
            ]))
        ]
      case .section(let name): [reference(name)]
      case .choiceOrSection(let words, let name):
        [.init("anyOf", .array([.object([words.enumeration]), .object([reference(name)])]))]
      case .entries(let name):
        [
          .init("type", .string("object")),
          .init("minProperties", .number(1)),
          .init(
            "propertyNames", .object([.init("pattern", .string("^[A-Za-z0-9_-]{1,32}$"))])),
          .init("additionalProperties", .object([reference(name)])),
        ]
      case .names:
        [
          .init("type", .string("array")),
          .init("items", .object([.init("type", .string("string"))])),
        ]
      case .pins(let limits):
        [
          .init("type", .string("object")),
          .init("minProperties", .number(1)),
          .init(
            "additionalProperties",
            .object([
              .init(
                "anyOf",
                .array([
                  .object([["open"].enumeration]), .object(type(.integer(limits))),
                ]))
            ])),
        ]
      case .texts:
        [
          .init("type", .string("object")),
          .init("additionalProperties", .object([.init("type", .string("string"))])),
        ]
      case .vector: triple(of: [.init("type", .string("number"))])
      case .matrix: triple(of: triple(of: [.init("type", .string("number"))]))
      case .mounting:
        [
          .init(
            "anyOf",
            .array([
              .object(triple(of: [["x", "y", "z", "-x", "-y", "-z"].enumeration])),
              .object(triple(of: triple(of: [.init("type", .string("number"))]))),
            ]))
        ]
      }
    }

    private static func reference(_ name: String) -> JSON.Member {
      .init("$ref", .string("#/$defs/\(name)"))
    }

    private static func triple(of items: [JSON.Member]) -> [JSON.Member] {
      [
        .init("type", .string("array")),
        .init("minItems", .number(3)),
        .init("maxItems", .number(3)),
        .init("items", .object(items)),
      ]
    }
  }

  extension [String] {
    fileprivate var enumeration: JSON.Member { .init("enum", .array(map { .string($0) })) }
  }
#endif
