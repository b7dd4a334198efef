// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Otolith
import Recordings

struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the errors of a board's chips and write them to its calibration file.",
    discussion: "docs/calibration.md tells how, what is stored, and the equations.",
    subcommands: [
      CalibrateGyroscope.self, CalibrateAccelerometer.self, CalibrateGyroscopeScale.self,
    ])
}

/// What every calibration is told.
struct CalibrationOptions: ParsableArguments {
  @Option(help: "The board file.")
  var board: String?

  @Option(help: "The chip, by its name in the board file. (default: the first that measures it)")
  var chip: String?

  @Option(
    help: ArgumentHelp(
      "Take a recording of the uncalibrated board instead of the board itself.",
      valueName: "file.csv"))
  var recording: String?

  @Option(help: "A number printed on the chip or board, for the file.")
  var serial: String?

  @Option(help: "Anything worth knowing, for the file.")
  var notes: String?

  @Flag(help: "Show the result, and write nothing.")
  var dryRun = false

  @Flag(help: "Print the result as one JSON object.")
  var json = false
}

/// A chip that is calibrated, and the file for what is found.
struct CalibrationTask {
  let board: Board
  let chip: ChipPlacement
  private let options: CalibrationOptions

  init(_ options: CalibrationOptions, _ channel: Channel, _ sensor: String) throws {
    self.options = options
    let selection: BoardSelection
    do throws(BoardErrors) { selection = try BoardSelection.choose(path: options.board) } catch {
      throw Failure(error)
    }
    board = selection.board
    Terminal.complain("board: \(selection.sentence)")
    let able = board.chips.filter { chip in
      let rows = ChipCatalog.entry(named: chip.chip)?.description.channels ?? []
      return rows.contains { $0.channel == channel }
    }
    let chip = options.chip.map { name in able.first { $0.name == name } } ?? able.first
    guard let chip else {
      let names = able.map(\.name).joined(separator: ", ")
      throw Failure(
        able.isEmpty
          ? "\(board.file) has no \(sensor)"
          : "--chip \(options.chip ?? ""): no such chip with a \(sensor); there is \(names)",
        Failure.usage)
    }
    self.chip = chip
    if board.calibrationPath == nil, !options.dryRun {
      throw Failure(
        "\(board.file) is no file that a calibration could lie beside; "
          + "write it to one and name that with --board, or add --dry-run", Failure.usage)
    }
  }

  /// What the chip's calibration says until now.
  var errors: ChipCalibration {
    board.calibration?.chips[chip.name]?.errors ?? ChipCalibration()
  }

  /// Prints the result, `lines` for people or `json` for programs, and writes `errors` to the calibration file, in which
  /// all other chips stay as they are.
  func finish(_ errors: ChipCalibration, lines: [String], json: some Encodable) throws {
    if options.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // Finite numbers and texts: nothing in them that JSON could not hold.
      let text = try String(decoding: encoder.encode(json), as: UTF8.self)
      Terminal.say(text)
    } else {
      for line in lines { Terminal.say(line) }
    }
    guard !options.dryRun, let path = board.calibrationPath else {
      Terminal.complain("nothing was written")
      return
    }
    var calibration = board.calibration ?? Calibration(file: path)
    let before = calibration.chips[chip.name]
    calibration.chips[chip.name] = CalibratedChip(
      chip: chip.chip, address: chip.address, serial: options.serial ?? before?.serial,
      made: Self.today, notes: options.notes ?? before?.notes, errors: errors)
    do throws(FileWriterError) {
      try FileWriter.replace(path, with: calibration.text)
    } catch { throw Failure(error) }
    Terminal.complain("written: \(path)")
  }

  /// `2026-11-22`
  private static var today: String {
    Date().formatted(.iso8601.year().month().day())
  }

  /// What calls itself `sensor` in the first line of a result.
  func title(_ sensor: String) -> String { "\(sensor) of \(chip.name), \(chip.chip)" }

  /// A row of three numbers.
  static func row(_ name: String, _ v: Vector3, digits: Int, _ unit: String = "") -> String {
    let numbers = [v.x, v.y, v.z].map { String(format: "%11.\(digits)f", $0) }.joined()
    let padding = String(repeating: " ", count: max(0, 24 - name.count))
    return name + padding + numbers + (unit.isEmpty ? "" : " \(unit)")
  }
}

extension Vector3 {
  var components: [Double] { [x, y, z] }
}
