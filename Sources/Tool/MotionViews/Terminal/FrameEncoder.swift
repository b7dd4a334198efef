// SPDX-License-Identifier: Apache-2.0

/// A converter from canvases to terminal output. Each output contains only the difference from the
/// previous canvas (ECMA-48, fifth edition).
package struct FrameEncoder: Sendable {
  private let colors: ColorDepth
  /// The canvas that the terminal shows; `nil` if unknown.
  private var shown: Canvas?

  package init(_ colors: ColorDepth) { self.colors = colors }

  /// Discards the canvas that the terminal shows, so that the next canvas is sent completely.
  package mutating func forget() { shown = nil }

  /// Returns the bytes that make the terminal show `canvas`; empty if the terminal already shows
  /// it.
  package mutating func bytes(of canvas: Canvas) -> [UInt8] {
    let isWhole = shown?.columns != canvas.columns || shown?.rows != canvas.rows
    if !isWhole, shown == canvas { return [] }
    // Mode 2026 is synchronized output: the terminal updates its display only at the end of the
    // frame. Other terminals ignore this unknown mode.
    var text = "\u{1B}[?2026h\u{1B}[0m"
    if isWhole { text += "\u{1B}[2J" }
    var pen = Pen(colors)
    for row in 0..<canvas.rows { append(row, of: canvas, isWhole, &pen, to: &text) }
    text += "\u{1B}[0m\u{1B}[?2026l"
    shown = canvas
    return Array(text.utf8)
  }

  /// Appends the changed cells of one row.
  private func append(
    _ row: Int, of canvas: Canvas, _ isWhole: Bool, _ pen: inout Pen, to text: inout String
  ) {
    let start = row * canvas.columns
    /// The column after the last character that was sent; `nil` before the first character.
    var place: Int?
    for column in 0..<canvas.columns {
      let cell = canvas.cells[start + column]
      // A cleared screen shows blank cells.
      let old = isWhole ? Cell() : shown?.cells[start + column] ?? Cell()
      guard cell != old else { continue }
      if let last = place, column - last <= 3 {
        // Resending up to three cells is shorter than moving the cursor over them.
        for between in last..<column { pen.draw(canvas.cells[start + between], to: &text) }
      } else {
        text += "\u{1B}[\(row + 1);\(column + 1)H"
      }
      pen.draw(cell, to: &text)
      place = column + 1
    }
  }
}

/// The colours and attributes that the terminal currently uses.
private struct Pen {
  let colors: ColorDepth
  var style: TextStyle = .plain
  var surface: Surface = .none

  init(_ colors: ColorDepth) { self.colors = colors }

  mutating func draw(_ cell: Cell, to text: inout String) {
    // A blank cell shows only its background, so its foreground does not matter.
    let changesStyle = cell.style != style && cell.scalar != " "
    let changesSurface = cell.surface != surface
    if changesStyle || changesSurface {
      text += "\u{1B}["
      if changesStyle {
        style = cell.style
        text += colors.parameters(of: style)
      }
      if changesSurface {
        surface = cell.surface
        text += (changesStyle ? ";" : "") + colors.parameters(of: surface)
      }
      text += "m"
    }
    text.unicodeScalars.append(cell.scalar)
  }
}
