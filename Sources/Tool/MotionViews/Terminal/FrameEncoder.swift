// SPDX-License-Identifier: Apache-2.0

/// Converts canvases to output for a terminal: for each only the difference from the previous one
/// (ECMA-48, fifth edition).
package struct FrameEncoder: Sendable {
  private let colors: ColorDepth
  /// The canvas that the terminal shows; `nil` if unknown.
  private var shown: Canvas?

  package init(_ colors: ColorDepth) { self.colors = colors }

  /// Resets the state of the terminal: the next canvas is sent completely.
  package mutating func forget() { shown = nil }

  /// Returns the bytes that make a terminal show `canvas`; empty if it already does.
  package mutating func bytes(of canvas: Canvas) -> [UInt8] {
    let isWhole = shown?.columns != canvas.columns || shown?.rows != canvas.rows
    if !isWhole, shown == canvas { return [] }
    // Between the two sequences a terminal with synchronized output does not update its display;
    // others ignore the unknown mode (DEC private mode 2026).
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
    /// The column after the last character sent.
    var place: Int?
    for column in 0..<canvas.columns {
      let cell = canvas.cells[start + column]
      // A cleared screen shows blanks.
      let old = isWhole ? Cell() : shown?.cells[start + column] ?? Cell()
      guard cell != old else { continue }
      if let last = place, column - last <= 3 {
        // Shorter than moving the cursor over them.
        for between in last..<column { pen.draw(canvas.cells[start + between], to: &text) }
      } else {
        text += "\u{1B}[\(row + 1);\(column + 1)H"
      }
      pen.draw(cell, to: &text)
      place = column + 1
    }
  }
}

/// The current attributes of the terminal.
private struct Pen {
  let colors: ColorDepth
  var ink: TextStyle = .plain
  var surface: Surface = .none

  init(_ colors: ColorDepth) { self.colors = colors }

  mutating func draw(_ cell: Cell, to text: inout String) {
    // A blank shows no ink.
    let changesInk = cell.ink != ink && cell.scalar != " "
    let changesSurface = cell.surface != surface
    if changesInk || changesSurface {
      text += "\u{1B}["
      if changesInk {
        ink = cell.ink
        text += colors.parameters(of: ink)
      }
      if changesSurface {
        surface = cell.surface
        text += (changesInk ? ";" : "") + colors.parameters(of: surface)
      }
      text += "m"
    }
    text.unicodeScalars.append(cell.scalar)
  }
}
