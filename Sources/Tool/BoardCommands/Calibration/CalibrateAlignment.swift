// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BoardCalibration

package struct CalibrateAlignment: CalibrationCommand {
  static let configuration = CommandConfiguration(
    commandName: "alignment",
    abstract: "Find how several inertial chips of a board are turned, displaced and late.",
    discussion: """
      Take the device into your hands and turn it to and fro about all its axes for half a minute, \
      about as fast as you would to look at all its sides; moving it about does no harm. All chips \
      with a gyroscope or an accelerometer are aligned to the first that has both; --chip NAME \
      aligns one. The result overrides 'mounting' and 'position-mm' of these chips in the board \
      file, and adds to their delays.
      """)

  @OptionGroup var options: CalibrationOptions

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Seconds of motion. (default: 30.0)", valueName: "seconds"),
    transform: NumberForm.seconds(5...600, example: 30))
  var duration = AlignmentCalibration().duration

  @Option(
    parsing: .unconditional, help: "The timeout in seconds. (default: 120.0)",
    transform: NumberForm.seconds(example: 120))
  var timeout = AlignmentCalibration().timeout

  var calibration: any GuidedCalibration {
    var calibration = AlignmentCalibration(options.request)
    calibration.duration = duration
    calibration.timeout = max(timeout, duration + 1)
    return calibration
  }
}
