// SPDX-License-Identifier: Apache-2.0
import Boards
import BringUp
import ChipCatalog
import Otolith
import Foundation
import Text

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
    lines += chip.beyond.map {
      "  \($0): the figures of that axis show the clipping, not the noise"
    }
    return lines + chip.channels.flatMap(Self.lines)
  }

  private static func lines(_ channel: ChipNoise.ChannelResult) -> [String] {
    guard let axis = channel.axes.first else { return [] }
    let head =
      "  \(channel.units.sensor), \(axis.count) samples in \(NoiseText.number(axis.duration)) s, "
      + "\(NoiseText.number(1 / axis.interval)) Hz"
    var lines = [
      head.padded(to: 34)
        + (channel.axes.count == 3
          ? channel.axisNames.map { $0.leftPadded(to: 12) }.joined() : "")
    ]
    if channel.axes.count == 3, head.count > 34 {
      lines = [head, "".padded(to: 34) + channel.axisNames.map { $0.leftPadded(to: 12) }.joined()]
    }
    for row in channel.rows where row.values.contains(where: { $0 != nil }) {
      let numbers = zip(row.values, row.areBounds).map { value, isBound in
        (value.map { (isBound ? "<" : "") + NoiseText.number($0) } ?? "-").leftPadded(to: 12)
      }
      lines.append(
        ("    " + row.quantity.name).padded(to: 34) + numbers.joined() + " " + row.quantity.unit)
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

  // MARK: JSON

  /// Returns the figures as JSON. `board` is `nil` for a recording, because it is unknown whether
  /// its board was simulated.
  static func json(_ chips: [ChipNoise], of board: Board?) throws -> String {
    var members = [JSON.Member("chips", .list(chips.map(object)))]
    if let notice = board?.notice { members.append(.init("notice", .text(notice))) }
    if let board {
      members.append(.init("simulated", .flag(board.isAllSimulated)))
    }
    return JSON.object(members).description
  }

  private static func object(_ chip: ChipNoise) -> JSON {
    var members: [JSON.Member] = [
      .init("name", .text(chip.name)), .init("channels", .list(chip.channels.map(Self.object))),
      .init("movedSeconds", .list(chip.movedSeconds.map { .count($0) })),
      .init("secondsLookedAt", .count(chip.secondsSeen)),
    ]
    if !chip.title.isEmpty { members.append(.init("chip", .text(chip.title))) }
    if let (first, last) = chip.temperatures {
      members.append(.init("temperatureBeginDegC", .number(first)))
      members.append(.init("temperatureEndDegC", .number(last)))
    }
    return .object(members)
  }

  private static func object(_ channel: ChipNoise.ChannelResult) -> JSON {
    let units = channel.units
    var members: [JSON.Member] = [
      .init("sensor", .text(units.sensor)),
      .init("axes", .list(channel.axes.indices.map { axis(channel, $0) })),
      .init("gaps", .count(channel.gaps)), .init("remarks", .texts(channel.remarks)),
    ]
    func add(_ name: String, _ value: Double?) {
      if let value { members.append(.init(name, .number(value))) }
    }
    add("timesDataSheet", channel.ratio)
    add(
      "dataSheet" + capital(units.density.key),
      channel.dataSheetDensity.map { $0 * units.density.factor })
    add(
      "dataSheet" + capital(units.deviation.key),
      channel.dataSheet?.deviation.map { $0 * units.deviation.factor })
    if let source = channel.dataSheet?.source {
      members.append(.init("dataSheetSource", .text(source)))
    }
    return .object(members)
  }

  private static func axis(_ channel: ChipNoise.ChannelResult, _ index: Int) -> JSON {
    let axis = channel.axes[index]
    var members: [JSON.Member] = [
      .init("axis", .text(channel.axisNames[index])), .init("samples", .count(axis.count)),
      .init("durationS", .number(axis.duration)), .init("rateHz", .number(1 / axis.interval)),
      .init("isBelowConverterStep", .flag(axis.isBelowStep)),
    ]
    for row in channel.rows {
      guard let value = row.values[index] else { continue }
      members.append(.init(row.quantity.key, .number(value)))
      if row.quantity == channel.units.instability {
        members.append(.init("biasInstabilityIsBound", .flag(row.areBounds[index])))
      }
    }
    let deviation = channel.units.deviation
    let peaks = channel.peaks.filter { $0.axis == channel.axisNames[index] }.map { peak in
      JSON.object([
        .init("frequencyHz", .number(peak.peak.frequency)),
        .init("timesNoise", .number(peak.peak.prominence)),
        .init(deviation.key, .number(peak.peak.deviation * deviation.factor)),
        .init("cause", .text(peak.explanation)),
      ])
    }
    func list(_ values: [Double], _ factor: Double) -> JSON {
      .list(values.map { .number($0 * factor) })
    }
    let points = axis.allan.points
    let allan = JSON.object([
      .init("unit", .text(deviation.unit)),
      .init("averagingTimeS", list(points.map(\.averagingTime), 1)),
      .init("deviation", list(points.map(\.deviation), deviation.factor)),
      .init("lower68", list(points.map(\.lower), deviation.factor)),
      .init("upper68", list(points.map(\.upper), deviation.factor)),
    ])
    members += [.init("peaks", .list(peaks)), .init("allan", allan)]
    return .object(members)
  }

  private static func capital(_ key: String) -> String {
    key.prefix(1).uppercased() + key.dropFirst()
  }

  // MARK: CSV

  /// Returns one CSV row per point: the Allan deviation over averaging time in seconds, or the
  /// noise density over frequency in hertz.
  static func csv(_ chips: [ChipNoise]) -> String {
    var text = "chip,sensor,axis,curve,x,y,lower,upper,unit\n"
    for chip in chips {
      for channel in chip.channels {
        for (name, axis) in zip(channel.axisNames, channel.axes) {
          let head = "\(CSVCell.text(chip.name)),\(channel.units.sensor),\(name)"
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
}
