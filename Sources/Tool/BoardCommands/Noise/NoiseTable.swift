// SPDX-License-Identifier: Apache-2.0
import Boards
import BringUp
import ChipCatalog
import Otolith
import Foundation

/// The noise figures as text for users, as JSON and as CSV.
enum NoiseTable {
  // MARK: Text for users

  static func lines(_ chip: ChipNoise) -> [String] {
    var lines = [chip.title.isEmpty ? chip.name : "\(chip.name), \(chip.title)"]
    if let moved = movement(chip) { lines.append("  " + moved) }
    if let (first, last) = chip.temperatures {
      lines.append(
        "  temperature " + String(format: "%.1f", first) + " degC, at the end "
          + String(format: "%.1f", last))
    }
    lines += chip.beyond.map { "  \($0): the figures of that axis are of the cut, not of noise" }
    return lines + chip.channels.flatMap(Self.lines)
  }

  private static func lines(_ channel: ChipNoise.ChannelResult) -> [String] {
    guard let axis = channel.axes.first else { return [] }
    let head =
      "  \(channel.units.sensor), \(axis.count) samples in \(NoiseText.number(axis.duration)) s, "
      + "\(NoiseText.number(1 / axis.interval)) Hz"
    var lines = [
      pad(head, 34)
        + (channel.axes.count == 3
          ? channel.axisNames.map { pad($0, 12, atLeft: true) }.joined() : "")
    ]
    if channel.axes.count == 3, head.count > 34 {
      lines = [head, pad("", 34) + channel.axisNames.map { pad($0, 12, atLeft: true) }.joined()]
    }
    for row in channel.rows where row.values.contains(where: { $0 != nil }) {
      let numbers = zip(row.values, row.areBounds).map { value, isBound in
        pad(value.map { (isBound ? "<" : "") + NoiseText.number($0) } ?? "-", 12, atLeft: true)
      }
      lines.append(pad("    " + row.quantity.name, 34) + numbers.joined() + " " + row.quantity.unit)
    }
    lines += channel.peaks.prefix(4).map { peak in
      let axis = peak.axis.isEmpty ? "" : "\(peak.axis): "
      return "    \(axis)\(NoiseText.number(peak.peak.frequency)) Hz, "
        + "\(NoiseText.number(peak.peak.deviation * channel.units.deviation.factor)) "
        + "\(channel.units.deviation.unit) rms: \(peak.explanation)"
    }
    return lines + channel.remarks.map { "    " + $0 }
  }

  private static func movement(_ chip: ChipNoise) -> String? {
    guard !chip.movedSeconds.isEmpty else { return nil }
    let seconds = chip.movedSeconds.prefix(5).map(String.init).joined(separator: ", ")
    let rest = chip.movedSeconds.count > 5 ? " ..." : ""
    return
      "it did not lie still in \(chip.movedSeconds.count) of \(chip.secondsSeen) s (at \(seconds)\(rest) s): "
      + "the figures are of that movement too, or its noise is far above a good chip's"
  }

  private static func pad(_ text: String, _ width: Int, atLeft: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(width - text.count, 0))
    return atLeft ? blanks + text : text + blanks
  }

  // MARK: JSON

  /// Returns the JSON; `board` is `nil` for a recording, which does not say whether it is from
  /// hardware.
  static func json(_ chips: [ChipNoise], of board: Board?) throws -> String {
    var object: [String: Any] = ["chips": chips.map(object)]
    if let board { object["simulated"] = board.buses.allSatisfy(\.isSimulated) }
    if let notice = board?.notice { object["notice"] = notice }
    let data = try JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }

  private static func object(_ chip: ChipNoise) -> [String: Any] {
    var object: [String: Any] = [
      "name": chip.name, "movedSeconds": chip.movedSeconds, "secondsLookedAt": chip.secondsSeen,
      "channels": chip.channels.map(Self.object),
    ]
    if !chip.title.isEmpty { object["chip"] = chip.title }
    if let (first, last) = chip.temperatures {
      object["temperatureBeginDegC"] = first
      object["temperatureEndDegC"] = last
    }
    return object
  }

  private static func object(_ channel: ChipNoise.ChannelResult) -> [String: Any] {
    let units = channel.units
    var object: [String: Any] = [
      "sensor": units.sensor, "gaps": channel.gaps, "remarks": channel.remarks,
      "axes": channel.axes.indices.map { axis(channel, $0) },
    ]
    if let ratio = channel.ratio { object["timesDataSheet"] = ratio }
    if let density = channel.dataSheetDensity {
      object["dataSheet" + capital(units.density.key)] = density * units.density.factor
    }
    if let deviation = channel.dataSheet?.deviation {
      object["dataSheet" + capital(units.deviation.key)] = deviation * units.deviation.factor
    }
    if let source = channel.dataSheet?.source { object["dataSheetSource"] = source }
    return object
  }

  private static func axis(_ channel: ChipNoise.ChannelResult, _ index: Int) -> [String: Any] {
    let axis = channel.axes[index]
    var object: [String: Any] = [
      "axis": channel.axisNames[index], "samples": axis.count, "durationS": axis.duration,
      "rateHz": 1 / axis.interval, "isBelowConverterStep": axis.isBelowStep,
    ]
    for row in channel.rows {
      if let value = row.values[index] { object[row.quantity.key] = value }
      if row.values[index] != nil, row.quantity == channel.units.instability {
        object["biasInstabilityIsBound"] = row.areBounds[index]
      }
    }
    object["peaks"] = channel.peaks.filter { $0.axis == channel.axisNames[index] }.map { peak in
      [
        "frequencyHz": peak.peak.frequency, "timesNoise": peak.peak.prominence,
        channel.units.deviation.key: peak.peak.deviation * channel.units.deviation.factor,
        "cause": peak.explanation,
      ] as [String: Any]
    }
    let factor = channel.units.deviation.factor
    object["allan"] =
      [
        "unit": channel.units.deviation.unit,
        "averagingTimeS": axis.allan.points.map(\.averagingTime),
        "deviation": axis.allan.points.map { $0.deviation * factor },
        "lower68": axis.allan.points.map { $0.lower * factor },
        "upper68": axis.allan.points.map { $0.upper * factor },
      ] as [String: Any]
    return object
  }

  private static func capital(_ key: String) -> String {
    key.prefix(1).uppercased() + key.dropFirst()
  }

  // MARK: CSV

  /// Returns one row per point: the Allan deviation over averaging time, s, in the deviation's
  /// unit; the noise density over frequency, Hz.
  static func csv(_ chips: [ChipNoise]) -> String {
    var text = "chip,sensor,axis,curve,x,y,lower,upper,unit\n"
    for chip in chips {
      for channel in chip.channels {
        for (name, axis) in zip(channel.axisNames, channel.axes) {
          let head = "\(quoted(chip.name)),\(channel.units.sensor),\(name)"
          let deviation = channel.units.deviation
          for point in axis.allan.points {
            let values = [
              point.averagingTime, point.deviation * deviation.factor,
              point.lower * deviation.factor, point.upper * deviation.factor,
            ]
            text +=
              "\(head),allan,\(values.map { "\($0)" }.joined(separator: ",")),\(deviation.unit)\n"
          }
          let density = channel.units.density
          for index in axis.spectrum.density.indices.dropFirst() {
            let value = axis.spectrum.density[index].squareRoot() * density.factor
            text +=
              "\(head),spectrum,\(axis.spectrum.frequency(index)),\(value),,,\(density.unit)\n"
          }
        }
      }
    }
    return text
  }

  private static func quoted(_ name: String) -> String {
    guard name.contains(where: { ",\"\n".contains($0) }) else { return name }
    return "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
