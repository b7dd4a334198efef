// SPDX-License-Identifier: Apache-2.0

/// Several plots in one picture, arranged in rows.
package struct PlotSheet: Equatable, Sendable {
  /// The title above all plots; empty for none.
  package var title: String
  package var rows: [[Plot]]

  package init(_ rows: [[Plot]], title: String = "") {
    self.rows = rows
    self.title = title
  }

  /// Returns one SVG element, in which each plot has the given size in pixels.
  package func svg(plotWidth: Int = 640, plotHeight: Int = 420) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let top = title.isEmpty ? 0 : 34
    let width = max(columns, 1) * plotWidth
    let height = top + rows.count * plotHeight
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" class="otolith-plot" width="\(width)" \
      height="\(height)" viewBox="0 0 \(width) \(height)" role="img" \
      font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="12">
      <title>\(MarkupText.escaped(title.isEmpty ? rows.first?.first?.title ?? "" : title))</title>
      <style>\(PlotPalette.styleSheet)</style>
      <rect class="paper" width="\(width)" height="\(height)"/>

      """
    if !title.isEmpty {
      text +=
        "<text class=\"ink\" x=\"\(width / 2)\" y=\"24\" text-anchor=\"middle\" font-size=\"16\" "
        + "font-weight=\"600\">\(MarkupText.escaped(title))</text>\n"
    }
    for (row, plots) in rows.enumerated() {
      for (column, plot) in plots.enumerated() {
        let drawing = PlotDrawing(plot, width: Double(plotWidth), height: Double(plotHeight))
        text +=
          "<g transform=\"translate(\(column * plotWidth) \(top + row * plotHeight))\">\n"
          + drawing.text + "</g>\n"
      }
    }
    return text + "</svg>\n"
  }
}

enum PlotPalette {
  /// The colours of Okabe and Ito (2008), which most colour-blind people can distinguish. The
  /// darkest and the lightest are changed for dark pages.
  static let light = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00", "#555555",
  ]
  static let dark = [
    "#4aa8e0", "#ff8438", "#2cc79b", "#e39cc4", "#f0b428", "#8fd0f5", "#d9c840", "#b0b0b0",
  ]

  static let styleSheet: String = {
    func rules(_ paper: String, _ ink: String, _ quiet: String, _ grid: String, _ all: [String])
      -> String
    {
      ".otolith-plot .paper{fill:\(paper)}.otolith-plot .ink{fill:\(ink)}"
        + ".otolith-plot .quiet{fill:\(quiet)}.otolith-plot .frame{stroke:\(quiet);fill:none}"
        + ".otolith-plot .grid{stroke:\(grid);fill:none}"
        + all.enumerated().map { index, colour in
          ".otolith-plot .s\(index){stroke:\(colour)}.otolith-plot .f\(index){fill:\(colour)}"
        }.joined()
    }
    return rules("#ffffff", "#1b1b1b", "#5a5a5a", "#e2e2e2", light)
      + "@media (prefers-color-scheme:dark){"
      + rules("#16181c", "#ececec", "#a0a0a0", "#34373d", dark) + "}"
  }()
}
