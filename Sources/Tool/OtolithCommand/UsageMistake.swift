// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Boards
import Otolith
import Text

/// An error in the arguments, as one line: the error, with the nearest word or where to look.
enum UsageMistake {
  /// Returns the line for `error`, which parsing `arguments` threw.
  static func line(_ error: any Error, _ arguments: some Sequence<String>) -> String {
    let message = OtolithTool.message(for: error)
    // Messages from otolith's own commands start in lower case, and contain the remedy.
    guard message.first?.isUppercase == true else { return message }
    let meant = MistypedCommand.command(arguments)
    let command = meant.command.configuration.defaultSubcommand ?? meant.command
    let path = meant.path + (command == meant.command ? "" : " \(command._commandName)")
    let advice = "; see: \(path) --help"
    if let match = message.firstMatch(of: /^Unknown option '(-[^']*)'/) {
      let word = String(match.1)
      let options = OtolithTool.helpMessage(for: command).matches(of: /--[a-z][a-z0-9-]*/)
        .map { String($0.0) }
      let guess = word.hasPrefix("--") ? NearestWord.to(word, among: options) : nil
      return "there is no option '\(word)'" + (guess.map { "; did you mean '\($0)'?" } ?? advice)
    }
    if let match = message.firstMatch(of: /(?s)^The value '(.*)' is invalid for '([^']*)': (.*)$/) {
      return "'\(match.1)' is no value of '\(match.2)'; \(match.3)"
    }
    if let match = message.firstMatch(of: /^The value '(.*)' is invalid for '([^']*)'/) {
      return value(String(match.1), of: String(match.2), message) ?? sentence(message) + advice
    }
    if let board = meant.rest.first(where: BoardOption.isBoard),
      message.hasPrefix("Missing expected argument '--chip")
        || message.hasPrefix("Unexpected argument '\(board)'"),
      !OtolithTool.helpMessage(for: command).contains("[<board>]")
    {
      return "\(sentence(message)); '\(board)' is a board, which is named so here: \(path) "
        + "--board \(board)"
    }
    return sentence(message) + advice
  }

  /// Returns the line about an option given twice in `arguments`, of which the parser would
  /// silently ignore the first; `nil` if there is no such option.
  static func repetition(_ arguments: some Sequence<String>) -> String? {
    let names = arguments.prefix { $0 != "--" }.compactMap { word -> String? in
      guard word.hasPrefix("-"), word.contains(where: \.isLetter) else { return nil }
      return String(word.prefix { $0 != "=" })
    }
    // The options are listed only for arguments that may contain the error, because that is slow:
    // `-d` and `--duration` are the same option.
    let short = names.filter { !$0.hasPrefix("--") }
    guard Set(names).count < names.count || !short.isEmpty && short.count < names.count else {
      return nil
    }
    let command = MistypedCommand.command(arguments).command
    let called = command.configuration.defaultSubcommand ?? command
    guard let options = OptionNames.all(of: called) else { return nil }
    for option in options where option.isOption && !option.isRepeating {
      let given = names.filter(option.names.contains)
      if given.count > 1 {
        return "'\(given[0])' is given \(given.count == 2 ? "twice" : "\(given.count) times")"
          + (Set(given).count > 1 ? " (\(given.joined(separator: ", ")))" : "") + ": give it once"
      }
    }
    return nil
  }

  /// Returns the line about a value that is not one of a fixed list; `nil` if there is no such
  /// list.
  private static func value(_ value: String, of option: String, _ message: String) -> String? {
    guard let list = message.firstRange(of: ". Please provide one of") else { return nil }
    let rest = message[list.upperBound...]
    let quoted = rest.matches(of: /'([^']*)'/).map { String($0.1) }
    let values =
      quoted.isEmpty
      ? rest.split(separator: "\n").dropFirst().map { String($0.drop { " -".contains($0) }) }
      : quoted
    let advice =
      NearestWord.to(value, among: values).map { "did you mean '\($0)'?" }
      ?? "there are: \(values.joined(separator: ", "))"
    return "'\(value)' is no value of '\(option)'; \(advice)"
  }

  /// Returns the parser's message as one line in otolith's style.
  private static func sentence(_ message: String) -> String {
    var line = message.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "; ")
    if line.last == "." { line.removeLast() }
    return line.prefix(1).lowercased() + line.dropFirst()
  }
}
