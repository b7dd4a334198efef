// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import KernelSensors
internal import Quantities
internal import Sensors
internal import Text

extension BoardReader {
  /// The keys of a chip that are about its wiring or its registers, which the kernel's driver has.
  private static let keysOfBuses = [
    "chip", "on", "address", "interrupt", "treat-as", "behind", "firmware", "magnetometer", "power",
    "detection", "bandwidth-hz", "read-by", "late-samples",
  ]

  /// Reads a chip whose samples come from a sensor of the kernel; `nil` if there is no such sensor.
  mutating func kernelChip(
    _ fields: Fields, name: String, among others: [ChipPlacement]
  ) -> ChipPlacement? {
    for key in Self.keysOfBuses {
      guard let field = fields[key] else { continue }
      report(
        field.keyPosition, "'\(key)' for a sensor that the kernel reads",
        hint: "remove it, or 'iio' to let otolith drive the chip itself")
    }
    guard let field = fields["iio"], let text = text(fields, "iio"),
      let sensor = kernelSensor(field, text)
    else { return nil }
    if let other = others.first(where: { $0.kernelSensor?.folder == sensor.folder }) {
      report(
        field.position, "this sensor is chip '\(other.name)' already",
        hint: "the kernel lets one reader have it: name another, or remove one of the chips")
    }
    let description = ChipDescription(sensor)
    let settings = settings(fields, description, nil)
    var placement = ChipPlacement(
      name: name, chip: description.name, bus: "", address: nil, interrupt: nil,
      settings: settings,
      mounting: fields["mounting"] == nil
        ? Mounting(sensor.mounting ?? .identity) : mounting(fields),
      delays: delays(fields, description, settings), uses: uses(fields, description),
      position: vector(fields, "position-mm") / 1000, positions: fields.positions)
    placement.kernelSensor = sensor
    return placement
  }

  private mutating func kernelSensor(_ field: Field, _ text: String) -> KernelSensor? {
    let sensors = kernelSensors()
    let found = sensors.filter { $0.isCalled(text) }
    guard found.count != 1 else { return found[0] }
    if found.count > 1 {
      report(
        field.position, "the kernel has \(found.count) sensors called '\(text)'",
        expected: "the place of one of them: \(NearestWord.list(found.map(\.place)))")
      return nil
    }
    let number = sensors.first { $0.folder.hasSuffix("/\(text)") }
    if let number {
      refuse(
        field, hint: "that number differs after each boot: write 'iio: \(number.name)'")
      return nil
    }
    let names = sensors.map(\.name)
    report(
      field.position, "the kernel has no sensor called '\(text)'",
      expected: names.isEmpty ? nil : NearestWord.list(names),
      hint: NearestWord.to(text, among: names).map { "did you mean '\($0)'?" }
        ?? (names.isEmpty
          ? "it has none: is the driver loaded (lsmod), and the sensor in the device tree?"
          : "'otolith detect' lists them"))
    return nil
  }
}
