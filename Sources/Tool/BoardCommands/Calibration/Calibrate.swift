// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

package struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measure the errors of a board's chips and write them to its calibration file.",
    discussion: """
      Each tells what to do, step by step, and shows in a terminal how far it is. What is found is \
      written when a calibration is complete, as a whole or not at all: Ctrl-C leaves the file as \
      it was. docs/calibration.md tells how, what is stored, and the equations.

      A simulated board has to be moved too: 'motion: as-asked' in its 'simulation:' does what \
      each step asks for, and 'errors:' gives its chips something to find.
      """,
    subcommands: [
      CalibrationStatus.self, CalibrateAll.self, CalibrateGyroscope.self,
      CalibrateAccelerometer.self,
      CalibrateGyroscopeScale.self, CalibrateMagnetometer.self, CalibrateMounting.self,
    ])
}

/// The options for every calibration.
struct CalibrationOptions: ParsableArguments {
  @OptionGroup var board: BoardOptions

  @Option(
    help:
      "The chip, by its name in the board file or its kind. (default: the first that measures it)",
    completion: .chips)
  var chip: String?

  @Option(
    help: ArgumentHelp(
      "Take a recording of the uncalibrated board instead of the board itself.",
      valueName: "file.csv"),
    completion: .file(extensions: ["csv"]))
  var recording: String?

  @Flag(help: "Refuse a recording with rows that cannot be read or are not in time order.")
  var strict = false

  @Option(help: "A number printed on the chip or board, for the file.")
  var serial: String?

  @Option(help: "Anything worth knowing, for the file.")
  var notes: String?

  @Flag(help: "Show the result, and write nothing.")
  var dryRun = false

  @Flag(help: "Print the result as one JSON object.")
  var json = false

  @Flag(help: "Let a simulated board live in real time, not as fast as this machine computes.")
  var realTime = false
}

extension CalibrationOptions {
  func validate() throws {
    if strict, recording == nil {
      throw ValidationError("--strict is about the rows of a --recording: name one")
    }
  }

  /// The options as arguments, for a sequence of calibrations.
  var arguments: [String] {
    let values = [("--serial", serial), ("--notes", notes)]
    let flags = [("--dry-run", dryRun), ("--json", json), ("--real-time", realTime)]
    return board.arguments + values.flatMap { name, value in value.map { [name, $0] } ?? [] }
      + flags.filter(\.1).map(\.0)
  }
}
