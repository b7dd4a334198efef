// SPDX-License-Identifier: Apache-2.0
import MotionSources
import ArgumentParser
import BoardCalibration
import Boards
import CommandOutput

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
      CalibrateAlignment.self,
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

  var request: CalibrationRequest {
    var request = CalibrationRequest()
    (request.chip, request.recording, request.isStrict) = (chip, recording, strict)
    (request.serial, request.notes) = (serial, notes)
    (request.isDryRun, request.isRealTime) = (dryRun, realTime)
    request.isSimulated = board.simulation.simulate
    return request
  }

  /// Returns the board, and prints its name.
  func choose() throws(Failure) -> Board {
    // A simulated board moves as each calibration step requests.
    let selection = try board.select(moving: .asAsked)
    selection.announce()
    return selection.board
  }

  /// Prints the result and writes it to the calibration file.
  func finish(_ task: CalibrationTask, _ outcome: CalibrationOutcome) throws {
    if json {
      Terminal.say(try outcome.object(task.notice))
    } else {
      if let notice = task.notice { Terminal.say(Terminal.emphasis(notice)) }
      for line in outcome.lines { Terminal.say(line) }
    }
    try write(task, outcome)
  }

  /// Writes the result to the calibration file atomically; other entries do not change.
  func write(_ task: CalibrationTask, _ outcome: CalibrationOutcome) throws {
    guard !dryRun, let path = task.board.calibrationPath else {
      Terminal.complain("nothing was written")
      return
    }
    try task.save(outcome, to: path, updating: task.board.calibration)
    Terminal.complain("written: \(path)")
  }
}

extension CalibrationOutcome {
  /// Returns the result as one JSON object, with the key `notice` if there is a notice.
  func object(_ notice: String?) throws -> String {
    try Noticed(result: json, notice: notice).jsonText()
  }
}
