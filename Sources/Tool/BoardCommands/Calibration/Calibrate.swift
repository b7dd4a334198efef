// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

package struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measure the errors of a board's chips and write them to its calibration file.",
    discussion: """
      Each calibration gives instructions step by step and shows its progress on a terminal. The \
      file is written once a calibration is complete; Ctrl-C leaves it unchanged. \
      docs/calibration.md explains the procedures, the file and the equations.

      A simulated board must be moved too: with 'motion: as-asked' in its 'simulation:' section it \
      follows each instruction, and 'errors:' gives its chips errors to find.
      """,
    subcommands: [
      CalibrationStatus.self, CalibrateAll.self, CalibrateGyroscope.self,
      CalibrateAccelerometer.self,
      CalibrateGyroscopeScale.self, CalibrateMagnetometer.self, CalibrateMounting.self,
    ])
}

/// The options that all calibrations share.
struct CalibrationOptions: ParsableArguments {
  @OptionGroup var board: BoardOptions

  @Option(
    help:
      "The chip, by its name in the board file or its kind. (default: the first that measures it)",
    completion: .chips)
  var chip: String?

  @Option(
    help: ArgumentHelp(
      "Use this recording of the uncalibrated board instead of the board.",
      valueName: "file.csv"),
    completion: .file(extensions: ["csv"]))
  var recording: String?

  @Flag(help: "Reject a recording with unreadable rows or rows out of time order.")
  var strict = false

  @Option(help: "The serial number of the chip or board, stored in the file.")
  var serial: String?

  @Option(help: "Notes, stored in the file.")
  var notes: String?

  @Flag(help: "Show the result without writing it.")
  var dryRun = false

  @Flag(help: "Print the result as one JSON object.")
  var json = false

  @Flag(help: "Run a simulated board in real time instead of as fast as possible.")
  var realTime = false
}

extension CalibrationOptions {
  func validate() throws {
    if strict, recording == nil {
      throw ValidationError("--strict needs --recording")
    }
  }

  /// The options as command-line arguments, for the sequence of all calibrations.
  var arguments: [String] {
    let values = [("--serial", serial), ("--notes", notes)]
    let flags = [("--dry-run", dryRun), ("--json", json), ("--real-time", realTime)]
    return board.arguments + values.flatMap { name, value in value.map { [name, $0] } ?? [] }
      + flags.filter(\.1).map(\.0)
  }
}
