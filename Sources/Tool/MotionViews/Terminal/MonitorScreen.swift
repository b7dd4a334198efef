// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The screen of `otolith monitor`, drawn from a scene. Parts that do not fit are omitted, the
/// least important first.
package struct MonitorScreen: Sendable {
  /// The smallest supported size of the screen.
  package static let smallest = (columns: 40, rows: 12)

  let scene: MonitorScene
  var canvas: Canvas

  /// Returns the canvas of the given size for `scene`.
  package static func canvas(
    _ scene: MonitorScene, columns: Int, rows: Int, characterSet: TerminalCharacters = .unicode
  ) -> Canvas {
    var screen = MonitorScreen(
      scene: scene, canvas: Canvas(columns: columns, rows: rows, characterSet: characterSet))
    screen.draw()
    return screen.canvas
  }

  /// Returns the screen as text without colours: `rows` lines of `columns` characters.
  package static func lines(
    _ scene: MonitorScene, columns: Int, rows: Int, characterSet: TerminalCharacters = .unicode
  ) -> [String] {
    canvas(scene, columns: columns, rows: rows, characterSet: characterSet).lines
  }

  private mutating func draw() {
    let bounds = canvas.bounds
    guard canvas.columns >= Self.smallest.columns, canvas.rows >= Self.smallest.rows else {
      let text =
        "this needs \(Self.smallest.columns)x\(Self.smallest.rows) characters, but has "
        + "\(canvas.columns)x\(canvas.rows): enlarge the window, or press q"
      for (row, line) in Text.wrapped(text, canvas.columns, lines: max(canvas.rows, 1)).enumerated()
      {
        canvas.write([Span(line, .warning)], in: bounds, row: row)
      }
      return
    }
    if canvas.columns >= 76, canvas.rows >= 20 { drawFull() } else { drawCompact() }
    if scene.showsHelp { drawHelp() }
  }

  // MARK: Large screens with a picture next to the numbers

  private mutating func drawFull() {
    var rest = canvas.bounds
    drawTitle(rest.takeRows(1))
    drawKeys(rest.takeLastRows(1))
    let isWide = canvas.columns >= 132 && canvas.rows >= 32
    drawStatus(rest.takeRows(1))
    if isWide { _ = rest.takeRows(1) }

    let eventColumns = isWide ? canvas.columns * 2 / 5 : 0
    let tableColumns = canvas.columns - eventColumns - (isWide ? 2 : 0)
    let table = chipLines(columns: tableColumns, limit: tableRows(of: rest.rows, isWide))
    // Draw the lower part: environment, table of chips, fusion and movement.
    var bottom = rest.takeLastRows(table.count + 3 + (isWide ? 4 : 0))
    if isWide {
      drawRule(bottom.takeRows(1))
      let left = bottom.takeColumns(tableColumns, gap: 2)
      drawEvents(bottom)
      bottom = left
    }
    canvas.write(environment(columns: bottom.columns), in: bottom.takeRows(1))
    if isWide { _ = bottom.takeRows(1) }
    for line in table { canvas.write(line, in: bottom.takeRows(1)) }
    if isWide { _ = bottom.takeRows(1) }
    canvas.write(fusion(columns: bottom.columns), in: bottom.takeRows(1))
    if isWide { canvas.write(gyroScale(columns: bottom.columns), in: bottom.takeRows(1)) }
    canvas.write(movement(columns: bottom.columns), in: bottom.takeRows(1))

    // Cells are twice as high as wide, so a picture wider than this would have empty sides.
    let picture = min(rest.columns / 2, max(rest.rows * 2 + 6, 34))
    var left = rest.takeColumns(picture, gap: 1)
    if isWide { _ = rest.takeColumns(1) }
    drawNumbers(rest, isWide)
    if !isWide {
      let sparks = left.takeLastRows(2)
      drawSparks(sparks)
    }
    drawPicture(left)
  }

  /// Returns the largest number of rows for the table of chips: a third of the screen, or fewer
  /// rows if this leaves room for graphs.
  private func tableRows(of rows: Int, _ isWide: Bool) -> Int {
    let third = max(rows / 3, 4)
    // Subtract the rows for attitude, heading, each vector, and the lines below the table.
    let left = rows - 3 - vectors.count(where: \.isThere) - graphRows - 7
    return isWide && left >= 4 ? min(third, left) : third
  }

  private mutating func drawPicture(_ rect: CellRect) {
    BoardPicture(attitude: scene.attitude, isNorth: scene.isNorth).draw(on: &canvas, in: rect)
    if scene.attitude == nil {
      let text = scene.motion == nil ? "waiting for motion" : attitudeIsMissing
      let lines = Text.wrapped(text, rect.columns, lines: 2)
      for (row, line) in lines.enumerated() {
        canvas.write(
          [Span(line, .warning)], in: rect, row: rect.rows / 2 + row - 1,
          column: (rect.columns - line.count) / 2)
      }
    }
    canvas.write([Span(scene.frame, .faint)], in: rect)
  }

  var attitudeIsMissing: String {
    scene.channels.contains(.acceleration)
      ? "no attitude in this frame yet" : "no attitude: the board has no accelerometer"
  }

  private mutating func drawSparks(_ rect: CellRect) {
    let slices = scene.history.slices
    let graphs: [(String, [Double], Double, String)] = [
      ("|a|", slices.map(\.greatestAcceleration), scene.range.acceleration, "g"),
      ("|w|", slices.map(\.greatestRotation), scene.range.rotation, "rad/s"),
    ]
    for (row, (name, values, range, unit)) in graphs.enumerated() {
      let width = max(rect.columns - 18, 0)
      canvas.write(
        [
          Span(name + " ", .faint),
          Span(Sparkline.text(values, range: range, width: width), row == 0 ? .good : .z),
          Span(Text.number(values.last, 7, digits: 2)), Span(" " + Text.pad(unit, 5), .faint),
        ], in: rect, row: row)
    }
  }

  private mutating func drawRule(_ rect: CellRect) {
    canvas.write([Span(String(repeating: "─", count: rect.columns), .faint)], in: rect)
  }

  private mutating func drawEvents(_ rect: CellRect) {
    guard !rect.isEmpty else { return }
    canvas.write([Span("events", .strong)], in: rect)
    var lines: [[Span]] = []
    for event in scene.events {
      let wrapped = Text.wrapped(event.text, rect.columns - 9, lines: 3)
      for (index, text) in wrapped.enumerated() {
        lines.append([
          Span(index == 0 ? event.time + " " : "         ", .faint), Span(text, event.style),
        ])
      }
    }
    if lines.isEmpty { lines = [[Span("none yet", .faint)]] }
    for (row, line) in lines.suffix(rect.rows - 1).enumerated() {
      canvas.write(line, in: rect, row: row + 1)
    }
  }

  // MARK: One column

  private mutating func drawCompact() {
    var rest = canvas.bounds
    drawTitle(rest.takeRows(1))
    drawKeys(rest.takeLastRows(1))
    var lines: [[Span]] = [attitude, heading(columns: rest.columns)]
    lines += compactChips(columns: rest.columns, limit: max(2, rest.rows - 8))
    lines += vectors.filter(\.isThere).map { $0.line }
    lines.append(movement(columns: rest.columns))
    lines.append(environment(columns: rest.columns))
    // Draw the picture in the remaining rows if there are at least six.
    let spare = rest.rows - lines.count
    if spare >= 6 { drawPicture(rest.takeRows(spare)) }
    for line in lines { canvas.write(line, in: rest.takeRows(1)) }
  }

  private func compactChips(columns: Int, limit: Int) -> [[Span]] {
    let chips = scene.chips.sorted { $0.isTroubled && !$1.isTroubled }.map { chip in
      [
        [Span(Text.pad(chip.name, 10) + " ")]
          + [Span(Text.number(chip.measuredRate, 7, digits: 1))]
          + [Span(" Hz ", .faint)] + chip.stateSpans(columns: columns - 22)
      ]
    }
    return page(of: chips, limit: limit).lines
  }

  // MARK: Frame

  private mutating func drawTitle(_ rect: CellRect) {
    canvas.fill(rect, with: Cell(" ", .title, .bar))
    let cost = scene.cost
    var right = "\(Text.number(cost.frames, 2, digits: 0)) fps "
    if canvas.columns >= 60 {
      right =
        "\(Text.number(cost.bytes / 1000, 3, digits: 0)) kB/s  "
        + "cpu \(Text.number(cost.drawing * 100, 4, digits: 1))% of "
        + "\(Text.number(cost.program * 100, 4, digits: 1))%  " + right
    }
    // A snapshot has no cost of drawing, and the cost is unknown during the first second.
    if cost.frames == 0 { right = "" }
    if scene.isFrozen { right = "FROZEN  " + right }
    let name = canvas.columns >= 60 ? " otolith monitor  " : " "
    canvas.write(
      [Span(name, .title), Span(scene.board, .title)], in: rect, surface: .bar)
    // The right part is more important, so it overwrites a long name.
    canvas.writeRight([Span("  " + right, .title)], in: rect, surface: .bar)
  }

  /// Draws the reason why this board was chosen, or the time without motion.
  private mutating func drawStatus(_ rect: CellRect) {
    if let silence = scene.silence {
      let text = "no motion for \(Text.number(silence, 1, digits: 0)) s"
      canvas.write([Span(" " + text, .bad)], in: rect)
      return
    }
    canvas.write([Span(" " + Text.pad(scene.reason, rect.columns - 1), .faint)], in: rect)
  }

  private mutating func drawKeys(_ rect: CellRect) {
    let keys = [
      ("q", "quit"), ("space", scene.isFrozen ? "go on" : "freeze"), ("f", "frame"),
      ("r", "yaw to 0"), ("+ -", "range"), ("c", "chips"), ("h", "help"),
    ]
    canvas.fill(rect, with: Cell(" ", .title, .bar))
    var column = 1
    for (key, meaning) in keys {
      // Show a key together with its complete meaning, or do not show the key.
      guard column + key.count + 1 + meaning.count <= rect.columns else { break }
      column = canvas.write(
        [Span(key, .arrow), Span(" " + meaning + "   ", .title)], in: rect, column: column,
        surface: .bar)
    }
  }

  private mutating func drawHelp() {
    let width = min(canvas.columns, 64)
    let text: [(String, String)] = [
      ("q, Ctrl-C", "end; the chips are put to sleep"), ("space", "hold the picture; again: go on"),
      ("f", "next reference frame of the attitude"), ("r", "yaw is 0 from here on"),
      ("+ -", "range of bars and graphs: larger, smaller"),
      ("c", "the next chips, if not all fit"), ("Ctrl-L", "redraw everything"),
      ("h ?", "this help; any key closes it"),
    ]
    let notes = [
      "x is the board's right, y its top edge, z up out of it.",
      "cpu: the drawing, the whole program.",
      "late: delivered later than configured; lost: never read.",
    ]
    let rows = min(text.count + notes.count + 3, canvas.rows)
    let box = CellRect(
      column: (canvas.columns - width) / 2, row: (canvas.rows - rows) / 2, columns: width,
      rows: rows)
    canvas.fill(box, with: Cell())
    let line = String(repeating: "─", count: width - 2)
    canvas.write([Span("┌" + line + "┐", .faint)], in: box)
    canvas.write([Span("└" + line + "┘", .faint)], in: box, row: rows - 1)
    for row in 1..<(rows - 1) {
      canvas.write([Span("│", .faint)], in: box, row: row)
      canvas.write([Span("│", .faint)], in: box, row: row, column: width - 1)
    }
    var inside = CellRect(
      column: box.column + 2, row: box.row + 1, columns: width - 4, rows: rows - 2)
    for (key, meaning) in text {
      canvas.write(
        [Span(Text.pad(key, 11), .arrow), Span(meaning)], in: inside.takeRows(1))
    }
    _ = inside.takeRows(1)
    for note in notes { canvas.write([Span(note, .faint)], in: inside.takeRows(1)) }
  }
}
