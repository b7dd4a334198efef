// SPDX-License-Identifier: Apache-2.0
@testable import Boards
import Simulation
import ChipCatalog
import Quantities
import Sensors
import Text

/// The documentation page about the chips of one family.
struct ChipPage: Sendable {
  /// The pages of all families, in the order of the catalogue.
  static var all: [ChipPage] {
    let families = ChipCatalog.descriptions.map(\.family)
    return families.enumerated().filter { families.firstIndex(of: $1) == $0 }.map { _, family in
      ChipPage(parts: ChipCatalog.descriptions.filter { $0.family == family })
    }
  }

  private let parts: [ChipDescription]

  private init(parts: [ChipDescription]) { self.parts = parts }

  /// The name of the page's file in `docs/reference/chips`.
  var file: String { Self.file(of: parts[0]) }

  static func file(of chip: ChipDescription) -> String {
    chip.family.lowercased().filter { $0.isLetter || $0.isNumber } + ".md"
  }

  /// The first version of the page, without text by an author. `markdown` is inserted between its
  /// marks.
  var draft: String {
    """
    <!-- SPDX-License-Identifier: Apache-2.0 -->
    # \(NearestWord.list(parts.map(\.shortTitle)).replacing(" or ", with: " and "))

    <!-- part: begin -->
    <!-- part: end -->

    """
  }

  /// The text between `<!-- part: begin -->` and its end.
  var markdown: String {
    var rows = [
      row("") { $0.title }, "|---" + parts.map { _ in "|---" }.joined() + "|",
      row("Name in board files") { "`\($0.name)`" }, row("Measures") { $0.summary },
      row("Identity") {
        "\($0.identity.register.hexadecimal) holds "
          + NearestWord.list($0.identity.supported.map(\.hexadecimal))
      },
      row("Bus") { NearestWord.list($0.wires.map(\.title)) },
      row("I2C address") { chip in
        NearestWord.list(chip.addresses.map(\.hexadecimal))
          + (chip.strap.map { ", by \($0)" } ?? "")
      },
      row("Rates in Hz") { $0.rateWords },
      row("Read by") { NearestWord.list($0.acquisitions.map(\.boardName)) },
      row("Interrupt pins used") { "\($0.interruptPins)" },
    ]
    let detects = row("Detects by itself") { chip in
      let kinds = DetectionKind.allCases.filter { chip.detections.contains(DetectionSet($0)) }
      return kinds.isEmpty ? "-" : kinds.map(\.boardName).joined(separator: ", ")
    }
    rows += [
      detects, row("Self-test with its maker's limits") { $0.hasSelfTest ? "yes" : "no" },
      row("Bus for a chip behind it") { $0.hasAuxiliaryBus ? "yes" : "no" }, "",
      "| Quantity | Full scale | One count, at the smallest | Noise | Errors as sold | By |",
      "|---|---|---|---|---|---|",
    ]
    for channel in Channel.allCases {
      var said: [String] = []
      for chip in parts {
        guard let cells = chip.cells(of: channel), !said.contains(cells) else { continue }
        said.append(cells)
        let alike = parts.filter { $0.cells(of: channel) == cells }
        let of =
          alike.count == parts.count
          ? ""
          : " of the "
            + NearestWord.list(alike.map(\.shortTitle)).replacing(" or ", with: " and ")
        rows.append("| \(channel.row.words)\(of) | \(cells) |")
      }
    }
    return rows.joined(separator: "\n") + "\n"
  }

  private func row(_ name: String, _ cell: (ChipDescription) -> String) -> String {
    "| \(name) | \(parts.map(cell).joined(separator: " | ")) |"
  }
}

extension ChipDescription {
  /// The title without relatives.
  var shortTitle: String { title.split(separator: " (").first.map(String.init) ?? title }

  /// All rates, or the highest and lowest of many.
  fileprivate var rateWords: String {
    guard rates.count > 16, let most = rates.max(), let least = rates.min() else {
      return rates.map(\.short).joined(separator: ", ")
    }
    return "\(least.short) to \(most.short)"
  }

  /// Describes a channel in common units: full scales as in board files, small quantities in the
  /// unit for noise; `nil` if the chip does not measure it.
  fileprivate func cells(of channel: Channel) -> String? {
    guard let row = channels.first(where: { $0.channel == channel }) else { return nil }
    let (unit, factor, _) = channel.row.noise
    // For rotation both use degrees.
    let isRotation = channel == .rotationRate
    let ranges = row.ranges.map { ($0 * (isRotation ? factor : 1)).short }
    let whole = isRotation ? unit : channel.row.unit
    let count = (row.resolution ?? row.ranges.first.map { $0 / 32768 }).map { $0 * factor }
    let noise = noise.first { $0.channel == channel }
    let tolerance = tolerances.first { $0.channel == channel }
    var sources: [String] = []
    for source in [noise?.source, tolerance?.source].compactMap(\.self)
    where !sources.contains(source) {
      sources.append(source)
    }
    // With an explicit type: without it the compiler needs over a second for the array.
    let cells: [String?] = [
      ranges.isEmpty
        ? row.limits.map { "\($0.lowerBound.short) to \($0.upperBound.short) \(whole)" }
        : "\(NearestWord.list(ranges)) \(whole)",
      count.map { "\($0.significant) \(unit)" }, noise?.words,
      tolerance?.words("\(unit)", factor),
      sources.isEmpty ? nil : sources.joined(separator: "; "),
    ]
    return cells.map { $0 ?? "-" }.joined(separator: " | ")
  }
}

extension ChannelNoise {
  fileprivate var words: String {
    let (unit, factor, _) = channel.row.noise
    var words: [String] = []
    if !densities.isEmpty {
      words.append(
        densities.map { ($0 * factor).significant }.joined(separator: ", ")
          + " \(unit)/sqrt(Hz)")
    }
    if let deviation {
      words.append(
        "\((deviation * factor).significant) \(unit)"
          + (conditions.isEmpty ? "" : " " + conditions)
      )
    }
    return words.joined(separator: "; ")
  }
}

extension ChannelTolerance {
  fileprivate func words(_ unit: String, _ factor: Double) -> String {
    var words = ["offset \(offset.words(unit, factor))"]
    if verticalOffset != offset { words.append("along z \(verticalOffset.words(unit, factor))") }
    words.append("scale \(scale.words("%", 100))")
    if channel.isVector { words.append("cross-axis \(crossAxis.words("%", 100))") }
    if let perG { words.append("each g \(perG.words(unit, factor))") }
    if let perKelvin { words.append("each kelvin \(perKelvin.words(unit, factor))") }
    return words.joined(separator: ", ")
  }
}

extension Tolerance {
  fileprivate func words(_ unit: String, _ factor: Double) -> String {
    switch self {
    case .limit(let limit): "at most \((limit * factor).significant) \(unit)"
    case .typical(let value): "typically \((value * factor).significant) \(unit)"
    }
  }
}

extension Double {
  /// The number with three significant digits.
  fileprivate var significant: String {
    guard self != 0, isFinite else { return short }
    var (scale, digits) = (1.0, 0)
    while magnitude * scale < 100, digits < 9 {
      scale *= 10
      digits += 1
    }
    let value = (self * scale).rounded() / scale
    return value == value.rounded() ? "\(Int64(value))" : "\(value)"
  }
}
