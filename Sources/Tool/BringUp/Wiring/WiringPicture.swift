// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import Quantities

/// A picture of a board's wiring: the header above, the modules below, a wire in its own colour for
/// every signal, and a list of the pins. The picture suits light and dark pages.
package struct WiringPicture: Sendable {
  let board: Board
  let wiring: BoardWiring

  /// Creates the picture; returns `nil` if the board file has no wiring.
  package init?(_ board: Board) {
    guard let wiring = board.wiring else { return nil }
    self.board = board
    self.wiring = wiring
  }

  // All lengths are in pixels. Header columns are 32 apart, and wires leave the header every 16
  // pixels. Module pins are 48 apart and offset by 8, so that vertical wires never overlap.
  private static let column = 32
  private static let pitch = 48
  private static let margin = 40
  private static let firstColumn = 120
  private static let oddRow = 156
  private static let evenRow = 124
  /// The y position of the computer's lower edge.
  private static let edge = 188
  private static let firstLane = 212
  private static let lane = 20
  /// The width of a character in the list of pins.
  private static let character = 7.3

  /// The whole SVG document.
  package var svg: String {
    let blocks = blocks
    let routes = WiringRoutes(nets(blocks))
    let right = blocks.map { $0.left + $0.width }.max() ?? 0
    let width = max(right, Self.firstColumn + 20 * Self.column + 60) + Self.margin
    // The last list gets the width that remains.
    let lists = blocks.enumerated().map { index, block in
      list(block, index + 1 == blocks.count ? width - Self.margin - block.left : block.width)
    }
    let top = Self.firstLane + max(1, routes.lanes.count) * Self.lane + 16
    let below = top + 116 + 30
    let height = below + (lists.map(\.count).max() ?? 0) * 20 + 48
    var parts = [opening(width, height)]
    parts.append(header(width))
    parts += routes.lanes.enumerated().map { wire($1, lane: $0, top: top, blocks) }
    for (block, list) in zip(blocks, lists) {
      parts.append(module(block, top: top))
      parts += list.enumerated().map { row($1, x: block.left, y: below + $0 * 20) }
    }
    let isDashed = wiring.modules.contains {
      $0.pins.contains { $0.isOptional && $0.header != nil }
    }
    parts.append(
      text(
        "Unplug the Pi before wiring." + (isDashed ? " Dashed wires are optional." : ""),
        x: Self.margin, y: height - 24, "dim", size: 13))
    return parts.joined(separator: "\n") + "\n</svg>\n"
  }

  // MARK: - Layout

  struct Block {
    var module: WiredModule
    var left: Int
    var width: Int
    /// The pins and their x positions.
    var pins: [(pin: WiredPin, x: Int)]
  }

  private var blocks: [Block] {
    var left = Self.margin
    return wiring.modules.map { module in
      // The module's first pin is at the next position of the grid.
      let first = Self.firstColumn + 8 + ((left + 32 - Self.firstColumn) / 16 + 1) * 16
      let pins = module.pins.enumerated().map { ($1, first + $0 * Self.pitch) }
      let chips = WiringTable.chips(of: module, board).joined(separator: ", ")
      let words = max(Double(chips.count) * 8 + 40, 260)
      let width = max((pins.last?.1 ?? first) + 32 - left, Int(words))
      defer { left += width + 40 }
      return Block(module: module, left: left, width: width, pins: pins)
    }
  }

  private func nets(_ blocks: [Block]) -> [WiringRoutes.Net] {
    var ends: [Int: [Int]] = [:]
    for block in blocks where !block.module.isHAT {
      for (pin, x) in block.pins {
        if let number = pin.header { ends[number, default: []].append(x) }
      }
    }
    return ends.keys.sorted().map { number in
      WiringRoutes.Net(
        number: number, start: Self.start(number), ends: (ends[number] ?? []).sorted())
    }
  }

  /// Returns the centre of a header pin.
  private static func place(_ number: Int) -> (x: Int, y: Int) {
    (firstColumn + (number - 1) / 2 * column, number % 2 == 1 ? oddRow : evenRow)
  }

  /// Returns the x position where the wire of a header pin leaves the header. The wire of a pin in
  /// the upper row runs between two pins of the lower row.
  private static func start(_ number: Int) -> Int {
    place(number).x + (number % 2 == 1 ? 0 : column / 2)
  }

  // MARK: - Colours

  /// Returns the CSS class of the signal at a header pin, which determines the signal's colour.
  private func colour(_ number: Int) -> String? {
    guard let header = RaspberryPiHeader.pin(number) else { return nil }
    let users = wiring.modules.flatMap { module in
      module.pins.filter { $0.header == number }.map { module.role(of: $0) }
    }
    guard let role = users.first else { return nil }
    switch header.kind {
    case .volts3: return "v3"
    case .volts5: return "v5"
    case .ground: return "gnd"
    case .line: break
    }
    switch role {
    case .i2cData, .spiInput: return "data"
    case .i2cClock, .spiClock: return "clock"
    case .spiOutput: return "out"
    case .chipSelect: return "select"
    default:
      // Signals other than supply and bus lines cycle through four colours.
      let others = RaspberryPiHeader.pins.map(\.number).filter { number in
        wiring.modules.contains { module in
          module.pins.contains { $0.header == number && Self.isOther(module.role(of: $0), number) }
        }
      }
      return "line\((others.firstIndex(of: number) ?? 0) % 4)"
    }
  }

  private static func isOther(_ role: PinRole, _ number: Int) -> Bool {
    RaspberryPiHeader.pin(number)?.kind == .line && !role.isBus && role != .chipSelect
  }

  /// The colours of wires on light and on dark pages. For readers with red-green blindness, colours
  /// that appear together on a board also differ in lightness, and every wire ends at a label.
  private static let palette: [(name: String, light: String, dark: String)] = [
    ("v3", "#d13438", "#ff6b6b"), ("v5", "#a4262c", "#ff9a8a"), ("gnd", "#2b2b2b", "#aab2bd"),
    ("data", "#1b66b0", "#5aa9f8"), ("clock", "#c27c00", "#ffc145"), ("out", "#00838f", "#4dd0e1"),
    ("select", "#8e44ad", "#d59bf6"), ("line0", "#2e8540", "#6fdc8c"),
    ("line1", "#7a6a00", "#d8d35a"),
    ("line2", "#b0357e", "#ff8ac6"), ("line3", "#5b6b00", "#b5e853"),
  ]

  private static var style: String {
    func rules(_ colour: (String, String, String) -> String) -> String {
      palette.map { ".\($0.name){color:\(colour($0.name, $0.light, $0.dark))}" }.joined()
    }
    return """
      <style>
      text{font-family:"DejaVu Sans",Verdana,sans-serif}
      .page{fill:#fcfcf9;stroke:#9aa0a6}.ink{fill:#1c1c1c}.dim{fill:#55595f}.halo{stroke:#fcfcf9;fill:none}
      path.wire{stroke:currentColor;fill:none}.pin{fill:currentColor}
      \(rules { _, light, _ in light })
      @media (prefers-color-scheme: dark){
      .page{fill:#15181d;stroke:#4a5058}.ink{fill:#f0f0ee}.dim{fill:#b3b8bf}.halo{stroke:#15181d}
      \(rules { _, _, dark in dark })
      }
      </style>
      """
  }

  // MARK: - Parts

  private func opening(_ width: Int, _ height: Int) -> String {
    let wires = wiring.modules.map { module in
      let pins = module.pins.compactMap { pin in
        pin.header.flatMap(RaspberryPiHeader.pin).map {
          "\(pin.name) to pin \($0.number), \($0.name)"
        }
      }
      return "\(module.title): \(pins.joined(separator: "; "))."
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- SPDX-License-Identifier: Apache-2.0 -->
      <!-- Drawn by: otolith boards wiring -->
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      role="img" aria-labelledby="title desc">
      <title id="title">\(MarkupText.escaped(board.name))</title>
      <desc id="desc">\(MarkupText.escaped(wires.joined(separator: " ")))</desc>
      \(Self.style)
      <rect class="page" x="1" y="1" width="\(width - 2)" height="\(height - 2)" rx="14" stroke-width="2"/>
      \(text(board.name, x: Self.margin, y: 42, "ink", size: 19, isBold: true))
      """
  }

  private func header(_ width: Int) -> String {
    let right = Self.firstColumn + 19 * Self.column + 22
    var parts = [
      "<rect x=\"\(Self.margin)\" y=\"62\" width=\"\(width - 2 * Self.margin)\" height=\"126\" rx=\"10\" fill=\"#2f6b4f\"/>",
      text("Raspberry Pi", x: Self.margin + 18, y: 88, fill: "#fff", size: 14, isBold: true),
      text(
        "USB sockets on this side \u{2192}", x: width - Self.margin - 18, y: 88, fill: "#e6f4ec",
        size: 13, anchor: "end"),
      "<rect x=\"\(Self.firstColumn - 22)\" y=\"102\" width=\"\(right - Self.firstColumn + 22)\" height=\"76\" rx=\"5\" fill=\"#1c1c1c\"/>",
      text("pin 1", x: Self.margin + 12, y: Self.oddRow + 5, fill: "#e6f4ec", size: 13),
    ]
    for pin in RaspberryPiHeader.pins {
      let (x, y) = Self.place(pin.number)
      let colour = colour(pin.number)
      // Use the pale colours for pins, because the header is black on any page.
      let fill =
        colour.flatMap { name in Self.palette.first { $0.name == name }?.dark } ?? "#4d4f52"
      parts.append(
        pin.number == 1
          ? "<rect x=\"\(x - 13)\" y=\"\(y - 13)\" width=\"26\" height=\"26\" rx=\"3\" fill=\"\(fill)\"/>"
          : "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"13\" fill=\"\(fill)\"/>")
      parts.append(
        text(
          "\(pin.number)", x: x, y: y + 4, fill: colour == nil ? "#d0d3d6" : "#111", size: 12,
          isBold: colour != nil, anchor: "middle"))
    }
    return parts.joined(separator: "\n")
  }

  private func wire(_ net: WiringRoutes.Net, lane: Int, top: Int, _ blocks: [Block]) -> String {
    let y = Self.firstLane + lane * Self.lane
    let (x, row) = Self.place(net.number)
    let isOdd = net.number % 2 == 1
    // Over the dark computer a wire has the pale colour of its pin. Outside the computer it has the
    // colour for the page.
    let inner =
      (isOdd ? "M\(x) \(row + 13)" : "M\(x + 9) \(row + 9)L\(net.start) \(row + 16)")
      + "V\(Self.edge)"
    var path = "M\(net.start) \(Self.edge)V\(y)"
    if net.from < net.to { path += "M\(net.from) \(y)H\(net.to)" }
    for end in net.ends { path += "M\(end) \(y)V\(top + 8)" }
    let pins = blocks.filter { !$0.module.isHAT }.flatMap(\.pins)
    let isOptional = pins.allSatisfy { $0.pin.header != net.number || $0.pin.isOptional }
    let colour = colour(net.number) ?? "gnd"
    let pale = Self.palette.first { $0.name == colour }?.dark ?? "#fff"
    let dashes = isOptional ? " stroke-dasharray=\"9 7\"" : ""
    // Draw a dot where three parts of a wire meet.
    let tees = ([net.start] + net.ends).filter { x in
      let turns = (x > net.from ? 1 : 0) + (x < net.to ? 1 : 0)
      return turns + (x == net.start ? 1 : 0) + (net.ends.contains(x) ? 1 : 0) > 2
    }
    let dots = tees.map { "<circle class=\"pin \(colour)\" cx=\"\($0)\" cy=\"\(y)\" r=\"5\"/>" }
    return """
      <g class="\(colour)"><path d="\(inner)" fill="none" stroke="#1c1c1c" stroke-width="7"/>
      <path d="\(inner)" fill="none" stroke="\(pale)" stroke-width="4"\(dashes)/>
      <path class="halo" d="\(path)" stroke-width="9"/>
      <path class="wire" d="\(path)" stroke-width="4" stroke-linecap="round"\(dashes)/>\(dots.joined())</g>
      """
  }

  private func module(_ block: Block, top: Int) -> String {
    let module = block.module
    var parts = [
      "<rect x=\"\(block.left)\" y=\"\(top)\" width=\"\(block.width)\" height=\"116\" rx=\"8\" fill=\"#2b4a86\"/>"
    ]
    for (pin, x) in block.pins {
      let name = pin.header.flatMap { colour($0) }
      let fill = name.flatMap { name in Self.palette.first { $0.name == name }?.dark } ?? "#1f3562"
      parts.append(
        "<circle cx=\"\(x)\" cy=\"\(top + 18)\" r=\"10\" fill=\"\(fill)\" stroke=\"#fff\" stroke-width=\"1.5\"/>"
      )
      parts.append(
        text(
          pin.name, x: x, y: top + 46, fill: name == nil ? "#c9d4ea" : "#fff",
          size: pin.name.count > 5 ? 10 : 12, isBold: name != nil, anchor: "middle"))
    }
    let middle = block.left + block.width / 2
    parts.append(
      text(
        module.title + (module.isHAT ? ": sits on the whole header" : ""), x: middle, y: top + 76,
        fill: "#fff", size: 16, isBold: true, anchor: "middle"))
    parts.append(
      text(
        WiringTable.chips(of: module, board).joined(separator: ", "), x: middle, y: top + 99,
        fill: "#e4e9f2", size: 13, anchor: "middle"))
    return parts.joined(separator: "\n")
  }

  // MARK: - The list

  /// A row in the list of pins: a pin, or the continuation of its remark.
  struct Row {
    var pin: WiredPin?
    var text: String
  }

  /// Returns the list of a module's pins with remarks, wrapped to `width`.
  private func list(_ block: Block, _ width: Int) -> [Row] {
    var rows: [Row] = []
    for pin in block.module.pins {
      guard pin.header != nil || pin.remark != nil else { continue }
      let place =
        pin.header.flatMap(RaspberryPiHeader.pin).map { "to pin \($0.number), \($0.title)" }
        ?? "open"
      // Do not write "open" twice, because a remark about an open pin often begins with this word.
      let isExplained = pin.remark?.hasPrefix("open") ?? false
      let words = isExplained ? pin.remark ?? "" : place + (pin.remark.map { ": \($0)" } ?? "")
      let limit =
        Int(saturating: (Double(width - 44) / Self.character).rounded(.towardZero)) - pin.name.count
        - 2
      for (index, line) in Self.wrapped(words, at: max(limit, 16)).enumerated() {
        rows.append(Row(pin: index == 0 ? pin : nil, text: line))
      }
    }
    return rows
  }

  private static func wrapped(_ text: String, at limit: Int) -> [String] {
    var lines: [String] = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= limit {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private func row(_ row: Row, x: Int, y: Int) -> String {
    guard let pin = row.pin else { return text(row.text, x: x + 44, y: y, "dim", size: 13) }
    var parts: [String] = []
    if let number = pin.header, let colour = colour(number) {
      parts.append(
        "<path class=\"wire \(colour)\" d=\"M\(x + 4) \(y - 5)h28\" stroke-width=\"4\" stroke-linecap=\"round\""
          + (pin.isOptional ? " stroke-dasharray=\"9 7\"" : "") + "/>")
    }
    parts.append(
      "<text class=\"ink\" x=\"\(x + 44)\" y=\"\(y)\" font-size=\"13\"><tspan font-weight=\"bold\">"
        + "\(MarkupText.escaped(pin.name))</tspan> \(MarkupText.escaped(row.text))</text>")
    return parts.joined()
  }

  private func text(
    _ words: String, x: Int, y: Int, _ style: String? = nil, fill: String? = nil, size: Int,
    isBold: Bool = false, anchor: String? = nil
  ) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\"" + (style.map { " class=\"\($0)\"" } ?? "")
      + (fill.map { " fill=\"\($0)\"" } ?? "") + (isBold ? " font-weight=\"bold\"" : "")
      + (anchor.map { " text-anchor=\"\($0)\"" } ?? "") + ">\(MarkupText.escaped(words))</text>"
  }
}
