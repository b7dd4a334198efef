// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Boards
import Otolith
import Text

/// A search for the existing command that is nearest to a mistyped command.
enum MistypedCommand {
  /// Returns a hint for `arguments`, which do not include the program's name; `nil` if every
  /// command in them exists.
  static func line(_ arguments: some Sequence<String>) -> String? {
    let meant = command(arguments)
    // If the command has a default subcommand, an unknown word may be an argument of that
    // subcommand.
    guard let word = meant.rest.first, !meant.command.configuration.subcommands.isEmpty,
      meant.command.configuration.defaultSubcommand == nil
    else { return nil }
    let names = names(below: meant.command)
    return line(below: meant.command, word, path: meant.path)
      ?? "there is no command '\(meant.path) \(word)'; there are: \(names.joined(separator: ", "))"
  }

  /// Returns an error line for the first argument that is not UTF-8; `nil` if all are UTF-8. With
  /// replacement characters, such an argument would name a different file, and the command would
  /// read or write that file.
  static func lineOfForeignBytes() -> String? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      // The C strings of the command line are zero-terminated and live as long as the process.
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      let shown = unsafe String(cString: argument)  // as above
      return
        "argument \(index), '\(shown)', is not UTF-8: rename the file, or use a link"
    }
    return nil
  }

  /// Returns the hint if `word` resembles the name of a subcommand of `command`.
  static func line(
    below command: any ParsableCommand.Type, _ word: String, path: String
  ) -> String? {
    NearestWord.to(word, among: names(below: command)).map {
      "there is no command '\(path) \(word)'; did you mean '\(path) \($0)'?"
    }
  }

  /// Returns the command named by the first words of `arguments`, its full name, and the remaining
  /// words before the first option.
  static func command(
    _ arguments: some Sequence<String>
  ) -> (command: any ParsableCommand.Type, path: String, rest: [String]) {
    var words = Array(arguments.prefix { !$0.hasPrefix("-") })
    // `otolith help boards chek` also names commands, after the word `help`.
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
