// SPDX-License-Identifier: Apache-2.0
internal import ShippedFiles

/// A board file from the folder `boards`, embedded in the program.
public struct ShippedBoard: Sendable, Equatable {
  /// The file name in `boards`: `simulated.yaml`.
  public let file: String
  /// Its text.
  public let text: String

  init(_ file: String, _ text: String) {
    self.file = file
    self.text = text
  }

  /// The file name without extension, which can be used instead of a path: `raspberry-pi-gy521`.
  public var name: String { file.replacing(".yaml", with: "") }

  /// All embedded board files, sorted by name.
  public static let all = ShippedFile.boards.map {
    ShippedBoard($0.name, String(decoding: $0.bytes, as: UTF8.self))
  }

  /// The simulated board that is used where no chip is found.
  public static let simulated = ShippedBoard(
    "simulated.yaml", String(decoding: ShippedFile.simulatedBoard.bytes, as: UTF8.self))

  /// The suffix of `Board.file` for an embedded board, after its name.
  package static let suffix = ".yaml (built in)"

  /// Returns the board with this name; `nil` for a path.
  public static func named(_ name: String) -> ShippedBoard? { all.first { $0.name == name } }
}
