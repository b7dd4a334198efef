// SPDX-License-Identifier: Apache-2.0

/// One cell of a terminal: a character of width 1, its colour, and its background.
package struct Cell: Equatable, Sendable, BitwiseCopyable {
  package var scalar: Unicode.Scalar
  package var style: TextStyle
  package var surface: Surface

  package init(
    _ scalar: Unicode.Scalar = " ", _ style: TextStyle = .plain, _ surface: Surface = .none
  ) {
    self.scalar = scalar
    self.style = style
    self.surface = surface
  }
}

/// A rectangle of cells. Columns and rows are counted from 0.
package struct CellRect: Equatable, Sendable {
  package var column: Int
  package var row: Int
  package var columns: Int
  package var rows: Int

  package init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
  }

  package var isEmpty: Bool { columns == 0 || rows == 0 }

  /// Removes `count` rows at the top of the rectangle, and returns them.
  mutating func takeRows(_ count: Int) -> CellRect {
    let taken = min(max(count, 0), rows)
    defer {
      row += taken
      rows -= taken
    }
    return CellRect(column: column, row: row, columns: columns, rows: taken)
  }

  /// Removes `count` rows at the bottom of the rectangle, and returns them.
  mutating func takeLastRows(_ count: Int) -> CellRect {
    let taken = min(max(count, 0), rows)
    rows -= taken
    return CellRect(column: column, row: row + rows, columns: columns, rows: taken)
  }

  /// Removes `count` columns at the left, and returns them. The `gap` columns after them are
  /// removed too.
  mutating func takeColumns(_ count: Int, gap: Int = 0) -> CellRect {
    let taken = min(max(count, 0), columns)
    defer {
      let skipped = min(taken + gap, columns)
      column += skipped
      columns -= skipped
    }
    return CellRect(column: column, row: row, columns: taken, rows: rows)
  }
}

/// The character set of a terminal.
package enum TerminalCharacters: String, Sendable, CaseIterable {
  /// Lines, bars and Braille dots, in UTF-8.
  case unicode
  case ascii
}

/// A part of a line that has one colour.
package struct Span: Equatable, Sendable {
  package var text: String
  package var style: TextStyle

  package init(_ text: String, _ style: TextStyle = .plain) {
    self.text = text
    self.style = style
  }
}

/// The cells of a whole terminal. Drawing outside the cells is ignored.
package struct Canvas: Equatable, Sendable {
  package let columns: Int
  package let rows: Int
  package let characterSet: TerminalCharacters
  package internal(set) var cells: [Cell]

  /// Creates an empty canvas.
  package init(columns: Int, rows: Int, characterSet: TerminalCharacters = .unicode) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
    self.characterSet = characterSet
    cells = [Cell](repeating: Cell(), count: self.columns * self.rows)
  }

  /// The rectangle of all cells.
  package var bounds: CellRect { CellRect(column: 0, row: 0, columns: columns, rows: rows) }

  package subscript(column: Int, row: Int) -> Cell {
    get { contains(column, row) ? cells[row * columns + column] : Cell() }
    set {
      guard contains(column, row) else { return }
      var cell = newValue
      cell.scalar = Self.shown(cell.scalar, characterSet)
      cells[row * columns + column] = cell
    }
  }

  private func contains(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && column < columns && row >= 0 && row < rows
  }

  /// Writes `spans` into one row of `rect`, starting at `column`. Row and column are counted from
  /// the top left corner of `rect`. Text is cut off at the right edge. Returns the next column.
  @discardableResult
  mutating func write(
    _ spans: [Span], in rect: CellRect, row: Int = 0, column: Int = 0, surface: Surface = .none
  ) -> Int {
    guard row >= 0, row < rect.rows else { return column }
    var place = column
    for span in spans {
      for scalar in span.text.unicodeScalars {
        guard place < rect.columns else { return place }
        if place >= 0 {
          self[rect.column + place, rect.row + row] = Cell(scalar, span.style, surface)
        }
        place += 1
      }
    }
    return place
  }

  /// Writes `spans` so that they end at the right edge of `rect`.
  mutating func writeRight(
    _ spans: [Span], in rect: CellRect, row: Int = 0, surface: Surface = .none
  ) {
    let width = spans.reduce(0) { $0 + $1.text.unicodeScalars.count }
    write(spans, in: rect, row: row, column: max(rect.columns - width, 0), surface: surface)
  }

  mutating func fill(_ rect: CellRect, with cell: Cell) {
    for row in 0..<rect.rows {
      for column in 0..<rect.columns { self[rect.column + column, rect.row + row] = cell }
    }
  }

  /// The rows as text without colours. Each row is as long as the canvas is wide.
  package var lines: [String] {
    (0..<rows).map { row in
      var line = ""
      for cell in cells[row * columns..<(row + 1) * columns] {
        line.unicodeScalars.append(cell.scalar)
      }
      return line
    }
  }

  /// Returns the character to show for `scalar`. Names and messages come from files and other
  /// processes. Their characters may be control characters, or may shift the line because they are
  /// not one column wide.
  private static func shown(_ scalar: Unicode.Scalar, _ characterSet: TerminalCharacters)
    -> Unicode.Scalar
  {
    if scalar.value >= 0x20, scalar.value < 0x7F { return scalar }
    if characterSet == .ascii { return standIn[scalar] ?? "?" }
    return switch scalar.value {
    // Latin letters, box drawing, blocks and Braille patterns are one column wide.
    case 0xA0...0xAC, 0xAE...0x24F, 0x2500...0x259F, 0x2800...0x28FF: scalar
    default: "?"
    }
  }

  /// The ASCII replacements for characters in pictures. `DotField` replaces the Braille characters.
  private static let standIn: [Unicode.Scalar: Unicode.Scalar] = [
    "─": "-", "━": "=", "╸": "=", "╺": "=", "┄": ".", "┼": "+", "│": "|", "┌": "+", "┐": "+",
    "└": "+", "┘": "+", "▁": "_", "▂": "_", "▃": ".", "▄": "-", "▅": "-", "▆": "=", "▇": "*",
    "█": "#", "·": ".",
  ]
}
