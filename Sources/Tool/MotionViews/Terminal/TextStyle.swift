// SPDX-License-Identifier: Apache-2.0

/// The role of a character, which determines its colour.
package enum TextStyle: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case plain
  /// Important numbers and names.
  case strong
  /// Labels, units, rules.
  case faint
  /// The title bar.
  case title
  /// The device's axes, drawn in red, green and blue, as is usual in graphics.
  case x
  case y
  case z
  case good
  case warning
  case bad
  /// The edges of the drawn board and its chip, and the arrow to the board's top edge.
  case board
  case chip
  case arrow
}

/// The background colour of a character.
package enum Surface: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case none
  case bar
  /// The upper side of the drawn board, from dark to bright.
  case top0
  case top1
  case top2
  /// The lower side and the edges of the drawn board.
  case under
  case side
  case chip
}

/// The number of colours that a terminal supports.
package enum ColorDepth: Sendable {
  case none
  case sixteen
  case palette

  /// Returns the parameters of Select Graphic Rendition (ECMA-48, 8.3.117) for a character in
  /// `style`. Text has the default foreground, because only this is readable on light and dark
  /// backgrounds.
  func parameters(of style: TextStyle) -> String {
    let row = Self.styles[Int(style.rawValue)]
    return switch self {
    case .none: row.none
    case .sixteen: row.sixteen
    case .palette: row.palette
    }
  }

  func parameters(of surface: Surface) -> String {
    self == .palette ? Self.surfaces[Int(surface.rawValue)] : surface == .bar ? "7" : "27"
  }

  /// The parameters in the order of the cases of `TextStyle`. Parameter 22 means neither bold nor
  /// faint, 39 means the default foreground, and 38;5;n means colour n of the 256-colour palette.
  private static let styles: [(none: String, sixteen: String, palette: String)] = [
    ("22", "22;39", "22;39"),  // plain
    ("1", "1;39", "1;39"),  // strong
    ("22", "22;90", "22;38;5;245"),  // faint
    ("1", "1;39", "1;38;5;255"),  // title
    ("22", "22;31", "22;38;5;203"),  // x
    ("22", "22;32", "22;38;5;77"),  // y
    ("22", "22;94", "22;38;5;75"),  // z
    ("22", "22;32", "22;38;5;71"),  // good
    ("1", "1;33", "1;38;5;178"),  // warning
    ("1", "1;31", "1;38;5;196"),  // bad
    ("22", "22;36", "22;38;5;116"),  // board
    ("22", "22;39", "22;38;5;252"),  // chip
    ("1", "1;33", "1;38;5;221"),  // arrow
  ]

  /// The parameters in the order of the cases of `Surface`, for the 256-colour palette.
  private static let surfaces = [
    "49", "48;5;238", "48;5;23", "48;5;24", "48;5;25", "48;5;94", "48;5;239", "48;5;234",
  ]
}
