// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Messages about samples at the end of a sensor's range.
package enum PinnedSamples {
  /// For acceleration, rotation rate and magnetic field: the factor to the unit in which data
  /// sheets give ranges, and the ranges of the catalogue's chips.
  private static let ranges: [(channel: Channel, factor: Double, unit: String, ends: [Double])] = [
    (.acceleration, 1, "g", [2, 4, 8, 16, 32, 64, 100, 200, 400]),
    (.rotationRate, 180 / .pi, "deg/s", [125, 245, 250, 500, 1000, 2000, 4000]),
    (.magneticField, 1, "uT", [200, 400, 800, 1200, 1600, 4900]),
  ]

  /// Returns a message about the axes that stay at the end of their range, such as `acceleration.z
  /// stays at 2 g in 14 samples, the end of a range of 2 g; ...`; `nil` without such samples.
  static func text(_ axes: PinnedAxes) -> String? {
    let parts: [String] = (0..<PinnedAxes.places).compactMap { place in
      axes.end(at: place).map { words($0) }
    }
    guard !parts.isEmpty else { return nil }
    return parts.joined(separator: "; ") + ": larger values are lost; record with a wider range"
  }

  /// Returns a message about one axis, such as `acceleration.z stays at 2 g in 14 samples, the end
  /// of a range of 2 g`. The message contains the number of samples only if `counted`. `range` is
  /// the sensor's range in the channel's unit, if that range is known.
  package static func words(
    _ end: PinnedAxes.End, counted: Bool = true, range: Double? = nil
  ) -> String {
    guard let row = ranges.first(where: { $0.channel == end.channel }) else { return "" }
    let axis = ["x", "y", "z"][min(max(end.axis, 0), 2)]
    let value = Double(end.value) * row.factor
    let size = abs(value)
    // In many chips the last step of the converter is a few percent beyond the nominal range.
    let nominal =
      range.map { $0 * row.factor } ?? row.ends.last { size > 0.99 * $0 && size < 1.16 * $0 }
    return "\(row.channel.row.name).\(axis) stays at \(value < 0 ? "-" : "")"
      + "\(RecordingPlausibility.short(size)) \(row.unit)"
      + (counted ? " in \(end.count) sample\(end.count == 1 ? "" : "s")" : "")
      + (nominal.map {
        ", the end of a range of \(RecordingPlausibility.short($0)) \(row.unit)"
      } ?? "")
  }
}
