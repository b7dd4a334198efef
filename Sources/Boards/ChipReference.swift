// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import Quantities
internal import Sensors

/// The catalogue of chips as tables, for people.
public enum ChipReference {
  /// What stands between the marks `<!-- chips: begin -->` and `<!-- chips: end -->` in `docs/chips.md`.
  public static var markdown: String {
    var lines = [
      "| Part | Name in board files | Measures | Bus | Addresses | Says at register | Rates in Hz | Read by |",
      "|---|---|---|---|---|---|---|---|",
    ]
    for chip in ChipCatalog.descriptions {
      let identities = chip.identity.supported.map(\.hexadecimal)
      let cells = [
        chip.title, "`\(chip.name)`", chip.summary,
        NearestWord.list(chip.wires.map { $0.title }),
        NearestWord.list(chip.addresses.map(\.hexadecimal)),
        "\(chip.identity.register.hexadecimal): \(NearestWord.list(identities))",
        "\((chip.rates.min() ?? 0).short) to \((chip.rates.max() ?? 0).short)",
        NearestWord.list(chip.acquisitions.map(\.boardName)),
      ]
      lines.append("| \(cells.joined(separator: " | ")) |")
    }
    lines += [
      "",
      "| Part | Acceleration in g | Rotation in degrees/s | Field in microtesla | Detects by itself |",
      "|---|---|---|---|---|",
    ]
    for chip in ChipCatalog.descriptions {
      func ranges(_ channel: Channel, _ unit: Double) -> String {
        let row = chip.channels.first { $0.channel == channel }
        guard let row, !row.ranges.isEmpty else { return "-" }
        return NearestWord.list(row.ranges.map { ($0 / unit).short })
      }
      let kinds = DetectionKind.allCases.filter { chip.detections.contains(DetectionSet($0)) }
      let cells = [
        chip.title, ranges(.acceleration, 1), ranges(.rotationRate, .pi / 180),
        ranges(.magneticField, 1),
        kinds.isEmpty ? "-" : kinds.map(\.boardName).joined(separator: ", "),
      ]
      lines.append("| \(cells.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The same of `<!-- drives: begin -->` in `README.md`: what there is, in short.
  public static var overview: String {
    var lines = ["| Chip | Name in board files | Measures | Bus |", "|---|---|---|---|"]
    for chip in ChipCatalog.descriptions {
      let wires = NearestWord.list(chip.wires.map { $0.title })
      lines.append("| \(chip.title) | `\(chip.name)` | \(chip.summary) | \(wires) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The units in which data sheets give noise, and how many of them one of ours is.
  private static let noiseUnits: [Channel: (name: String, unit: String, factor: Double)] = [
    .acceleration: ("acceleration", "mg", 1e3),
    .rotationRate: ("rotation rate", "degrees/s", 180 / .pi),
    .magneticField: ("magnetic field", "microtesla", 1), .pressure: ("pressure", "Pa", 1e3),
  ]

  /// The same of `<!-- noise: begin -->` in `docs/chips.md`: what the data sheets say of noise.
  public static var noiseMarkdown: String {
    var lines = [
      "| Part | Noise of its | Density, a root hertz; by range where there are several | Standard deviation | By |",
      "|---|---|---|---|---|",
    ]
    for chip in ChipCatalog.descriptions {
      for noise in chip.noise {
        let (name, unit, factor) =
          noiseUnits[noise.channel] ?? ("\(noise.channel)", "\(noise.channel.unit)", 1)
        let densities = noise.densities.map { ($0 * factor).short }
        let cells = [
          chip.title, name,
          densities.isEmpty ? "-" : "\(densities.joined(separator: ", ")) \(unit)",
          noise.deviation.map {
            "\(($0 * factor).short) \(unit)"
              + (noise.conditions.isEmpty ? "" : " " + noise.conditions)
          } ?? "-",
          noise.source,
        ]
        lines.append("| \(cells.joined(separator: " | ")) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The same of `<!-- known: begin -->` and its end: chips that are known and not driven.
  public static var knownMarkdown: String {
    var lines = [
      "| Part | Name in board files | Measures | Address: register holds | What to do |",
      "|---|---|---|---|---|",
    ]
    for chip in KnownChips.all {
      let places = chip.identities.map { identity in
        let addresses = NearestWord.list(identity.addresses.map(\.hexadecimal))
        guard let register = identity.register else { return "\(addresses): nothing tells it" }
        return
          "\(addresses): \(register.hexadecimal) holds \(NearestWord.list(identity.values.map(\.hexadecimal)))"
      }
      let cells = [
        chip.title, "`\(chip.name)`", chip.summary, places.joined(separator: "; "), chip.instead,
      ]
      lines.append("| \(cells.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
