// SPDX-License-Identifier: Apache-2.0

/// A picture of numbers over numbers: lines, points, bands and bars on common axes.
///
///     let plot = Plot(
///       title: "Allan deviation",
///       xAxis: PlotAxis("averaging time", unit: "s", scale: .logarithmic),
///       yAxis: PlotAxis("deviation", unit: "deg/s", scale: .logarithmic),
///       series: [PlotSeries("x", points)])
///     let text = plot.svg(width: 640, height: 420)
///
/// The text is one SVG element that needs nothing else: a file of its own, or a part of an HTML
/// page, where its colours follow the reader's light or dark preference. Values that are not
/// finite, and zero or less on a logarithmic axis, are left out.
public struct Plot: Equatable, Sendable {
  public var title: String
  public var xAxis: PlotAxis
  public var yAxis: PlotAxis
  public var series: [PlotSeries]
  /// Words at places of the plot, such as the name of a peak.
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

  /// One SVG element of so many pixels.
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
  /// Empty where the numbers have none.
  public var unit: String
  public var scale: Scale
  /// The range of the axis; `nil`: as far as the values go, and to round numbers beyond.
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

/// Points that belong together, and how they are drawn.
public struct PlotSeries: Equatable, Sendable {
  public enum Style: Equatable, Sendable {
    case line
    /// A line that is only there to compare with.
    case dashes
    case points
    /// From zero up, each as wide as it is far to the next: a histogram.
    case bars
  }

  /// In the legend; empty: not there.
  public var name: String
  public var points: [PlotPoint]
  public var style: Style
  /// The range of uncertainty of each point, drawn as a band; empty, or one for each point.
  public var band: [ClosedRange<Double>]
  /// The number of one of the eight colours; `nil`: the next.
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

/// Words at a place.
public struct PlotLabel: Equatable, Sendable {
  public var place: PlotPoint
  public var text: String

  public init(_ place: PlotPoint, _ text: String) {
    self.place = place
    self.text = text
  }
}
