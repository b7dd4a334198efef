// SPDX-License-Identifier: Apache-2.0

/// Turns canvases into what a terminal is sent: of each only what differs from the one before
/// (ECMA-48, fifth edition).
public struct FrameEncoder: Sendable {
  private let colors: ColorDepth
  /// The canvas that the terminal shows; `nil`: not known.
  private var shown: Canvas?

  public init(_ colors: ColorDepth) { self.colors = colors }

  /// Forgets what the terminal shows: the next canvas is sent whole.
  public mutating func forget() { shown = nil }

  /// Returns the bytes that make a terminal show `canvas`; none where it does.
  public mutating func bytes(of canvas: Canvas) -> [UInt8] {
    let isWhole = shown?.columns != canvas.columns || shown?.rows != canvas.rows
    if !isWhole, shown == canvas { return [] }
    // Between the two a terminal that knows synchronized output shows nothing; others ignore them,
    // as modes that they do not know (DEC private mode 2026).
    var text = "\u{1B}[?2026h\u{1B}[0m"
    if isWhole { text += "\u{1B}[2J" }
    var pen = Pen(colors)
    for row in 0..<canvas.rows { append(row, of: canvas, isWhole, &pen, to: &text) }
    text += "\u{1B}[0m\u{1B}[?2026l"
    shown = canvas
    return Array(text.utf8)
  }

  /// The cells of one row that have changed.
  private func append(
    _ row: Int, of canvas: Canvas, _ isWhole: Bool, _ pen: inout Pen, to text: inout String
  ) {
    let start = row * canvas.columns
    /// Behind the last character that was sent.
    var place: Int?
    for column in 0..<canvas.columns {
      let cell = canvas.cells[start + column]
      // A screen that was cleared shows blanks.
      let old = isWhole ? Cell() : shown?.cells[start + column] ?? Cell()
      guard cell != old else { continue }
      if let last = place, column - last <= 3 {
        // Shorter than to jump over them.
        for between in last..<column { pen.draw(canvas.cells[start + between], to: &text) }
      } else {
        text += "\u{1B}[\(row + 1);\(column + 1)H"
      }
      pen.draw(cell, to: &text)
      place = column + 1
    }
  }
}

/// The pen with which the terminal draws.
private struct Pen {
  let colors: ColorDepth
  var ink: Ink = .plain
  var surface: Surface = .none

  init(_ colors: ColorDepth) { self.colors = colors }

  mutating func draw(_ cell: Cell, to text: inout String) {
    // A blank has no ink.
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
