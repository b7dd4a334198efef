// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BoardCalibration

package struct CalibrateGyroscope: CalibrationCommand {
  static let configuration = CommandConfiguration(
    commandName: "gyroscope",
    abstract: "Calibrate the gyroscope's bias at rest, and its temperature slope during warm-up.",
    discussion: """
      Lay the board down and do not touch it. Seconds in which it moved are discarded and \
      reported. If the chip warms up by 3 K or more, the bias is also fitted over temperature: \
      start with a cold board and use --duration 600.
      """)

  @OptionGroup var options: CalibrationOptions

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Seconds of measurement at rest. (default: 30.0)", valueName: "seconds"),
    transform: NumberForm.seconds(2...86_400, example: 30))
  var duration = GyroscopeCalibration().duration

  var calibration: any GuidedCalibration {
    var calibration = GyroscopeCalibration(options.request)
    calibration.duration = duration
    return calibration
  }
}
