// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BoardCalibration
import Fusion

package struct CalibrateAccelerometer: CalibrationCommand {
  static let configuration = CommandConfiguration(
    commandName: "accelerometer",
    abstract: "Calibrate the accelerometer's offset and scale from six positions at rest.",
    discussion: """
      Lay the board on each of its six faces, in any order, and keep it still until the next line \
      appears. Within 10 degrees is good enough. With --positions 9 or more, lay it on edges and \
      corners too; this also gives the misalignment.
      """)

  @OptionGroup var options: CalibrationOptions

  @Option(
    parsing: .unconditional, help: "The number of positions, including the six faces. (default: 6)",
    transform: NumberForm.whole(
      "a whole number of positions", 6...SixPositions.capacity, example: 6))
  var positions = AccelerometerCalibration().positions

  @Option(
    name: .customLong("gravity-g"), parsing: .unconditional,
    help: "The local gravity in g, 0.997 to 1.003. (default: 1.0)",
    transform: NumberForm.number(of: "g", 0.99...1.01, example: 1))
  var gravity = AccelerometerCalibration().gravity

  @Option(
    parsing: .unconditional, help: "The timeout in seconds. (default: 300.0)",
    transform: NumberForm.seconds(example: 300))
  var timeout = AccelerometerCalibration().timeout

  var calibration: any GuidedCalibration {
    var calibration = AccelerometerCalibration(options.request)
    calibration.positions = positions
    calibration.gravity = gravity
    calibration.timeout = timeout
    return calibration
  }
}
