// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Quantities
internal import Recognition

extension MonitorScene.Chip {
  var isTroubled: Bool {
    switch state {
    case .failed, .silent: true
    case .starting, .delivering: isFaulty
    }
  }

  /// True if the chip's rate differs from the configured rate by more than 10 percent.
  var isOffRate: Bool {
    guard let measuredRate, let configuredRate, configuredRate > 0 else { return false }
    // Allow 10 percent, because chips' clocks have errors of several percent.
    return abs(measuredRate / configuredRate - 1) > 0.1
  }

  func stateSpans(columns: Int) -> [Span] {
    switch state {
    case .starting: [Span(Text.pad("starting", columns), .warning)]
    case .delivering:
      [
        isFaulty
          ? Span(Text.pad("faulty", columns), .bad)
          : notes.isEmpty
            ? Span(Text.pad("ok", columns), .good) : Span(Text.pad("note", columns), .warning)
      ]
    case .silent(let seconds):
      [Span(Text.pad("silent \(Text.number(seconds, 1, digits: 0)) s", columns), .bad)]
    case .failed(let sentence): [Span(Text.pad(sentence, columns), .bad)]
    }
  }
}

extension MonitorScreen {
  /// Returns a table row for each chip, with the error message below each failing chip. Failing
  /// chips come first if not all fit.
  func chipLines(columns: Int, limit: Int) -> [[Span]] {
    let name = columns >= 100 ? 16 : 10
    let kind = columns >= 100 ? 24 : 18
    let head =
      Text.pad("chip", name) + " " + Text.pad("kind", kind) + "  rate Hz   of  "
      + "lost  late" + (columns >= 100 ? "  clip" : "") + "   bus reset"
    var lines = [[Span(Text.pad(head, columns), .faint)]]
    var said: Set<String> = []
    let blocks = scene.chips.map { chip in
      // If several chips share an error message, for instance that the service ended, show it only
      // once.
      var block = block(of: chip, name, kind, columns)
      if case .failed(let sentence) = chip.state, !said.insert(sentence).inserted {
        block.removeLast(block.count - 1)
      }
      return block
    }
    let isTooMuch = blocks.reduce(1) { $0 + $1.count } > limit
    guard isTooMuch else { return lines + blocks.joined() }
    let order =
      scene.chips.indices.filter { scene.chips[$0].isTroubled }
      + scene.chips.indices.filter { !scene.chips[$0].isTroubled }
    // The last line shows the number of hidden chips.
    let shown = page(of: order.map { blocks[$0] }, limit: limit - 2)
    let hidden = order.indices.filter { !shown.places.contains($0) }
    let troubled = hidden.count { scene.chips[order[$0]].isTroubled }
    lines += shown.lines
    lines.append([
      Span("and \(hidden.count) more", .faint),
      Span(troubled > 0 ? ", \(troubled) of them failing" : "", .bad), Span(": c", .faint),
    ])
    return lines
  }

  /// Returns the requested page of `blocks`, and the indices of the blocks on it. A page holds as
  /// many whole blocks as fit, but at least one.
  func page(of blocks: [[[Span]]], limit: Int) -> (lines: [[Span]], places: Range<Int>) {
    var pages: [Range<Int>] = []
    var (start, height) = (0, 0)
    for (place, block) in blocks.enumerated() {
      if place > start, height + block.count > limit {
        pages.append(start..<place)
        (start, height) = (place, 0)
      }
      height += block.count
    }
    pages.append(start..<blocks.count)
    let places = pages[scene.chipPage % pages.count]
    return (Array(blocks[places].joined().prefix(max(limit, 1))), places)
  }

  private func block(
    of chip: MonitorScene.Chip, _ name: Int, _ kind: Int, _ columns: Int
  ) -> [[Span]] {
    func count(_ value: UInt64, _ width: Int, _ style: TextStyle) -> Span {
      Span(" " + Text.count(value, width), value > 0 ? style : .plain)
    }
    var line = [
      Span(Text.pad(chip.name, name) + " ", chip.isTroubled ? .bad : .strong),
      Span(Text.pad(chip.kind, kind) + " ", .faint),
      Span(
        Text.number(chip.measuredRate, 8, digits: 1),
        chip.isTroubled ? .bad : chip.isOffRate ? .warning : .plain),
      Span(Text.number(chip.configuredRate, 5, digits: 0), .faint),
      count(chip.lost, 5, .warning), count(chip.late, 5, .warning),
    ]
    if columns >= 100 { line.append(count(chip.clipped, 5, .warning)) }
    line += [
      count(chip.busErrors, 5, .warning), count(chip.restarts, 5, .warning), Span("  "),
    ]
    let used = line.reduce(0) { $0 + $1.text.unicodeScalars.count }
    switch chip.state {
    case .failed(let sentence):
      line.append(Span(Text.pad("failed", max(columns - used, 0)), .bad))
      return [line]
        + Text.wrapped(sentence, columns - 2, lines: 2).map { [Span("  " + $0, .bad)] }
    default:
      let notes: [String] = chip.notes.flatMap { Text.wrapped($0, columns - 2, lines: 2) }
      line += chip.stateSpans(columns: max(columns - used, 0))
      return [line] + notes.map { [Span("  " + $0, .warning)] }
    }
  }

  /// Returns pressure, altitude, temperature, other scalar values, and the age of the newest
  /// motion.
  func environment(columns: Int) -> [Span] {
    let contents = scene.motion?.contents ?? []
    let age = scene.age
    var groups: [[Span]] = []
    if scene.channels.contains(.pressure) {
      let pressure = contents.contains(.pressure) ? scene.motion?.pressure : nil
      groups.append([
        Span("pressure ", .faint), Span(Text.number(pressure, 7, digits: 3)), Span(" kPa", .faint),
      ])
      groups.append([
        Span("altitude ", .faint),
        Span(Text.number(scene.relativeAltitude, 6, digits: 2, sign: true)), Span(" m", .faint),
      ])
    }
    if scene.channels.contains(.temperature) {
      let temperature = contents.contains(.temperature) ? scene.motion?.temperature : nil
      let name = groups.isEmpty ? "temperature " : "temp "
      groups.append([
        Span(name, .faint), Span(Text.number(temperature, 5, digits: 1)), Span(" degC", .faint),
      ])
    }
    for channel in Channel.allCases
    where !channel.isVector && !channel.row.isInMotion && scene.channels.contains(channel) {
      let row = channel.row
      groups.append([
        Span("\(row.words) ", .faint),
        Span(Text.number(scene.readings[channel], 6, digits: row.digits)),
        Span(" \(row.unit)", .faint),
      ])
    }
    // Show only ages below 1 s, because a longer time without motion is shown elsewhere.
    let ages = age.flatMap { $0.upperBound < 1 ? $0 : nil }
    groups.append([
      Span("age ", .faint), Span(Text.number(ages.map { $0.lowerBound * 1000 }, 4, digits: 0)),
      Span(" to", .faint), Span(Text.number(ages.map { $0.upperBound * 1000 }, 4, digits: 0)),
      Span(" ms", .faint),
    ])
    return Self.joined(groups, columns: columns)
  }

  /// Returns the sensor corrections that fusion estimates, each with its accuracy.
  func fusion(columns: Int) -> [Span] {
    var groups: [[Span]] = []
    if scene.isCoasting {
      groups.append([
        Span("coasting on the accelerometer", .bad),
        Span(columns >= 76 ? ": no turns about the vertical, pushes tilt it" : "", .warning),
      ])
    } else if scene.channels.contains(.rotationRate) {
      let bias = scene.motion?.gyroBias ?? .zero
      groups.append([
        Span("gyro bias", .faint), Span(Text.number(bias.x, 8, digits: 4, sign: true), .x),
        Span(Text.number(bias.y, 8, digits: 4, sign: true), .y),
        Span(Text.number(bias.z, 8, digits: 4, sign: true), .z),
        Span(" sigma", .faint),
        Span(Text.number(scene.calibration?.gyroBiasSigma, 7, digits: 4)),
        Span(" rad/s", .faint),
      ])
    }
    if scene.channels.contains(.magneticField), let calibration = scene.calibration {
      groups.append([
        Span("mag ", .faint), Span(calibration.magnetic.words),
        Span(Text.number(calibration.coverage * 100, 4, digits: 0)),
        Span(columns >= 100 ? "% of directions seen" : "%", .faint),
      ])
    }
    return Self.joined(groups, columns: columns)
  }

  /// Returns the scale error of the gyroscope, and the delay of the magnetometer.
  func gyroScale(columns: Int) -> [Span] {
    var groups: [[Span]] = []
    if let scale = scene.calibration?.gyroScale {
      groups.append([
        Span("gyro scale", .faint), Span(Text.number(scale.x * 100, 7, digits: 2, sign: true), .x),
        Span(Text.number(scale.y * 100, 8, digits: 2, sign: true), .y),
        Span(Text.number(scale.z * 100, 8, digits: 2, sign: true), .z),
        Span(" sigma", .faint),
        Span(Text.number(scene.calibration.map { $0.gyroScaleSigma * 100 }, 7, digits: 2)),
        Span(" %", .faint),
      ])
    }
    if scene.channels.contains(.magneticField), let delay = scene.calibration?.magneticDelay {
      groups.append([
        Span("mag delay", .faint), Span(Text.number(delay * 1000, 6, digits: 1)),
        Span(" sigma", .faint),
        Span(Text.number(scene.calibration.map { $0.magneticDelaySigma * 1000 }, 5, digits: 1)),
        Span(" ms", .faint),
      ])
    }
    return Self.joined(groups, columns: columns)
  }

  func movement(columns: Int) -> [Span] {
    guard let movement = scene.movement else {
      return [Span("no steps: the board has no accelerometer", .faint)]
    }
    var groups: [[Span]] = [
      [
        Span("steps ", .faint),
        Span(Text.number(Double(movement.counts.steps), 6, digits: 0), .strong),
      ],
      [Span(movement.activity.activities.text, .good)],
      [
        Span("cadence ", .faint), Span(Text.number(movement.currentCadence, 4, digits: 2)),
        Span(" /s", .faint),
      ],
    ]
    if scene.countsFloors {
      let counts = movement.counts
      groups.append([
        Span("floors ", .faint),
        Span("\(counts.floorsAscended) up \(counts.floorsDescended) down"),
      ])
    }
    // The activity's text varies in length, so put it last. Otherwise it would move other values.
    groups.append(groups.remove(at: 1))
    return Self.joined(groups, columns: columns)
  }

  /// Joins as many groups as fit into `columns`, with gaps between them.
  static func joined(_ groups: [[Span]], columns: Int) -> [Span] {
    var line: [Span] = []
    var width = 0
    for group in groups {
      let length = group.reduce(0) { $0 + $1.text.unicodeScalars.count }
      let gap = width > 0 ? 3 : 0
      guard width + gap + length <= columns else { continue }
      if gap > 0 { line.append(Span("   ")) }
      line += group
      width += gap + length
    }
    return line
  }
}

extension MagneticCalibration.Level {
  /// The level in words of at most 14 letters, which fit on a screen of 132 columns.
  fileprivate var words: String {
    switch self {
    case .unknown: "not calibrated"
    case .hardIron: "calibrated"
    case .full: "all calibrated"
    }
  }
}
