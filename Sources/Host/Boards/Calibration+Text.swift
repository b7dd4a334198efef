// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

extension Calibration {
  /// The text of the calibration file. Parsing this text gives an equal calibration.
  public var text: String {
    var lines = [
      "# The measured errors of this board's chips; see docs/calibration.md.",
      "# In each chip's own axes, so that it holds for any 'mounting': truth = matrix * (measured - offset).",
      "otolith-calibration: 1",
      "chips:",
    ]
    for (name, chip) in chips.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(name):")
      lines += chip.lines.map { "    " + $0 }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension CalibratedChip {
  /// The lines of a chip's keys. A comment line with the unit precedes each kind of error.
  fileprivate var lines: [String] {
    var lines = ["chip: \(YAMLText.quoted(chip))"]
    if let address { lines.append("address: \(address.hexadecimal)") }
    for (key, text) in [("serial", serial), ("made", made), ("notes", notes)] {
      if let text, !text.isEmpty { lines.append("\(key): \(YAMLText.quoted(text))") }
    }
    func add(_ comment: String, _ keys: [(String, String?)]) {
      let present = keys.compactMap { key, value in value.map { "\(key): \($0)" } }
      if !present.isEmpty { lines += ["# \(comment)"] + present }
    }
    func vector(_ v: Vector3) -> String? { v == .zero ? nil : YAMLText.vector(v) }
    func matrix(_ m: Matrix3) -> String? { m == .identity ? nil : YAMLText.matrix(m) }
    add(
      "Gyroscope: bias at rest in rad/s, at a chip temperature in degrees Celsius, and its growth with each kelvin.",
      [
        ("gyro-bias-rad-s", vector(errors.gyroBias)),
        ("gyro-bias-temperature-c", errors.gyroBiasTemperature.map(YAMLText.number)),
        (
          "gyro-bias-slope-rad-s-k",
          errors.gyroBiasTemperature == nil ? nil : vector(errors.gyroBiasSlope)
        ),
        ("gyro-matrix", matrix(errors.gyroMatrix)),
      ])
    add(
      "Accelerometer: specific force in g, +1 on the axis that points up.",
      [
        ("acceleration-offset-g", vector(errors.accelerationOffset)),
        ("acceleration-matrix", matrix(errors.accelerationMatrix)),
      ])
    add(
      "Magnetometer: microtesla.",
      [
        ("hard-iron-ut", vector(errors.hardIron)),
        ("soft-iron-matrix", matrix(errors.softIronMatrix)),
      ])
    add(
      "The orientation of the chip, found by gestures; overrides 'mounting' in the board file.",
      [("mounting", mounting?.boardText)])
    if let alignment {
      let value = alignment.value
      add(
        "Against another chip: turned (rows: its axes as seen by this chip), metres from it along this chip's axes, seconds later.",
        [
          ("aligned-to", alignment.reference), ("alignment", Mounting(value.rotation).boardText),
          ("alignment-sigma-rad", YAMLText.number(value.rotationSigma)),
          ("lever-arm-m", YAMLText.vector(value.leverArm)),
          ("lever-arm-sigma-m", YAMLText.number(value.leverArmSigma)),
          ("time-offset-s", YAMLText.number(value.timeOffset)),
          ("time-offset-sigma-s", YAMLText.number(value.timeOffsetSigma)),
        ])
    }
    return lines
  }
}
