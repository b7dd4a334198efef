// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BoardCalibration

struct CalibrateGyroscopeScale: CalibrationCommand {
  static let configuration = CommandConfiguration(
    commandName: "gyroscope-scale",
    abstract: "Calibrate the gyroscope's scale and misalignment from whole turns on a table.",
    discussion: """
      Calibrate the accelerometer first. Lay the board on one side, against a ruler, and leave it \
      for three seconds; turn it flat on the table by about five whole revolutions, back against \
      the ruler, and leave it for three seconds. Repeat this on two other sides, so that the three \
      axes of rotation are at right angles.
      """)

  @OptionGroup var options: CalibrationOptions

  @Option(
    parsing: .unconditional, help: "The number of turns, about at least three axes. (default: 3)",
    transform: NumberForm.whole("a whole number of turns", 3...100, example: 3))
  var turns = GyroscopeScaleCalibration().turns

  @Option(
    parsing: .unconditional, help: "The timeout in seconds. (default: 300.0)",
    transform: NumberForm.seconds(example: 300))
  var timeout = GyroscopeScaleCalibration().timeout

  var calibration: any GuidedCalibration {
    var calibration = GyroscopeScaleCalibration(options.request)
    calibration.turns = turns
    calibration.timeout = timeout
    return calibration
  }
}
