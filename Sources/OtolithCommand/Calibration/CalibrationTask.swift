// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Foundation
import Otolith
import Recordings
import Runtime
import Sensors

/// The outcome of a calibration, before anything of it is written.
struct CalibrationOutcome {
  /// For people.
  var lines: [String]
  /// For programs.
  var json: any Encodable
  /// The changes to chips' entries of the calibration file.
  var changes: [(chip: ChipPlacement, change: (inout CalibratedChip) -> Void)]

  /// The result as one JSON object.
  func object() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Finite numbers and texts: nothing in them that JSON could not hold.
    return try String(decoding: encoder.encode(json), as: UTF8.self)
  }
}

/// A chip that is calibrated, and the file for what is found.
struct CalibrationTask {
  let board: Board
  let chip: ChipPlacement
  let options: CalibrationOptions

  init(_ options: CalibrationOptions, _ channel: Channel, _ sensor: String) throws {
    self.options = options
    let board = try Self.board(options)
    self.board = board
    let able = board.chips.filter { $0.measures(channel) }
    guard let first = able.first else {
      throw Failure("\(board.file) has no \(sensor)", Failure.usage)
    }
    chip =
      try options.chip.map { name in
        try board.chip(named: name, among: able, is: " with a \(sensor)")
      } ?? first
    if options.board.simulation.simulate, !options.dryRun {
      throw Failure(
        "\(board.file) is simulated, and what is found of models is no calibration of its chips: "
          + "add --dry-run", Failure.usage)
    }
    if board.calibrationPath == nil, !options.dryRun {
      throw Failure(
        "\(board.file) is no file that a calibration could lie beside; "
          + "write it to one and name that with --board, or add --dry-run", Failure.usage)
    }
  }

  /// The board that is asked for, and its name told.
  static func board(_ options: CalibrationOptions) throws -> Board {
    // A model is turned as each step asks.
    let selection = try options.board.select(moving: .asAsked)
    selection.announce()
    return selection.board
  }

  /// The errors by the chip's calibration until now.
  var errors: ChipCalibration { errors(of: chip) }

  func errors(of chip: ChipPlacement) -> ChipCalibration {
    board.calibration?.chips[chip.name]?.errors ?? ChipCalibration()
  }

  /// Prints what was found and writes it to the calibration file.
  func finish(_ outcome: CalibrationOutcome) throws {
    if options.json {
      Terminal.say(try outcome.object())
    } else {
      for line in outcome.lines { Terminal.say(line) }
    }
    try write(outcome)
  }

  /// Writes what was found to the calibration file, in which all else stays as it is: as a whole or
  /// not at all.
  func write(_ outcome: CalibrationOutcome) throws {
    guard !options.dryRun, let path = board.calibrationPath else {
      Terminal.complain("nothing was written")
      return
    }
    var calibration = board.calibration ?? Calibration(file: path)
    for (chip, change) in outcome.changes {
      var entry = calibration.chips[chip.name] ?? CalibratedChip(chip: chip.chip)
      entry.chip = chip.chip
      entry.address = chip.address
      entry.serial = options.serial ?? entry.serial
      entry.made = Self.today
      entry.notes = options.notes ?? entry.notes
      change(&entry)
      calibration.chips[chip.name] = entry
    }
    try OutputFile(updating: path).write(calibration.text, makesFolder: true)
    Terminal.complain("written: \(path)")
  }

  /// `2026-11-22`
  private static var today: String {
    Date().formatted(.iso8601.year().month().day())
  }

  /// Returns the title of `sensor` in the first line of a result.
  func title(_ sensor: String) -> String { "\(sensor) of \(chip.name), \(chip.chip)" }

  /// A row of three numbers.
  static func row(_ name: String, _ v: Vector3, digits: Int, _ unit: String = "") -> String {
    let numbers = [v.x, v.y, v.z].map { String(format: "%11.\(digits)f", $0) }.joined()
    let padding = String(repeating: " ", count: max(0, 24 - name.count))
    return name + padding + numbers + (unit.isEmpty ? "" : " \(unit)")
  }

  /// The three rows of a matrix, the first with its name.
  static func rows(_ name: String, _ m: Matrix3) -> [String] {
    m.rows.enumerated().map { row($0 == 0 ? name : "", $1, digits: 5) }
  }
}

extension ChipPlacement {
  /// Returns true where it measures `channel` at all.
  func measures(_ channel: Channel) -> Bool {
    (ChipCatalog.entry(named: chip)?.description.channels(of: settings) ?? []).contains {
      $0.channel == channel
    }
  }
}

extension Vector3 {
  var components: [Double] { [x, y, z] }
}

extension Matrix3 {
  var rows: [Vector3] {
    [Vector3(m11, m12, m13), Vector3(m21, m22, m23), Vector3(m31, m32, m33)]
  }
}
