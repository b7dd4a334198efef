// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Boards
import Otolith
import Text

/// An unknown command, with the nearest existing one.
enum MistypedCommand {
  /// Returns a line of advice on `arguments` as typed (without the program's name); `nil` if all
  /// commands in them exist.
  static func line(_ arguments: some Sequence<String>) -> String? {
    let meant = command(arguments)
    // If a command has a default subcommand, the word may be the subcommand's argument.
    guard let word = meant.rest.first, !meant.command.configuration.subcommands.isEmpty,
      meant.command.configuration.defaultSubcommand == nil
    else { return nil }
    let names = names(below: meant.command)
    return line(below: meant.command, word, path: meant.path)
      ?? "there is no command '\(meant.path) \(word)'; there are: \(names.joined(separator: ", "))"
  }

  /// Returns a line about the first argument that is not UTF-8; `nil` if all are. Its converted
  /// text would name a different file, which a command would not find, or would write.
  static func lineOfForeignBytes() -> String? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      // The strings of the command line live as long as the process, and are zero-terminated.
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      let shown = unsafe String(cString: argument)  // as above
      return
        "argument \(index), '\(shown)', is not UTF-8: rename the file, or use a link"
    }
    return nil
  }

  /// Returns the advice if `word` resembles a command below `command`.
  static func line(
    below command: any ParsableCommand.Type, _ word: String, path: String
  ) -> String? {
    NearestWord.to(word, among: names(below: command)).map {
      "there is no command '\(path) \(word)'; did you mean '\(path) \($0)'?"
    }
  }

  /// Returns the command named by the first of `arguments`, its full name, and the following words
  /// up to the first option.
  static func command(
    _ arguments: some Sequence<String>
  ) -> (command: any ParsableCommand.Type, path: String, rest: [String]) {
    var words = Array(arguments.prefix { !$0.hasPrefix("-") })
    // `otolith help boards chek` names commands too.
    if words.first == "help" { words.removeFirst() }
    var command: any ParsableCommand.Type = OtolithTool.self
    var path = "otolith"
    while let word = words.first,
      let next = command.configuration.subcommands.first(where: {
        $0.configuration.commandName == word
      })
    {
      words.removeFirst()
      command = next
      path += " \(word)"
    }
    return (command, path, words)
  }

  private static func names(below command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.compactMap { $0.configuration.commandName }
  }
}
