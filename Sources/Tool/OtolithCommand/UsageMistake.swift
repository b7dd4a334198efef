// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser

/// A converter from an error in the arguments to one line: the parser's message, and where to find
/// help.
enum UsageMistake {
  /// Returns the line for `error`, which the parser threw for `arguments`.
  static func line(_ error: any Error, _ arguments: some Sequence<String>) -> String {
    let message = OtolithTool.message(for: error)
    // Messages from otolith's own commands start in lower case and already contain the remedy.
    guard message.first?.isUppercase == true else { return message }
    let meant = MistypedCommand.command(arguments)
    let command = meant.command.configuration.defaultSubcommand ?? meant.command
    let name = command == meant.command ? nil : command.configuration.commandName
    let path = meant.path + (name.map { " \($0)" } ?? "")
    if let board = meant.rest.first(where: BoardOption.isBoard), namesBoardByOption(command) {
      return "\(sentence(message)); '\(board)' is a board, which is named so here: \(path) "
        + "--board \(board)"
    }
    let sentence = sentence(message)
    return sentence.hasSuffix("?") ? sentence : "\(sentence); see: \(path) --help"
  }

  /// Returns true if the command takes its board only from the option `--board`.
  private static func namesBoardByOption(_ command: any ParsableCommand.Type) -> Bool {
    let usage = OtolithTool.usageString(for: command)
    let hasPlaceForIt = ["[<board>]", "[<file>]", "[<files> ...]"].contains { usage.contains($0) }
    return usage.contains("--board <board>") && !hasPlaceForIt
  }

  /// Returns the parser's message as one line that begins in lower case, with list items separated
  /// by commas.
  private static func sentence(_ message: String) -> String {
    let lines = message.split(separator: "\n").map { $0.drop { " -".contains($0) } }
    var text = ""
    for line in lines {
      text += text.isEmpty ? "" : text.hasSuffix(":") ? " " : ", "
      text += line
    }
    if text.hasSuffix(".") { text.removeLast() }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
