// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BoardCalibration

package struct CalibrateMounting: CalibrationCommand {
  static let configuration = CommandConfiguration(
    commandName: "mounting",
    abstract: "Find the orientation of the chips in the device from two gestures and a third to "
      + "verify.",
    discussion: """
      Lay the device face up for two seconds. Hold it upright, its top edge up, for two seconds. \
      Lay it flat again; then hold it with its right edge down for two seconds. Within 30 degrees \
      is good enough: chips are usually soldered at right angles, so the nearest of the 24 \
      right-angled orientations is written if it is near enough; --as-measured always writes the \
      measured one. The orientation of a separate magnetometer is found from the same gestures. \
      The result overrides 'mounting' in the board file.
      """)

  @OptionGroup var options: CalibrationOptions

  @Flag(help: "Write the measured orientation, even if it is close to right angles.")
  var asMeasured = false

  @Option(
    parsing: .unconditional, help: "The timeout in seconds. (default: 120.0)",
    transform: NumberForm.seconds(example: 120))
  var timeout = MountingCalibration().timeout

  var calibration: any GuidedCalibration {
    var calibration = MountingCalibration(options.request)
    calibration.asMeasured = asMeasured
    calibration.timeout = timeout
    return calibration
  }
}
