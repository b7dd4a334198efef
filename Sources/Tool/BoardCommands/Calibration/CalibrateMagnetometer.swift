// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BoardCalibration

package struct CalibrateMagnetometer: CalibrationCommand {
  static let configuration = CommandConfiguration(
    commandName: "magnetometer",
    abstract: "Calibrate the magnetometer's hard and soft iron.",
    discussion: """
      Install the board in its device first: this measures the effect of the device's batteries, \
      motors and screws. Then turn the whole device slowly through all directions, as if to show \
      each side to every wall, the floor and the ceiling, at least a metre from other steel and \
      magnets. On a terminal a map shows the directions covered. The scale is calibrated only if \
      the board file has a position; the shape always.
      """)

  @OptionGroup var options: CalibrationOptions

  @Option(
    parsing: .unconditional,
    help: "The required coverage of all directions in percent. (default: 90.0)",
    transform: NumberForm.number(of: "percent", 70...100, example: 90))
  var coverage = MagnetometerCalibration().coverage

  @Option(
    parsing: .unconditional,
    help:
      "The timeout in seconds; a coverage of 70 percent is then enough. (default: 120.0)",
    transform: NumberForm.seconds(example: 120))
  var timeout = MagnetometerCalibration().timeout

  var calibration: any GuidedCalibration {
    var calibration = MagnetometerCalibration(options.request)
    calibration.coverage = coverage
    calibration.timeout = timeout
    return calibration
  }
}
