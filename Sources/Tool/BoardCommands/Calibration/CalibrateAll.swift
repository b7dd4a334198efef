// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import BoardCalibration
import Boards
import Foundation
import Otolith

struct CalibrateAll: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "all",
    abstract: "Calibrate gyroscope, mounting, accelerometer, magnetometer and alignment in turn.",
    discussion: """
      Sensors that the board does not have are skipped, and the alignment on a board with one \
      inertial chip. Each result is written when it is \
      complete, so it is kept if a later calibration fails or is interrupted. Takes five minutes.
      """)

  @OptionGroup var options: CalibrationOptions

  func validate() throws {
    guard options.chip == nil, options.recording == nil else {
      throw ValidationError(
        "'all' takes the live board and each sensor's first chip; for --chip or --recording name "
          + "the calibration: otolith calibrate --help")
    }
  }

  func run() throws {
    let board = try options.choose()
    let guide = TerminalGuide()
    let request = options.request
    let steps: [(name: String, channel: Channel, calibration: any GuidedCalibration)] = [
      ("gyroscope", .rotationRate, GyroscopeCalibration(request)),
      ("mounting", .acceleration, MountingCalibration(request)),
      ("accelerometer", .acceleration, AccelerometerCalibration(request)),
      ("magnetometer", .magneticField, MagnetometerCalibration(request)),
      ("alignment", .rotationRate, AlignmentCalibration(request)),
    ]
    let wanted = steps.filter { step in
      board.chips.contains { $0.measures(step.channel) }
        && (step.name != "alignment" || AlignmentCalibration.isPossible(on: board))
    }
    if wanted.isEmpty {
      throw Failure("\(board.file) has no chip to calibrate", Failure.usage)
    }
    var objects: [String] = []
    for (index, step) in wanted.enumerated() {
      guide.say("-- \(step.name), \(index + 1) of \(wanted.count)")
      // Each step loads the board again, with the results that earlier steps have written.
      let (task, outcome) = try step.calibration.measure(guide, on: options.choose())
      if options.json {
        objects.append("\"\(step.name)\":\(try outcome.object(task.notice))")
        try options.write(task, outcome)
      } else {
        try options.finish(task, outcome)
      }
    }
    if options.json { Terminal.say("{\(objects.joined(separator: ","))}") }
  }
}
