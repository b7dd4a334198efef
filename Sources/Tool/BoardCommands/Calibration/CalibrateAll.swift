// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Boards
import Foundation
import Otolith

struct CalibrateAll: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "all",
    abstract: "Calibrate gyroscope, mounting, accelerometer and magnetometer in turn.",
    discussion: """
      Sensors that the board does not have are skipped. Each result is written when it is \
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
    let board = try CalibrationTask.board(options)
    let guide = TerminalGuide()
    let arguments = options.arguments
    typealias Step = (name: String, channel: Channel, measure: () throws -> Found)
    let steps: [Step] = [
      ("gyroscope", .rotationRate, { try CalibrateGyroscope.parse(arguments).measure(guide) }),
      ("mounting", .acceleration, { try CalibrateMounting.parse(arguments).measure(guide) }),
      (
        "accelerometer", .acceleration,
        { try CalibrateAccelerometer.parse(arguments).measure(guide) }
      ),
      (
        "magnetometer", .magneticField,
        { try CalibrateMagnetometer.parse(arguments).measure(guide) }
      ),
    ]
    let wanted = steps.filter { step in board.chips.contains { $0.measures(step.channel) } }
    if wanted.isEmpty {
      throw Failure("\(board.file) has no chip to calibrate", Failure.usage)
    }
    var objects: [String] = []
    for (index, step) in wanted.enumerated() {
      guide.say("-- \(step.name), \(index + 1) of \(wanted.count)")
      let (task, outcome) = try step.measure()
      if options.json {
        objects.append("\"\(step.name)\":\(try outcome.object(task.notice))")
        try task.write(outcome)
      } else {
        try task.finish(outcome)
      }
    }
    if options.json { Terminal.say("{\(objects.joined(separator: ","))}") }
  }

  private typealias Found = (CalibrationTask, CalibrationOutcome)
}
