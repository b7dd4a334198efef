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
public struct Plot: Equatable, Sendable {
  public var title: String
  public var xAxis: PlotAxis
  public var yAxis: PlotAxis
  public var series: [PlotSeries]
  /// Text labels in the plot, such as the name of a peak.
  public var labels: [PlotLabel]

  public init(
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
  public func svg(width: Int = 640, height: Int = 420) -> String {
    PlotSheet([[self]]).svg(plotWidth: width, plotHeight: height)
  }
}

/// One of the two axes.
public struct PlotAxis: Equatable, Sendable {
  public enum Scale: Equatable, Sendable {
    case linear
    case logarithmic
  }

  public var name: String
  /// The unit; empty for numbers without a unit.
  public var unit: String
  public var scale: Scale
  /// The range of the axis; `nil` for the range of the values, extended to round numbers.
  public var range: ClosedRange<Double>?

  public init(
    _ name: String, unit: String = "", scale: Scale = .linear, range: ClosedRange<Double>? = nil
  ) {
    self.name = name
    self.unit = unit
    self.scale = scale
    self.range = range
  }

  var title: String { unit.isEmpty ? name : "\(name), \(unit)" }
}

public struct PlotPoint: Equatable, Sendable {
  public var x: Double
  public var y: Double

  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// Points with their drawing style.
public struct PlotSeries: Equatable, Sendable {
  public enum Style: Equatable, Sendable {
    case line
    /// A line for comparison only.
    case dashes
    case points
    /// Bars from zero, as wide as the distance between points: a histogram.
    case bars
  }

  /// The name in the legend; empty for none.
  public var name: String
  public var points: [PlotPoint]
  public var style: Style
  /// The uncertainty of each point, drawn as a band; empty, or one range per point.
  public var band: [ClosedRange<Double>]
  /// The index of one of the eight colours; `nil` for the next one.
  public var colour: Int?

  public init(
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

/// A text label.
public struct PlotLabel: Equatable, Sendable {
  public var place: PlotPoint
  public var text: String

  public init(_ place: PlotPoint, _ text: String) {
    self.place = place
    self.text = text
  }
}
