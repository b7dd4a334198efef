// SPDX-License-Identifier: Apache-2.0
package import Fusion
package import Quantities

/// The messages for a fault that fusion can detect in the samples of a sensor. `replay`, the
/// monitor, the page, metrics and the service use this table.
package struct SensorFaultRow: Sendable {
  package let fault: SensorFaults
  /// The name of the fault in `SensorFaults`, columns, JSON and metrics.
  package let name: String
  /// The channel that the faulty sensor measures.
  package let channel: Channel
  /// The state of the sensor, as a word that follows "the gyroscope is".
  package let state: String
  /// The likely cause and the remedy.
  let step: String
  /// True if the accelerometer alone updates the attitude during the fault.
  let isCoasting: Bool

  private init(
    _ place: Int, _ name: String, _ channel: Channel, _ state: String, _ step: String,
    isCoasting: Bool = false
  ) {
    // `fault` is empty if `SensorFaults` has no such bit in this release.
    fault = SensorFaults(rawValue: SensorFaults.RawValue(truncatingIfNeeded: 1 << place))
    self.name = name
    self.channel = channel
    self.state = state
    self.step = step
    self.isCoasting = isCoasting
  }

  var isAtRangeEnd: Bool { name.hasSuffix("AtRangeEnd") }

  /// The name of the faulty sensor, such as `gyroscope`.
  package var sensor: String { "\(channel.row.sensor)" }

  // The rows have the same order as the bits in `SensorFaults`.
  private static let rows: [SensorFaultRow] = [
    SensorFaultRow(
      0, "gyroscopeSilent", .rotationRate, "silent",
      "its samples are lost: check its wiring and supply, and the load of this machine",
      isCoasting: true),
    SensorFaultRow(
      1, "gyroscopeHung", .rotationRate, "stuck at one value",
      "it has stopped measuring: check its supply, and reset it", isCoasting: true),
    SensorFaultRow(
      2, "gyroscopeGlitch", .rotationRate, "has jumps that no motion can cause",
      "bits are wrong in transfers: shorten the wires, lower the bus clock, and run otolith "
        + "bus-errors"
    ),
    SensorFaultRow(
      3, "gyroscopeAtRangeEnd", .rotationRate, "at the end of its range",
      "choose a larger range ('rotation-rate-range-dps' in the board file)"),
    SensorFaultRow(
      4, "accelerometerAtRangeEnd", .acceleration,
      "at the end of its range",
      "choose a larger range ('acceleration-range-g' in the board file)"),
    SensorFaultRow(
      5, "gyroscopeRefuted", .rotationRate, "contradicted by gravity",
      "its rates or axes differ from the configured ones, or a vehicle carries it: check at its "
        + "units or range, and at 'mounting' and 'moves' in the board file"),
    SensorFaultRow(
      6, "accelerometerSilent", .acceleration, "silent",
      "its samples are lost: check its wiring and supply, and the load of this machine"),
    SensorFaultRow(
      7, "accelerometerHung", .acceleration, "stuck at one value",
      "it has stopped measuring: check its supply, and reset it"),
    SensorFaultRow(
      8, "magnetometerHung", .magneticField, "stuck at one value",
      "it has stopped measuring: check its supply, and reset it"),
  ]

  /// Returns the rows of the table for `faults`. The name of a fault without a row is its number.
  package static func rows(of faults: SensorFaults) -> [SensorFaultRow] {
    var rest = faults
    var found: [SensorFaultRow] = []
    for row in rows where !row.fault.isDisjoint(with: faults) {
      found.append(row)
      rest.subtract(row.fault)
    }
    for place in 0..<SensorFaults.RawValue.bitWidth {
      let fault = SensorFaults(rawValue: 1 << SensorFaults.RawValue(place))
      guard rest.contains(fault) else { continue }
      found.append(
        SensorFaultRow(
          place, "fault\(place)", .rotationRate, "faulty",
          "this release has no words for fault \(place)"))
    }
    return found
  }

  /// The faults that have a row in the table.
  package static var known: SensorFaults {
    rows.reduce(into: SensorFaults()) { $0.formUnion($1.fault) }
  }

  /// Returns the fault called `name`; `nil` if this release does not know it.
  package static func fault(named name: String) -> SensorFaults? {
    rows.first { $0.name == name && !$0.fault.isEmpty }?.fault
  }

  /// A message that describes the current fault, its cause and the remedy, without a full stop at
  /// the end.
  package var sentence: String {
    "the \(sensor) is \(state) (\(name)): \(step)"
      + (isCoasting ? "; attitude by the accelerometer alone" : "")
  }

  /// Returns a message that describes a past fault that lasted for `seconds` in a recording of the
  /// length `total`.
  package func sentence(lasting seconds: Double, of total: Double) -> String {
    "the \(sensor) was \(state) for \(FaultTimes.text(seconds, of: total)): \(step)"
  }
}

extension SensorFaults {
  /// The names of the faults, separated by spaces; empty if there are none.
  package var names: String {
    SensorFaultRow.rows(of: self).map(\.name).joined(separator: " ")
  }
}
