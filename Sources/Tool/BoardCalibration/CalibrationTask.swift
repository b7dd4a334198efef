// SPDX-License-Identifier: Apache-2.0
import Text
package import CommandOutput
package import Boards
import ChipCatalog
import Foundation
package import Otolith
import Recordings
import Runtime
import Sensors

/// The result of a calibration, before it is written.
package struct CalibrationOutcome: Sendable {
  /// The result as lines of text for users.
  package var lines: [String]
  /// The result as JSON for programs.
  package var json: any Encodable & Sendable
  /// The changes to the chips' entries in the calibration file.
  var changes: [Change]

  struct Change: Sendable {
    let chip: ChipPlacement
    let make: @Sendable (inout CalibratedChip) -> Void

    init(_ chip: ChipPlacement, _ make: @escaping @Sendable (inout CalibratedChip) -> Void) {
      (self.chip, self.make) = (chip, make)
    }
  }
}

/// A chip to calibrate, and the calibration file for the result.
package struct CalibrationTask: Sendable {
  package let board: Board
  let chip: ChipPlacement
  let request: CalibrationRequest

  /// Creates a task for the requested chip of `board`, or for the first chip that measures
  /// `channel`. `sensor` is the sensor's name in error messages.
  init(
    _ request: CalibrationRequest, _ channel: Channel, _ sensor: String, on board: Board
  ) throws(Failure) {
    self.request = request
    self.board = board
    let able = board.chips.filter { $0.measures(channel) }
    guard let first = able.first else {
      throw Failure("\(board.file) has no \(sensor)", Failure.usage)
    }
    chip =
      try request.chip.map { name throws(Failure) in
        try board.chip(named: name, among: able, is: " with a \(sensor)")
      } ?? first
    if !request.isDryRun,
      let obstacle = Self.obstacle(board, isSimulated: request.isSimulated)
    {
      let or = request.isSimulated ? ":" : ", or"
      throw Failure("\(obstacle)\(or) add --dry-run", Failure.usage)
    }
  }

  /// Returns the reason why no calibration can be written for `board`, with advice; otherwise
  /// `nil`. With `isSimulated`, simulated chips replace the board's chips.
  package static func obstacle(_ board: Board, isSimulated: Bool = false) -> String? {
    if isSimulated {
      return "\(board.file) is simulated, and values found with models do not calibrate its chips"
    }
    guard board.calibrationPath == nil else { return nil }
    return "\(board.file) is not a file, so there is no folder for its calibration; write it to "
      + "one and name that with --board"
  }

  /// The errors of the task's chip according to its current calibration.
  var errors: ChipCalibration { errors(of: chip) }

  func errors(of chip: ChipPlacement) -> ChipCalibration {
    board.calibration?.chips[chip.name]?.errors ?? ChipCalibration()
  }

  /// The notice that there is no hardware; `nil` for a recording, which may name a simulated board.
  package var notice: String? { request.recording == nil ? board.notice : nil }

  /// Writes the result to the calibration file at `path`; `known` is the file's previous content.
  package func save(
    _ outcome: CalibrationOutcome, to path: String, updating known: Calibration?
  ) throws(Failure) {
    var calibration = known ?? Calibration(file: path)
    for change in outcome.changes {
      let chip = change.chip
      var entry = calibration.chips[chip.name] ?? CalibratedChip(chip: chip.chip)
      entry.chip = chip.chip
      entry.address = chip.address
      entry.serial = request.serial ?? entry.serial
      entry.made = Self.today
      entry.notes = request.notes ?? entry.notes
      change.make(&entry)
      calibration.chips[chip.name] = entry
    }
    try OutputFile(updating: path).write(calibration.text, makesFolder: true)
  }

  /// The current date, such as `2026-11-22`.
  private static var today: String {
    Date().formatted(.iso8601.year().month().day())
  }

  /// Returns the first line of a result, which names `sensor` and the chip.
  func title(_ sensor: String) -> String { "\(sensor) of \(chip.name), \(chip.chip)" }

  /// Returns a line with a name and three numbers.
  static func row(_ name: String, _ v: Vector3, digits: Int, _ unit: String = "") -> String {
    let numbers = [v.x, v.y, v.z].map { String(format: "%11.\(digits)f", $0) }.joined()
    return name.padded(to: 24) + numbers + (unit.isEmpty ? "" : " \(unit)")
  }

  /// Returns three lines for a matrix; the first starts with its name.
  static func rows(_ name: String, _ m: Matrix3) -> [String] {
    m.rows.enumerated().map { row($0 == 0 ? name : "", $1, digits: 5) }
  }
}

extension ChipPlacement {
  /// Returns true if the chip measures `channel`.
  package func measures(_ channel: Channel) -> Bool {
    (sheet?.channels(of: settings) ?? []).contains {
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
