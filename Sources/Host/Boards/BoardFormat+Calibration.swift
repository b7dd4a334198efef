// SPDX-License-Identifier: Apache-2.0

extension BoardFormat {
  static let calibration = BoardSection(
    name: "calibration", title: "a calibration", summary: "The top level of a calibration file.",
    keys: [
      BoardKey(
        "otolith-calibration", .version(1), required: true, noun: "1",
        "The version of this format.", example: "1", alsoCalled: ["version"]),
      BoardKey(
        "chips", .entries("chip-calibration"), required: true, noun: "a group of chips",
        "The chips by their names in the board file.",
        example: "{ imu: { chip: \"invensense,mpu6050\", gyro-bias-rad-s: [0.01, 0, -0.02] } }"),
    ])

  static let chipCalibration = BoardSection(
    name: "chip-calibration", title: "a chip's calibration",
    summary:
      "An entry of a calibration file's `chips`, in the chip's own axes: "
      + "truth = matrix * (measured - offset).",
    keys: [
      BoardKey(
        "chip", .name, required: true, noun: "the name of a chip",
        "The kind of chip that was measured: a calibration never acts on another kind.",
        example: "invensense,mpu6050"),
      BoardKey(
        "address", .address, noun: "a 7-bit address",
        "The I2C address of the chip when it was measured; distinguishes it from other chips of "
          + "its kind.",
        fallback: "any", example: "0x68"),
      BoardKey(
        "serial", .lines, noun: "text",
        "The serial number printed on it, for people. (None of these chips has a readable one.)",
        example: "\"A-17\""),
      BoardKey(
        "made", .lines, noun: "a date", "When it was measured.", example: "2026-11-22",
        alsoCalled: ["date"]),
      BoardKey(
        "notes", .lines, noun: "text", "Anything worth knowing about it.",
        example: "on the workbench", alsoCalled: ["note", "comment"]),
      BoardKey(
        "gyro-bias-rad-s", .vector, noun: "three numbers",
        "The gyroscope's output at rest, at `gyro-bias-temperature-c`.",
        fallback: "zero", example: "[0.01, 0, -0.02]", alsoCalled: ["gyro-bias"]),
      BoardKey(
        "gyro-bias-temperature-c", .number(-100...200), noun: "a temperature in degrees Celsius",
        "The chip's temperature at which that is so.",
        fallback: "any", example: "25", alsoCalled: ["gyro-bias-temperature"]),
      BoardKey(
        "gyro-bias-slope-rad-s-k", .vector, noun: "three numbers",
        "The change of the bias per kelvin; needs `gyro-bias-temperature-c`.",
        fallback: "zero", example: "[0.0002, 0, -0.0005]", alsoCalled: ["gyro-bias-slope"]),
      BoardKey(
        "gyro-matrix", .matrix, noun: "three rows of three numbers",
        "Scale and misalignment of the gyroscope.", fallback: "the identity",
        example: "[[1.01, 0, 0], [0, 0.99, 0], [0, 0, 1]]",
        alsoCalled: ["gyroscope-matrix", "gyro-scale"]),
      BoardKey(
        "acceleration-offset-g", .vector, noun: "three numbers",
        "The accelerometer's output in free fall.", fallback: "zero",
        example: "[0.02, -0.01, 0.03]", alsoCalled: ["accelerometer-offset-g"]),
      BoardKey(
        "acceleration-matrix", .matrix, noun: "three rows of three numbers",
        "Scale and misalignment of the accelerometer.", fallback: "the identity",
        example: "[[1.01, 0, 0], [0, 0.99, 0], [0, 0, 1]]",
        alsoCalled: ["accelerometer-matrix", "accelerometer-scale"]),
      BoardKey(
        "hard-iron-ut", .vector, noun: "three numbers",
        "The field, in microtesla, of magnetised parts that turn with the chip.", fallback: "zero",
        example: "[12.5, -3, 20]", alsoCalled: ["hard-iron"]),
      BoardKey(
        "soft-iron-matrix", .matrix, noun: "three rows of three numbers",
        "The matrix that corrects soft iron and the magnetometer's scale.",
        fallback: "the identity", example: "[[1, 0.02, 0], [0.02, 0.98, 0], [0, 0, 1.01]]",
        alsoCalled: ["soft-iron"]),
      BoardKey(
        "mounting", .mounting,
        noun: "three chip axes such as [\"-y\", x, z], or three rows of three numbers",
        "The measured orientation of the chip. It overrides `mounting` in the board file.",
        fallback: "the board file's", example: "[\"-y\", x, z]"),
    ] + alignment)

  /// The keys of a chip's alignment with another chip of the same rigid body.
  private static let alignment = [
    BoardKey(
      "aligned-to", .name, noun: "the name of another chip of the board",
      "The chip to which the following keys relate this one, as `otolith calibrate alignment` found them.",
      fallback: "none", example: "imu-a"),
    BoardKey(
      "alignment", .mounting,
      noun: "three chip axes such as [\"-y\", x, z], or three rows of three numbers",
      "The rotation that takes this chip's axes to those of the other. It overrides this chip's "
        + "`mounting`.",
      fallback: "the same axes", needs: ["aligned-to"], example: "[\"-y\", x, z]"),
    BoardKey(
      "alignment-sigma-rad", .number(0...4), noun: "radians",
      "The standard deviation of that rotation about an axis.", fallback: "0",
      needs: ["aligned-to"], example: "0.001"),
    BoardKey(
      "lever-arm-m", .vector, noun: "three numbers",
      "The position of this chip as seen from the other, in metres along this chip's axes. It overrides "
        + "`position-mm`.",
      fallback: "zero", needs: ["aligned-to"], example: "[0.03, 0, -0.002]",
      alsoCalled: ["lever-arm"]),
    BoardKey(
      "lever-arm-sigma-m", .number(0...10), noun: "metres",
      "The standard deviation of each of these numbers.", fallback: "0", needs: ["aligned-to"],
      example: "0.001"),
    BoardKey(
      "time-offset-s", .number(-1...1), noun: "seconds",
      "The time by which this chip's samples of a motion are stamped later than the other's, "
        + "beyond the known delays of both.",
      fallback: "0", needs: ["aligned-to"], example: "0.004", alsoCalled: ["time-offset"]),
    BoardKey(
      "time-offset-sigma-s", .number(0...1), noun: "seconds",
      "The standard deviation of that time.", fallback: "0", needs: ["aligned-to"],
      example: "0.0002"),
  ]

  /// The keys for a simulated chip's errors. They are the same as the keys for a chip's
  /// calibration.
  static let simulatedErrors = BoardSection(
    name: "simulated-errors", title: "a simulated chip's errors",
    summary:
      "An entry of `errors`: what the model of the chip is off by, in the words of a calibration file and in the chip's own "
      + "axes, so that the calibration which says the same takes it away: "
      + "measured = matrix^-1 * truth + offset.",
    keys: chipCalibration.keys.compactMap { key in
      switch key.name {
      case "chip", "address", "serial", "made", "notes", "aligned-to", "alignment",
        "alignment-sigma-rad", "lever-arm-m", "lever-arm-sigma-m", "time-offset-sigma-s":
        return nil
      case "time-offset-s":
        var key = key
        key.needs = []
        key.summary = "The time by which the chip's samples show a motion later than stamped."
        return key
      case "gyro-bias-rad-s":
        var key = key
        key.fallback = "a typical one; zero without `noise`"
        return key
      case "mounting":
        var key = key
        key.summary = "The chip's true orientation, if it differs from the board file."
        return key
      default: return key
      }
    } + [truePosition])

  private static let truePosition = BoardKey(
    "position-mm", .vector, noun: "three numbers in mm, in brackets",
    "The chip's true position along the device's axes, if it differs from the board file; the motion is that of [0, 0, 0].",
    fallback: "the board file's", example: "[30, 0, 0]")
}
