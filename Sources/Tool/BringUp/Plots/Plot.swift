// SPDX-License-Identifier: Apache-2.0

/// A plot of numbers over numbers: lines, points, bands and bars on common axes.
///
///      let plot = Plot(
///        title: "Allan deviation",
///        xAxis: PlotAxis("averaging time", unit: "s", scale: .logarithmic),
///        yAxis: PlotAxis("deviation", unit: "deg/s", scale: .logarithmic),
///        series: [PlotSeries("x", points)])
///      let text = plot.svg(width: 640, height: 420)
///
/// The text is one self-contained SVG element, for a file or an HTML page, where its colours follow
/// the reader's light or dark preference. Values that are not finite, and zero or less on a
/// logarithmic axis, are left out.
package struct Plot: Equatable, Sendable {
  package var title: String
  package var xAxis: PlotAxis
  package var yAxis: PlotAxis
  package var series: [PlotSeries]
  /// Text labels in the plot, such as the name of a peak.
  package var labels: [PlotLabel]

  package init(
    title: String, xAxis: PlotAxis, yAxis: PlotAxis, series: [PlotSeries],
    labels: [PlotLabel] = []
  ) {
    self.title = title
    self.xAxis = xAxis
    self.yAxis = yAxis
    self.series = series
    self.labels = labels
  }

  /// Returns one SVG element with this size in pixels.
  package func svg(width: Int = 640, height: Int = 420) -> String {
    PlotSheet([[self]]).svg(plotWidth: width, plotHeight: height)
  }
}

/// One of a plot's two axes.
package struct PlotAxis: Equatable, Sendable {
  package enum Scale: Equatable, Sendable {
    case linear
    case logarithmic
  }

  package var name: String
  /// The unit; empty for numbers without a unit.
  package var unit: String
  package var scale: Scale
  /// The range of the axis; `nil` extends the range of the values to round numbers.
  package var range: ClosedRange<Double>?

  package init(
    _ name: String, unit: String = "", scale: Scale = .linear, range: ClosedRange<Double>? = nil
  ) {
    self.name = name
    self.unit = unit
    self.scale = scale
    self.range = range
  }

  var title: String { unit.isEmpty ? name : "\(name), \(unit)" }
}

package struct PlotPoint: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A series of points with its drawing style.
package struct PlotSeries: Equatable, Sendable {
  package enum Style: Equatable, Sendable {
    case line
    /// A dashed line, for comparison only.
    case dashes
    case points
    /// Bars from zero, as wide as the distance between points, for a histogram.
    case bars
  }

  /// The name in the legend; empty for none.
  package var name: String
  package var points: [PlotPoint]
  package var style: Style
  /// The uncertainty of each point, drawn as a band; empty, or one range per point.
  package var band: [ClosedRange<Double>]
  /// The index of one of the eight colours; `nil` selects the next one.
  package var colour: Int?

  package init(
    _ name: String, _ points: [PlotPoint], style: Style = .line, band: [ClosedRange<Double>] = [],
    colour: Int? = nil
  ) {
    self.name = name
    self.points = points
    self.style = style
    self.band = band
    self.colour = colour
  }
}

/// A text label at a point of a plot.
package struct PlotLabel: Equatable, Sendable {
  package var place: PlotPoint
  package var text: String

  package init(_ place: PlotPoint, _ text: String) {
    self.place = place
    self.text = text
  }
}
