// SPDX-License-Identifier: Apache-2.0

/// The format of values that are stored between runs. This format is not among `sections`, because
/// users do not write such a file.
extension BoardFormat {
  static let learned = BoardSection(
    name: "learned", title: "a learned", summary: "The top level of a file of learned values.",
    keys: [
      BoardKey(
        "otolith-learned", .version(1), required: true, noun: "1", "The version of this format.",
        example: "1"),
      BoardKey(
        "board", .text, required: true, noun: "16 digits", "The board's chips.",
        example: "\"0123456789abcdef\""),
      BoardKey(
        "written-unix-s", .number(0...1e12), required: true, noun: "seconds since 1970",
        "When it was written.", example: "1795305845"),
      BoardKey(
        "gyroscope", .section("learned-gyroscope"), noun: "a group of keys", "What was learned.",
        example: "{}"),
      BoardKey(
        "magnetometer", .section("learned-magnetometer"), noun: "a group of keys",
        "What was learned.", example: "{}"),
      BoardKey(
        "gyroscope-matrix", .section("learned-gyroscope-matrix"), noun: "a group of keys",
        "What was learned.", example: "{}"),
      BoardKey(
        "accelerometer", .section("learned-accelerometer"), noun: "a group of keys",
        "What was learned.", example: "{}"),
      BoardKey(
        "magnetometer-delay", .section("learned-magnetometer-delay"), noun: "a group of keys",
        "What was learned.", example: "{}"),
    ])

  static let learnedGyroscopeMatrix = BoardSection(
    name: "learned-gyroscope-matrix", title: "a learned gyroscope matrix",
    summary: "In device axes.",
    keys: [
      BoardKey(
        "matrix", .matrix, required: true, noun: "three rows of three numbers",
        "The matrix that corrects the rate after the bias is subtracted.",
        example: "[[1.01, 0, 0], [0, 0.99, 0], [0, 0, 1]]"),
      sigmas("x-sigma", "Of its first row."), sigmas("y-sigma", "Of its second row."),
      sigmas("z-sigma", "Of its third row."),
    ])

  static let learnedAccelerometer = BoardSection(
    name: "learned-accelerometer", title: "a learned accelerometer", summary: "In device axes.",
    keys: [
      BoardKey(
        "offset-g", .vector, required: true, noun: "three numbers", "Of the specific force.",
        example: "[0.01, 0, 0]"),
      sigmas("offset-sigma-g", "Of the offset."),
      BoardKey(
        "scale", .vector, required: true, noun: "three numbers",
        "The factors for the specific force after the offset is subtracted.",
        example: "[1, 1.01, 1]"),
      sigmas("scale-sigma", "Of the scale."),
    ])

  static let learnedMagnetometerDelay = BoardSection(
    name: "learned-magnetometer-delay", title: "a learned delay of the magnetometer",
    summary: "From a motion to the time stamp of the field that shows it.",
    keys: [
      BoardKey(
        "delay-s", .number(0...1), required: true, noun: "a time in seconds", "The delay.",
        example: "0.012"),
      BoardKey(
        "sigma-s", .number(0...1), required: true, noun: "a time in seconds",
        "Its standard deviation.", example: "0.001"),
    ])

  private static func sigmas(_ name: String, _ summary: String) -> BoardKey {
    BoardKey(
      name, .vector, required: true, noun: "three numbers", "Standard deviations. \(summary)",
      example: "[0.001, 0.001, 0.002]")
  }

  static let learnedGyroscope = BoardSection(
    name: "learned-gyroscope", title: "a learned gyroscope", summary: "In device axes.",
    keys: [
      BoardKey(
        "bias-rad-s", .vector, required: true, noun: "three numbers", "Bias.",
        example: "[0.01, 0, 0]"),
      BoardKey(
        "sigma-rad-s", .number(0...10), required: true, noun: "a rotation rate in rad/s",
        "Its standard deviation.", example: "0.001"),
      BoardKey(
        "temperature-c", .number(-100...200), noun: "a temperature in degrees Celsius",
        "Then.", example: "30"),
    ])

  static let learnedMagnetometer = BoardSection(
    name: "learned-magnetometer", title: "a learned magnetometer", summary: "In device axes.",
    keys: [
      BoardKey(
        "hard-iron-ut", .vector, required: true, noun: "three numbers", "The device's own field.",
        example: "[12.5, -3, 20]"),
      BoardKey(
        "soft-iron-matrix", .matrix, required: true, noun: "three rows of three numbers",
        "The matrix that corrects the distortion.", example: "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"),
      BoardKey(
        "sigma-ut", .number(0...10_000), required: true, noun: "a field in microtesla",
        "The hard iron's standard deviation.", example: "1"),
      BoardKey(
        "field-norm-ut", .number(0...10_000), required: true, noun: "a field in microtesla",
        "The place's field.", example: "48"),
      BoardKey(
        "field-dip-rad", .number(-2...2), required: true, noun: "an angle in radians",
        "Below the horizon.", example: "1.1"),
    ])
}
