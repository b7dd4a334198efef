// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationXML
import BringUp
import Testing

/// The contents of an SVG text, read by Foundation's parser.
private final class Drawing: NSObject, XMLParserDelegate {
  var elements: [(name: String, attributes: [String: String])] = []
  var words: [String] = []
  private var open = ""

  init?(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else { return nil }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements.append((name, attributes))
    open = ""
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open += text }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if name == "text" { words.append(open) }
    open = ""
  }

  /// The points of the lines in a style, in pixels.
  func path(_ style: String) -> [[Double]] {
    let path = elements.first { $0.attributes["class"] == style && $0.name == "path" }
    return (path?.attributes["d"] ?? "").split(whereSeparator: { "ML".contains($0) })
      .map { $0.split(separator: " ").compactMap { Double($0) } }
  }
}

@Suite struct PlotTests {
  /// The drawing area is from 100 to 582 by 40 to 368 pixels: margins of 78 and 18 at the sides, 40
  /// and 52 above and below.
  @Test func `on logarithmic axes a power is a straight line`() throws {
    let plot = Plot(
      title: "a < b & c", xAxis: PlotAxis("time", unit: "s", scale: .logarithmic, range: 1...100),
      yAxis: PlotAxis("deviation", unit: "deg/h", scale: .logarithmic, range: 0.1...10),
      series: [PlotSeries("x", [PlotPoint(1, 10), PlotPoint(10, 1), PlotPoint(100, 0.1)])])
    let drawing = try #require(Drawing(plot.svg(width: 640, height: 420)))
    #expect(drawing.path("s0") == [[78, 40], [350, 204], [622, 368]])
    #expect(drawing.elements.first?.attributes["viewBox"] == "0 0 640 420")
    for words in ["a < b & c", "time, s", "deviation, deg/h", "x", "1", "10", "100", "0.1"] {
      #expect(drawing.words.contains(words), "\(words)")
    }
  }

  @Test func `a linear axis has round numbers at its ends`() throws {
    let plot = Plot(
      title: "t", xAxis: PlotAxis("n"), yAxis: PlotAxis("g"),
      series: [PlotSeries("", [PlotPoint(0, -0.93), PlotPoint(7, 1.04)])])
    let drawing = try #require(Drawing(plot.svg(width: 640, height: 420)))
    for words in ["-1.0", "0.0", "0.5", "1.0", "1.5", "0", "8"] {
      #expect(drawing.words.contains(words), "\(words) in \(drawing.words)")
    }
    #expect(!drawing.words.contains(""), "a series without a name is not in the legend")
  }

  /// Numbers far from 1 are shown as powers of ten.
  @Test func `decades have their numbers`() throws {
    let plot = Plot(
      title: "t", xAxis: PlotAxis("f", scale: .logarithmic),
      yAxis: PlotAxis("d", scale: .logarithmic),
      series: [PlotSeries("", [PlotPoint(0.01, 1e-7), PlotPoint(2000, 3e-2)])])
    let drawing = try #require(Drawing(plot.svg()))
    for words in ["0.01", "100", "1000", "10⁻⁷", "10⁻⁵", "0.01"] {
      #expect(drawing.words.contains(words), "\(words) in \(drawing.words)")
    }
  }

  @Test func `what has no place is left out, and nothing at all is a plot too`() throws {
    let axis = PlotAxis("v", scale: .logarithmic)
    let points = [
      PlotPoint(1, 1), PlotPoint(2, 0), PlotPoint(.nan, 1), PlotPoint(3, .infinity),
      PlotPoint(4, 2),
      PlotPoint(5, 3),
    ]
    let plot = Plot(title: "t", xAxis: axis, yAxis: axis, series: [PlotSeries("", points)])
    let drawing = try #require(Drawing(plot.svg()))
    // The line is interrupted at missing values.
    #expect(drawing.path("s0").count == 3)
    for style in [PlotSeries.Style.line, .bars, .points, .dashes] {
      let empty = Plot(
        title: "", xAxis: axis, yAxis: axis, series: [PlotSeries("", [], style: style)])
      #expect(Drawing(empty.svg()) != nil)
      let alike = Plot(
        title: "", xAxis: PlotAxis("x"), yAxis: PlotAxis("y"),
        series: [PlotSeries("", [PlotPoint(5, 5), PlotPoint(5, 5)], style: style)])
      let text = alike.svg()
      #expect(!text.contains("nan") && !text.contains("inf") && Drawing(text) != nil)
    }
  }

  /// A hundred is a tick, at which the axis would end without extra room.
  @Test func `a line to compare with lies within the frame`() throws {
    let axis = PlotAxis("v", scale: .logarithmic)
    let plot = Plot(
      title: "t", xAxis: axis, yAxis: axis,
      series: [
        PlotSeries("x", [PlotPoint(1, 20), PlotPoint(10, 90)]),
        PlotSeries("data sheet", [PlotPoint(1, 100), PlotPoint(10, 100)], style: .dashes),
      ])
    let path = try #require(Drawing(plot.svg(width: 640, height: 420))).path("s1")
    #expect(!path.isEmpty && path.allSatisfy { $0[1] > 45 && $0[1] < 363 }, "\(path)")
  }

  /// An hour at 1 kHz gives one point per column of pixels, and all spikes are kept.
  @Test func `of many points each column keeps the highest and the lowest`() throws {
    var points = (0..<20_000).map { PlotPoint(Double($0), 0) }
    points[12_345].y = 1
    let plot = Plot(
      title: "t", xAxis: PlotAxis("n", range: 0...20_000), yAxis: PlotAxis("y", range: 0...1),
      series: [PlotSeries("", points)])
    let text = plot.svg(width: 640, height: 420)
    #expect(text.utf8.count < 30_000)
    let path = try #require(Drawing(text)).path("s0")
    #expect(path.count { $0[1] == 40 } == 1)
  }

  @Test func `a sheet has its plots in rows and columns, each with a band`() throws {
    let axis = PlotAxis("v")
    let plot = Plot(
      title: "p", xAxis: axis, yAxis: axis,
      series: [PlotSeries("x", [PlotPoint(0, 1), PlotPoint(1, 2)], band: [0...2, 1...3])])
    let text = PlotSheet([[plot, plot], [plot]], title: "all").svg(plotWidth: 300, plotHeight: 200)
    let drawing = try #require(Drawing(text))
    #expect(drawing.elements.first?.attributes["viewBox"] == "0 0 600 434")
    let places = drawing.elements.compactMap { $0.attributes["transform"] }
    for place in ["translate(0 34)", "translate(300 34)", "translate(0 234)"] {
      #expect(places.contains(place))
    }
    #expect(drawing.words.first == "all")
    #expect(drawing.elements.count { $0.attributes["fill-opacity"] == "0.18" } == 3)
    #expect(text.contains("prefers-color-scheme:dark"))
  }
}
