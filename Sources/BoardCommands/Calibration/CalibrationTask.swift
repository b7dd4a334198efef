// SPDX-License-Identifier: Apache-2.0
package import Boards
import ChipCatalog
import Foundation
package import Otolith
import Recordings
import Runtime
import Sensors

/// The outcome of a calibration, before anything of it is written.
package struct CalibrationOutcome: Sendable {
  /// For people.
  package var lines: [String]
  /// For programs.
  var json: any Encodable & Sendable
  /// The changes to chips' entries of the calibration file.
  var changes: [Change]

  struct Change: Sendable {
    let chip: ChipPlacement
    let make: @Sendable (inout CalibratedChip) -> Void

    init(_ chip: ChipPlacement, _ make: @escaping @Sendable (inout CalibratedChip) -> Void) {
      (self.chip, self.make) = (chip, make)
    }
  }

  /// The result as one JSON object, with `notice` among its keys where there is one.
  func object(_ notice: String? = nil) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Finite numbers and texts: nothing in them that JSON could not hold.
    return try String(
      decoding: encoder.encode(Noticed(result: json, notice: notice)), as: UTF8.self)
  }
}

/// A chip that is calibrated, and the file for what is found.
package struct CalibrationTask: Sendable {
  package let board: Board
  let chip: ChipPlacement
  let options: CalibrationOptions

  /// `board` is the one that is at hand already; `nil`: the one that the options ask for.
  init(
    _ options: CalibrationOptions, _ channel: Channel, _ sensor: String, on board: Board? = nil
  ) throws {
    self.options = options
    let board = try board ?? Self.board(options)
    self.board = board
    let able = board.chips.filter { $0.measures(channel) }
    guard let first = able.first else {
      throw Failure("\(board.file) has no \(sensor)", Failure.usage)
    }
    chip =
      try options.chip.map { name in
        try board.chip(named: name, among: able, is: " with a \(sensor)")
      } ?? first
    if !options.dryRun,
      let obstacle = Self.obstacle(board, isSimulated: options.board.simulation.simulate)
    {
      let or = options.board.simulation.simulate ? ":" : ", or"
      throw Failure("\(obstacle)\(or) add --dry-run", Failure.usage)
    }
  }

  /// The reason why nothing can be written for `board`, and what to do; `nil`: it can. With
  /// `isSimulated` models stand in the place of its chips.
  package static func obstacle(_ board: Board, isSimulated: Bool = false) -> String? {
    if isSimulated {
      return "\(board.file) is simulated, and what is found of models is no calibration of its "
        + "chips"
    }
    guard board.calibrationPath == nil else { return nil }
    return "\(board.file) is no file that a calibration could lie beside; "
      + "write it to one and name that with --board"
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

  /// The notice that no hardware answers; `nil` for a recording, whatever board names its chips.
  var notice: String? { options.recording == nil ? board.notice : nil }

  /// Prints what was found and writes it to the calibration file.
  func finish(_ outcome: CalibrationOutcome) throws {
    if options.json {
      Terminal.say(try outcome.object(notice))
    } else {
      if let notice { Terminal.say(Terminal.emphasis(notice)) }
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
    try save(outcome, to: path, beside: board.calibration)
    Terminal.complain("written: \(path)")
  }

  /// The same, where `known` is what the file holds.
  package func save(
    _ outcome: CalibrationOutcome, to path: String, beside known: Calibration?
  ) throws(Failure) {
    var calibration = known ?? Calibration(file: path)
    for change in outcome.changes {
      let chip = change.chip
      var entry = calibration.chips[chip.name] ?? CalibratedChip(chip: chip.chip)
      entry.chip = chip.chip
      entry.address = chip.address
      entry.serial = options.serial ?? entry.serial
      entry.made = Self.today
      entry.notes = options.notes ?? entry.notes
      change.make(&entry)
      calibration.chips[chip.name] = entry
    }
    try OutputFile(updating: path).write(calibration.text, makesFolder: true)
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
  package func measures(_ channel: Channel) -> Bool {
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
