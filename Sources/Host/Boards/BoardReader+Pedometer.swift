// SPDX-License-Identifier: Apache-2.0
internal import Recognition
internal import Sensors

extension BoardReader {
  mutating func pedometer(_ board: Fields, chips: [ChipPlacement]) -> PedometerSettings {
    var settings = PedometerSettings()
    guard let field = board["pedometer"],
      let fields = fields(
        field.value, BoardFormat.pedometer, owner: "'pedometer'", at: field.keyPosition)
    else { return settings }
    if let height = number(fields, "height-m") { settings.height = height }
    if let scale = number(fields, "distance-scale") { settings.distanceScale = scale }
    if let days = integer(fields, "history-days") { settings.historyDays = days }
    settings.chip = counter(fields, chips)
    return settings
  }

  /// Returns the chip that counts steps, if it is configured to count steps.
  private mutating func counter(_ fields: Fields, _ chips: [ChipPlacement]) -> String? {
    let names = chips.map(\.name)
    guard let field = fields["steps-by"], let name = known(fields, "steps-by", among: names),
      let chip = chips.first(where: { $0.name == name })
    else { return nil }
    guard chip.settings.detection.kinds.contains(.step) else {
      report(
        field.value.position, "'\(name)' does not detect steps",
        expected: "a chip with 'detection: { kinds: [step] }'",
        hint: "an LSM6DS3 or a BMI160 can; without 'steps-by' steps are found in the samples")
      return nil
    }
    return name
  }
}
