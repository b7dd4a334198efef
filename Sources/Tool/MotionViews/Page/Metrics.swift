// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Recognition

/// Metrics in the text format of Prometheus, version 0.0.4: metric families with help and type, in
/// base units.
package struct Metrics {
  package private(set) var text = ""

  package init() {}

  package enum Kind: String { case counter, gauge }

  package typealias Label = (name: String, value: String)

  package mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ values: [(labels: [Label], value: Double)]
  ) {
    guard !values.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for (labels, value) in values {
      let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      text += name + (list.isEmpty ? "" : "{\(list)}") + " \(Self.shown(value))\n"
    }
  }

  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
    add(name, kind, help, value.map { [([], $0)] } ?? [])
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  private static func shown(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if value == value.rounded(), abs(value) < 1e15 { return "\(Int64(value))" }
    return "\(value)"
  }

  /// Adds the values of a scene.
  package mutating func add(_ scene: MonitorScene) {
    add(
      "otolith_source_info", .gauge,
      "The source; origin is live, simulated, recording or trace.",
      [([("board", scene.board), ("origin", scene.origin.rawValue)], 1)])
    func chips(
      _ name: String, _ kind: Kind, _ help: String, _ value: (MonitorScene.Chip) -> Double?
    ) {
      add(
        name, kind, help,
        scene.chips.compactMap { chip in
          value(chip).map { ([("chip", chip.name), ("kind", chip.kind)], $0) }
        })
    }
    chips("otolith_chip_up", .gauge, "1 while the chip delivers samples.") {
      $0.state == .delivering ? 1 : 0
    }
    chips(
      "otolith_chip_sample_rate_hertz", .gauge, "Samples per second, measured."
    ) { $0.measuredRate }
    chips(
      "otolith_chip_configured_rate_hertz", .gauge, "Samples per second, configured."
    ) { $0.configuredRate }
    chips("otolith_chip_lost_samples_total", .counter, "Samples taken by the chip but not read.") {
      Double($0.lost)
    }
    chips("otolith_chip_late_samples_total", .counter, "Samples delivered later than promised.") {
      Double($0.late)
    }
    chips("otolith_chip_bus_errors_total", .counter, "Failed bus transactions.") {
      Double($0.busErrors)
    }
    chips("otolith_chip_restarts_total", .counter, "Restarts of the chip after an error.") {
      Double($0.restarts)
    }
    add(
      "otolith_chip_note_info", .gauge,
      "A remark about a chip that delivers samples: its part differs from the board file, or "
        + "fusion uses another chip.",
      scene.chips.flatMap { chip in
        chip.notes.map { ([("chip", chip.name), ("kind", chip.kind), ("note", $0)], 1) }
      })
    addFaults(scene)
    add("otolith_motion_age_seconds", .gauge, "Age of the newest motion.", scene.age?.lowerBound)
    let scalars = Dictionary(PageText.scalars(scene).map { ($0.name, $0.value) }) { $1 }
    for (name, metric, help, factor) in Self.quantities {
      add(metric, .gauge, help, scalars[name].map { $0 * factor })
    }
    add(
      "otolith_relative_altitude_meters", .gauge, "Altitude above that of the first reading.",
      scene.relativeAltitude)
    add(
      "otolith_gyroscope_bias_sigma_radians_per_second", .gauge,
      "One standard deviation of the gyroscope's bias.", scene.calibration?.gyroBiasSigma)
    add(
      "otolith_magnetometer_coverage_ratio", .gauge,
      "Share of directions in which the field was measured recently.", scene.calibration?.coverage)
    add(
      "otolith_steps_total", .counter, "Steps since the start.",
      scene.movement.map { Double($0.counts.steps) })
  }

  /// Adds the faults that fusion can detect, and the time in which the attitude had no rotation
  /// rates.
  private mutating func addFaults(_ scene: MonitorScene) {
    func faults(
      _ name: String, _ kind: Kind, _ help: String,
      _ value: (MonitorScene.SensorFault) -> Double
    ) {
      add(
        name, kind, help,
        scene.faults.map {
          ([("chip", $0.chip), ("sensor", $0.sensor), ("fault", $0.name)], value($0))
        })
    }
    faults(
      "otolith_sensor_fault", .gauge,
      "1 if fusion has found this fault in the sensor's samples within the last ten seconds."
    ) { $0.isPresent ? 1 : 0 }
    faults(
      "otolith_sensor_fault_seconds_total", .counter, "Time for which the fault has lasted."
    ) { $0.seconds }
    faults("otolith_sensor_faults_total", .counter, "Times that the fault began.") {
      Double($0.count)
    }
    guard scene.channels.contains(.rotationRate) else { return }
    add(
      "otolith_attitude_coasting", .gauge,
      "1 while the attitude comes from the accelerometer alone, without rotation rates.",
      scene.isCoasting ? 1 : 0)
    add(
      "otolith_attitude_coasting_seconds_total", .counter, "Time for which that was so.",
      scene.coastingSeconds)
  }

  private static let quantities: [(String, String, String, Double)] = [
    ("temperature", "otolith_temperature_celsius", "Temperature of the board.", 1),
    ("pressure", "otolith_pressure_pascals", "Air pressure.", 1000),
    ("humidity", "otolith_relative_humidity_ratio", "Relative humidity, of 1.", 0.01),
    ("illuminance", "otolith_illuminance_lux", "Illuminance.", 1),
    ("proximity", "otolith_proximity_ratio", "Nearness, of 1.", 1),
  ]
}
