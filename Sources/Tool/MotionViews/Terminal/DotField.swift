// SPDX-License-Identifier: Apache-2.0

/// A bitmap with two by four dots in each cell, shown as Braille characters (The Unicode Standard,
/// chapter 21.1). If cells are twice as high as wide, the dots are equally spaced in both
/// directions. Dot (0, 0) is at the top left.
struct DotField: Sendable {
  let columns: Int
  let rows: Int
  private var patterns: [UInt8]
  private var styles: [TextStyle]

  /// Creates an empty bitmap; `columns` and `rows` count cells.
  init(columns: Int, rows: Int) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
    patterns = [UInt8](repeating: 0, count: self.columns * self.rows)
    styles = [TextStyle](repeating: .plain, count: self.columns * self.rows)
  }

  /// The size in dots.
  var width: Int { columns * 2 }
  var height: Int { rows * 4 }

  /// Sets a dot, and the colour of its cell. Dots outside the bitmap are ignored.
  mutating func set(_ x: Int, _ y: Int, _ style: TextStyle) {
    guard x >= 0, y >= 0, x < width, y < height else { return }
    let cell = (y / 4) * columns + x / 2
    patterns[cell] |= Self.bit(x & 1, y & 3)
    styles[cell] = style
  }

  /// Returns true if the dot is set.
  func isSet(_ x: Int, _ y: Int) -> Bool {
    guard x >= 0, y >= 0, x < width, y < height else { return false }
    return patterns[(y / 4) * columns + x / 2] & Self.bit(x & 1, y & 3) != 0
  }

  /// Sets the dots of a straight line including both ends (Bresenham, IBM Systems Journal 4, 1965).
  mutating func line(from a: (x: Int, y: Int), to b: (x: Int, y: Int), _ style: TextStyle) {
    let (dx, dy) = (abs(b.x - a.x), -abs(b.y - a.y))
    let (stepX, stepY) = (a.x < b.x ? 1 : -1, a.y < b.y ? 1 : -1)
    var (x, y, error) = (a.x, a.y, dx + dy)
    while true {
      set(x, y, style)
      if x == b.x, y == b.y { return }
      let twice = 2 * error
      if twice >= dy {
        error += dy
        x += stepX
      }
      if twice <= dx {
        error += dx
        y += stepY
      }
    }
  }

  /// Draws the dots over the contents of `rect`. The backgrounds of its cells are kept.
  func draw(on canvas: inout Canvas, in rect: CellRect) {
    for row in 0..<min(rows, rect.rows) {
      for column in 0..<min(columns, rect.columns) {
        let pattern = patterns[row * columns + column]
        guard pattern != 0 else { continue }
        var cell = canvas[rect.column + column, rect.row + row]
        cell.style = styles[row * columns + column]
        cell.scalar = Self.scalar(of: pattern, canvas.characterSet)
        canvas[rect.column + column, rect.row + row] = cell
      }
    }
  }

  /// Returns the bit of a dot in its Braille character. Dots 1, 2, 3 are in the left column, dots
  /// 4, 5, 6 in the right column, and dots 7 and 8 in the row below.
  private static func bit(_ x: Int, _ y: Int) -> UInt8 {
    y < 3 ? 1 << UInt8(x * 3 + y) : 0x40 << UInt8(x)
  }

  static func scalar(of pattern: UInt8, _ characterSet: TerminalCharacters) -> Unicode.Scalar {
    characterSet == .ascii
      ? asciiTable[Int(pattern)] : Unicode.Scalar(0x2800 + UInt32(pattern)) ?? " "
  }

  /// The ASCII character with a similar slope for each pattern of eight dots.
  private static let asciiTable: [Unicode.Scalar] = (0...255).map { pattern in
    let dots = (0..<8).map { (x: $0 / 4, y: $0 % 4) }
      .filter { UInt8(pattern) & bit($0.x, $0.y) != 0 }
    guard dots.count > 1 else { return dots.first.map { $0.y < 2 ? "'" : "." } ?? " " }
    let (left, right) = (dots.filter { $0.x == 0 }.map(\.y), dots.filter { $0.x == 1 }.map(\.y))
    guard let leftTop = left.min(), let leftEnd = left.max(), let rightTop = right.min(),
      let rightEnd = right.max()
    else { return "|" }
    if dots.count >= 6 { return "#" }
    let (leftMiddle, rightMiddle) = (leftTop + leftEnd, rightTop + rightEnd)
    let fall = rightMiddle - leftMiddle
    if abs(fall) <= 1, dots.count <= 3 { return leftMiddle + rightMiddle >= 10 ? "_" : "-" }
    if fall == 0 { return dots.count == 2 ? "-" : "+" }
    return fall > 0 ? "\\" : "/"
  }
}
