// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion
internal import Quantities

/// A row with a vector, and a bar for each of its axes.
struct VectorRow {
  var name: String
  var unit: String
  var value: Vector3
  var range: Double
  var digits: Int
  var isThere: Bool
  /// False if the sensor is present but its values are unreliable.
  var isKnown = true

  /// The vector as text in one line.
  var line: [Span] {
    [Span(Text.pad(name, 9), .faint)]
      + zip([value.x, value.y, value.z], [TextStyle.x, .y, .z]).map {
        Span(Text.number(isKnown ? $0.0 : nil, 8, digits: digits, sign: true), $0.1)
      } + [Span(" " + unit, .faint)]
  }
}

extension MonitorScreen {
  private func isKnown(_ contents: MotionSample.Contents) -> Bool {
    scene.motion?.contents.contains(contents) ?? false
  }

  /// The vectors, the most important first.
  var vectors: [VectorRow] {
    let motion = scene.motion ?? MotionSample(timestamp: .zero)
    let channels = scene.channels
    return [
      VectorRow(
        name: "gravity", unit: "g", value: motion.gravity, range: 1, digits: 3,
        isThere: channels.contains(.acceleration)),
      VectorRow(
        name: "user acc", unit: "g", value: motion.userAcceleration,
        range: scene.range.acceleration, digits: 3, isThere: channels.contains(.acceleration)),
      VectorRow(
        name: "rotation", unit: "rad/s", value: motion.rotationRate, range: scene.range.rotation,
        digits: 3, isThere: channels.contains(.rotationRate), isKnown: !scene.isCoasting),
      VectorRow(
        name: "field", unit: "uT", value: motion.magneticField, range: 100, digits: 1,
        isThere: channels.contains(.magneticField)),
    ]
  }

  var attitude: [Span] {
    let angles = scene.attitude.map { EulerAngles($0) }
    func group(_ name: String, _ radians: Double?, _ width: Int) -> [Span] {
      [
        Span(name, .faint),
        Span(
          Text.number(radians.map { degrees(fromRadians: $0) }, width, digits: 1, sign: true),
          .strong),
      ]
    }
    return group("roll", angles?.roll, 7) + group(" pitch", angles?.pitch, 6)
      + group(" yaw", angles?.yaw, 7) + [Span(" deg", .faint)]
  }

  /// Returns the heading with its accuracy. If there is no heading, returns whether the board is at
  /// rest.
  func heading(columns: Int) -> [Span] {
    let rest: [Span] = [
      scene.motion?.isAtRest == true ? Span("at rest", .good) : Span("moving ", .plain)
    ]
    guard scene.channels.contains(.magneticField), let motion = scene.motion,
      isKnown(.heading)
    else { return Self.joined([tilt, rest], columns: columns) }
    let unit = columns >= 43 ? " deg" : ""
    let accuracy: Span =
      switch motion.magneticAccuracy {
      case .high: Span(" within 10\(unit)", .good)
      case .medium: Span(" within 25\(unit)", .warning)
      case .low, .uncalibrated: Span(" unsure   " + Text.pad("", unit.count), .warning)
      }
    let group = [
      Span("heading", .faint),
      Span(Text.number(headingDegrees(of: motion.attitude9), 6, digits: 1), .strong),
      Span(unit + " sigma", .faint),
      Span(Text.number(degrees(fromRadians: motion.headingSigma), 6, digits: 1)), accuracy,
    ]
    // If there are fewer than 78 columns, tilt and rest are in a separate line.
    return columns >= 78 ? Self.joined([group, tilt, rest], columns: columns) : group
  }

  private var tilt: [Span] {
    // A standard deviation above 3 rad means that the tilt is unknown.
    let sigma = scene.motion.flatMap { $0.inclinationSigma < 3 ? $0.inclinationSigma : nil }
    return [
      Span("tilt sigma", .faint),
      Span(
        Text.number(isKnown(.attitude) ? sigma.map { degrees(fromRadians: $0) } : nil, 6, digits: 2)
      ),
      Span(" deg", .faint),
    ]
  }

  /// Draws the attitude, the vectors with bars and, if there is room, graphs of the last seconds.
  mutating func drawNumbers(_ rect: CellRect, _ isWide: Bool) {
    var rest = rect
    canvas.write(attitude, in: rest.takeRows(1))
    canvas.write(heading(columns: rest.columns), in: rest.takeRows(1))
    if isKnown(.heading), rest.columns < 78 {
      let still = scene.motion?.isAtRest == true ? Span("at rest", .good) : Span("moving ")
      canvas.write(Self.joined([tilt, [still]], columns: rest.columns), in: rest.takeRows(1))
    }
    let there = vectors.filter(\.isThere)
    // If there is little room, graphs have priority over bars, and bars over blank lines.
    let graphs = isWide && rest.rows >= there.count + graphRows ? graphRows : 0
    let free = rest.rows - graphs
    let gap = free >= there.count * 4 + 1 ? 1 : 0
    var full = there.count
    while full > 0, full * (3 + gap) + there.count - full > free { full -= 1 }
    for (index, vector) in there.enumerated() {
      guard index < full else {
        canvas.write(vector.line, in: rest.takeRows(1))
        continue
      }
      _ = rest.takeRows(gap)
      drawBars(vector, rest.takeRows(3))
    }
    if isWide { drawGraphs(rest) }
  }

  private mutating func drawBars(_ vector: VectorRow, _ rect: CellRect) {
    let labels = [vector.name, vector.unit, "to \(Self.short(vector.range))"]
    let axes: [(String, Double, TextStyle)] = [
      ("x", vector.value.x, .x), ("y", vector.value.y, .y), ("z", vector.value.z, .z),
    ]
    for (row, (axis, value, style)) in axes.enumerated() {
      var width = rect.columns - 20
      // The width must be odd, so that zero is at the middle character.
      if width % 2 == 0 { width -= 1 }
      canvas.write(
        [
          Span(Text.pad(labels[row], 9), row == 0 ? .plain : .faint), Span(axis, style),
          Span(
            Text.number(vector.isKnown ? value : nil, 8, digits: vector.digits, sign: true) + "  "),
        ] + Bar.spans(value, range: vector.range, width: max(width, 0), style), in: rect, row: row)
    }
  }

  private static func short(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  /// The smallest number of rows that the graphs need.
  var graphRows: Int {
    leastGraphRows
      * [Channel.acceleration, .rotationRate].count(where: { scene.channels.contains($0) })
  }

  private var leastGraphRows: Int { 6 }

  /// Draws graphs of acceleration and rotation rate in the last seconds, with all three axes.
  private mutating func drawGraphs(_ rect: CellRect) {
    let slices = scene.history.slices
    let graphs: [(String, [Vector3], Double, Bool)] = [
      (
        "user acceleration, g", slices.map(\.acceleration), scene.range.acceleration,
        scene.channels.contains(.acceleration)
      ),
      (
        "rotation rate, rad/s", slices.map(\.rotation), scene.range.rotation,
        scene.channels.contains(.rotationRate)
      ),
    ]
    let there = graphs.filter(\.3)
    var rest = rect
    guard !there.isEmpty, rect.rows / there.count >= leastGraphRows else { return }
    let height = min(rect.rows / there.count, 16)
    for (name, values, range, _) in there {
      var area = rest.takeRows(height)
      _ = area.takeRows(1)
      let caption = area.takeRows(1)
      let seconds = Double(area.columns * 2) * MotionHistory.interval.seconds
      canvas.write([Span(name)], in: caption)
      canvas.writeRight(
        [Span("last \(Int(saturating: seconds)) s, to \(Self.short(range))", .faint)],
        in: caption)
      drawGraph(values, range, area)
    }
  }

  private mutating func drawGraph(_ values: [Vector3], _ range: Double, _ rect: CellRect) {
    guard !rect.isEmpty else { return }
    var dots = DotField(columns: rect.columns, rows: rect.rows)
    let middle = dots.height / 2
    for x in stride(from: 0, to: dots.width, by: 4) { dots.set(x, middle, .faint) }
    let shown = Array(values.suffix(dots.width))
    let start = dots.width - shown.count
    func height(_ value: Double) -> Int {
      let share = value.isFinite ? min(max(value / range, -1), 1) : 0
      return Int(saturating: Double(middle) - share * Double(middle - 1))
    }
    let axes: [(WritableKeyPath<Vector3, Double>, TextStyle)] = [(\.z, .z), (\.y, .y), (\.x, .x)]
    for (axis, style) in axes {
      for index in shown.indices.dropFirst() {
        dots.line(
          from: (start + index - 1, height(shown[index - 1][keyPath: axis])),
          to: (start + index, height(shown[index][keyPath: axis])), style)
      }
    }
    dots.draw(on: &canvas, in: rect)
  }
}
