// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Boards
import Otolith

/// A command that does not exist, and the nearest that does.
enum MistypedCommand {
  /// Returns a line of advice on `arguments` as they were typed (without the program's name); `nil`
  /// where every command in them exists.
  static func line(_ arguments: some Sequence<String>) -> String? {
    var command: any ParsableCommand.Type = OtolithTool.self
    var path = "otolith"
    for word in arguments {
      let below = command.configuration.subcommands
      guard !below.isEmpty, !word.hasPrefix("-"), word != "help" || path != "otolith" else {
        return nil
      }
      if let next = below.first(where: { name(of: $0) == word }) {
        command = next
        path += " \(word)"
        continue
      }
      // Where a command has a default, the word may be that one's argument.
      guard command.configuration.defaultSubcommand == nil else { return nil }
      let names = below.map(name(of:))
      let guess = NearestWord.to(word, among: names).map { "; did you mean '\(path) \($0)'?" }
      return "there is no command '\(path) \(word)'"
        + (guess ?? "; there are: \(names.joined(separator: ", "))")
    }
    return nil
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command._commandName
  }
}
