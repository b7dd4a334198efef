// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// The names of a command's option, as listed by the parser.
struct OptionNames {
  /// The names with their dashes.
  let names: [String]
  /// False for flags and for positional arguments.
  let isOption: Bool
  let isRepeating: Bool

  /// Returns the options of `command`; `nil` if the parser does not list them.
  static func all(of command: any ParsableCommand.Type) -> [OptionNames]? {
    let text = command._dumpHelp()
    guard let list = try? JSONDecoder().decode(List.self, from: Data(text.utf8)) else { return nil }
    return list.command.arguments?.map { argument in
      OptionNames(
        names: argument.names?.map { ($0.kind == "long" ? "--" : "-") + $0.name } ?? [],
        isOption: argument.kind == "option", isRepeating: argument.isRepeating)
    }
  }

  private struct List: Decodable {
    let command: Command

    struct Command: Decodable { let arguments: [Argument]? }

    struct Argument: Decodable {
      let kind: String
      let isRepeating: Bool
      let names: [Name]?
    }

    struct Name: Decodable {
      let kind: String
      let name: String
    }
  }
}
