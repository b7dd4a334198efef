// SPDX-License-Identifier: Apache-2.0
internal import Foundation

struct PlotDrawing {
  private let plot: Plot
  private let width: Double
  private let height: Double
  /// The edges of the drawing area within the axes, in pixels.
  private let left = 78.0
  private let right: Double
  private let top = 40.0
  private let bottom: Double
  private let x: PlotTicks
  private let y: PlotTicks

  init(_ plot: Plot, width: Double, height: Double) {
    self.plot = plot
    self.width = width
    self.height = height
    right = width - 18
    bottom = height - 52
    let points = plot.series.flatMap(\.points)
    let isBarred = plot.series.contains { $0.style == .bars }
    var heights = points.map(\.y)
    heights += plot.series.flatMap { $0.band.flatMap { [$0.lowerBound, $0.upperBound] } }
    if isBarred { heights.append(0) }
    // Leave room above and below a comparison line, so that it does not coincide with the frame.
    for value in plot.series.filter({ $0.style == .dashes }).flatMap(\.points).map(\.y) {
      heights += plot.yAxis.scale == .linear ? [] : [value / 1.2, value * 1.2]
    }
    x = Self.ticks(plot.xAxis, points.map(\.x), count: max(Int((right - left) / 80), 2))
    y = Self.ticks(plot.yAxis, heights, count: max(Int((bottom - top) / 45), 2))
  }

  private static func ticks(_ axis: PlotAxis, _ values: [Double], count: Int) -> PlotTicks {
    let shown = values.filter { $0.isFinite && (axis.scale == .linear || $0 > 0) }
    let low = shown.min() ?? (axis.scale == .linear ? 0 : 0.1)
    let high = shown.max() ?? 1
    return PlotTicks(
      axis.range ?? low...max(low, high), scale: axis.scale, count: count,
      isFixed: axis.range != nil)
  }

  // MARK: Places

  private func place(_ point: PlotPoint) -> (x: Double, y: Double)? {
    guard let u = Self.part(point.x, x.range, plot.xAxis.scale),
      let v = Self.part(point.y, y.range, plot.yAxis.scale)
    else { return nil }
    return (left + u * (right - left), bottom - v * (bottom - top))
  }

  /// Returns the position of a value along the axis, from 0 to 1 in `range`; `nil` if the value has
  /// no position on the scale.
  private static func part(_ value: Double, _ range: ClosedRange<Double>, _ scale: PlotAxis.Scale)
    -> Double?
  {
    guard value.isFinite else { return nil }
    switch scale {
    case .linear:
      return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    case .logarithmic:
      guard value > 0 else { return nil }
      return log(value / range.lowerBound) / log(range.upperBound / range.lowerBound)
    }
  }

  private static func number(_ value: Double) -> String {
    let tenths = (min(max(value, -1e5), 1e5) * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }

  // MARK: Text

  var text: String {
    // The identifier contains the size, because plots with the same identifier on one page share a
    // clip area.
    let clip = "clip-\(Int(width))-\(Int(height))"
    var text = grid()
    text +=
      "<clipPath id=\"\(clip)\"><rect x=\"\(Self.number(left))\" y=\"\(Self.number(top))\" "
      + "width=\"\(Self.number(right - left))\" height=\"\(Self.number(bottom - top))\"/></clipPath>\n"
      + "<g clip-path=\"url(#\(clip))\">\n"
    for (index, series) in plot.series.enumerated() {
      text += draw(series, colour: colour(index))
    }
    text += "</g>\n"
    text +=
      "<rect class=\"frame\" x=\"\(Self.number(left))\" y=\"\(Self.number(top))\" "
      + "width=\"\(Self.number(right - left))\" height=\"\(Self.number(bottom - top))\"/>\n"
    for label in plot.labels {
      guard let place = place(label.place) else { continue }
      // Put the label on the side towards the middle, so that it stays within the plot.
      let isRight = place.x > (left + right) / 2
      text += words(
        label.text, place.x + (isRight ? -4 : 4), max(place.y - 6, top + 12),
        anchor: isRight ? "end" : "start", size: 11)
    }
    return text + legend()
  }

  private func colour(_ index: Int) -> Int {
    (plot.series[index].colour ?? index) % PlotPalette.light.count
  }

  private func words(
    _ words: String, _ x: Double, _ y: Double, anchor: String, style: String = "ink",
    size: Int = 12, isBold: Bool = false, isUpright: Bool = false
  ) -> String {
    let turn =
      isUpright ? " transform=\"rotate(-90 \(Self.number(x)) \(Self.number(y)))\"" : ""
    return "<text class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" "
      + "text-anchor=\"\(anchor)\" font-size=\"\(size)\"\(isBold ? " font-weight=\"600\"" : "")"
      + "\(turn)>\(MarkupText.escaped(words))</text>\n"
  }

  private func grid() -> String {
    var path = ""
    var numbers = ""
    for tick in x.ticks {
      guard let u = Self.part(tick.value, x.range, plot.xAxis.scale) else { continue }
      let place = left + u * (right - left)
      path += "M\(Self.number(place)) \(Self.number(top))V\(Self.number(bottom))"
      if !tick.text.isEmpty {
        numbers += words(tick.text, place, bottom + 17, anchor: "middle", style: "quiet")
      }
    }
    for tick in y.ticks {
      guard let v = Self.part(tick.value, y.range, plot.yAxis.scale) else { continue }
      let place = bottom - v * (bottom - top)
      path += "M\(Self.number(left)) \(Self.number(place))H\(Self.number(right))"
      if !tick.text.isEmpty {
        numbers += words(tick.text, left - 7, place + 4, anchor: "end", style: "quiet")
      }
    }
    return "<path class=\"grid\" d=\"\(path)\"/>\n" + numbers
      + words(plot.title, (left + right) / 2, 22, anchor: "middle", size: 14, isBold: true)
      + words(plot.xAxis.title, (left + right) / 2, height - 14, anchor: "middle")
      + words(
        plot.yAxis.title, 17, (top + bottom) / 2, anchor: "middle", isUpright: true)
  }

  // MARK: Series

  private func draw(_ series: PlotSeries, colour: Int) -> String {
    var text = ""
    if series.band.count == series.points.count, !series.band.isEmpty {
      text += band(series, colour)
    }
    switch series.style {
    case .line: text += line(series.points, colour, "stroke-width=\"1.6\"")
    case .dashes:
      text += line(series.points, colour, "stroke-width=\"1.4\" stroke-dasharray=\"6 4\"")
    case .points:
      for point in series.points {
        guard let place = place(point) else { continue }
        text +=
          "<circle class=\"f\(colour)\" cx=\"\(Self.number(place.x))\" "
          + "cy=\"\(Self.number(place.y))\" r=\"2.5\"/>\n"
      }
    case .bars: text += bars(series.points, colour)
    }
    return text
  }

  private func line(_ points: [PlotPoint], _ colour: Int, _ stroke: String) -> String {
    var path = ""
    var isDown = false
    for place in thinned(points) {
      guard let place else {
        isDown = false
        continue
      }
      path += "\(isDown ? "L" : "M")\(Self.number(place.x)) \(Self.number(place.y))"
      isDown = true
    }
    guard !path.isEmpty else { return "" }
    return "<path class=\"s\(colour)\" fill=\"none\" stroke-linejoin=\"round\" \(stroke) "
      + "d=\"\(path)\"/>\n"
  }

  /// Returns the positions of `points`. If there are too many points, only the highest and the
  /// lowest of each pixel column are kept. `nil` marks an interruption of the line.
  private func thinned(_ points: [PlotPoint]) -> [(x: Double, y: Double)?] {
    let places = points.map(place)
    guard points.count > 2 * Int(right - left) else { return places }
    var thinned: [(x: Double, y: Double)?] = []
    var column: [(x: Double, y: Double)] = []
    func flush() {
      let low = column.indices.min { column[$0].y < column[$1].y }
      let high = column.indices.max { column[$0].y < column[$1].y }
      guard let low, let high else { return }
      thinned += Set([low, high]).sorted().map { column[$0] }
      column = []
    }
    for place in places {
      guard let place else {
        flush()
        thinned.append(nil)
        continue
      }
      if let last = column.last, last.x.rounded() != place.x.rounded() { flush() }
      column.append(place)
    }
    flush()
    return thinned
  }

  private func band(_ series: PlotSeries, _ colour: Int) -> String {
    let edge = zip(series.points, series.band)
    let upper = edge.compactMap { place(PlotPoint($0.x, $1.upperBound)) }
    let lower = edge.compactMap { place(PlotPoint($0.x, $1.lowerBound)) }
    guard upper.count > 1, lower.count > 1 else { return "" }
    let outline = (upper + lower.reversed())
      .map { "\(Self.number($0.x)) \(Self.number($0.y))" }.joined(separator: "L")
    return "<path class=\"f\(colour)\" fill-opacity=\"0.18\" d=\"M\(outline)Z\"/>\n"
  }

  private func bars(_ points: [PlotPoint], _ colour: Int) -> String {
    guard points.count > 1 else { return "" }
    var path = ""
    for (index, point) in points.enumerated() {
      let next = index + 1 < points.count ? index + 1 : index
      let half = (points[next].x - points[next - 1].x) / 2
      guard point.y > 0, let first = place(PlotPoint(point.x - half, point.y)),
        let last = place(PlotPoint(point.x + half, point.y))
      else { continue }
      path +=
        "M\(Self.number(first.x)) \(Self.number(bottom))V\(Self.number(first.y))"
        + "H\(Self.number(last.x))V\(Self.number(bottom))Z"
    }
    return "<path class=\"f\(colour)\" fill-opacity=\"0.55\" d=\"\(path)\"/>\n"
  }

  // MARK: Legend

  /// Returns the legend, placed in the corner with the fewest points.
  private func legend() -> String {
    let named = plot.series.enumerated().filter { !$0.element.name.isEmpty }
    guard !named.isEmpty else { return "" }
    let boxHeight = Double(named.count) * 17 + 8
    let boxWidth = Double(named.map(\.element.name.count).max() ?? 0) * 6.8 + 40
    let corners = [
      (x: right - boxWidth - 8, y: top + 8), (x: left + 8, y: top + 8),
      (x: right - boxWidth - 8, y: bottom - boxHeight - 8),
      (x: left + 8, y: bottom - boxHeight - 8),
    ]
    let places = plot.series.flatMap(\.points).compactMap(place)
    let covered = corners.map { corner in
      places.count {
        $0.x > corner.x - 6 && $0.x < corner.x + boxWidth + 6 && $0.y > corner.y - 6
          && $0.y < corner.y + boxHeight + 6
      }
    }
    let best = covered.indices.min { covered[$0] < covered[$1] } ?? 0
    let corner = corners[best]
    var text =
      "<rect class=\"paper\" fill-opacity=\"0.8\" x=\"\(Self.number(corner.x))\" "
      + "y=\"\(Self.number(corner.y))\" width=\"\(Self.number(boxWidth))\" "
      + "height=\"\(Self.number(boxHeight))\" rx=\"3\"/>\n"
    for (row, (index, series)) in named.enumerated() {
      let y = corner.y + Double(row) * 17 + 13
      let dash = series.style == .dashes ? " stroke-dasharray=\"6 4\"" : ""
      let weight = series.style == .bars ? 8 : 2
      text +=
        "<path class=\"s\(colour(index))\" fill=\"none\" stroke-width=\"\(weight)\"\(dash) "
        + "d=\"M\(Self.number(corner.x + 6)) \(Self.number(y))h20\"/>\n"
        + words(series.name, corner.x + 32, y + 4, anchor: "start")
    }
    return text
  }
}
