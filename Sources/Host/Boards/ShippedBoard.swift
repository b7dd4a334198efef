// SPDX-License-Identifier: Apache-2.0
internal import ShippedFiles

/// A board file from the folder `boards` that is embedded in the program.
public struct ShippedBoard: Sendable, Equatable {
  /// The name of the file in `boards`, such as `simulated.yaml`.
  public let file: String
  /// The text of the file.
  public let text: String

  init(_ file: String, _ text: String) {
    self.file = file
    self.text = text
  }

  /// The name without its extension, such as `raspberry-pi-gy521`. Users can give this name instead
  /// of a path.
  public var name: String { file.replacing(".yaml", with: "") }

  /// All embedded board files, sorted by name.
  public static let all = ShippedFile.boards.map {
    ShippedBoard($0.name, String(decoding: $0.bytes, as: UTF8.self))
  }

  /// The simulated board that is used if no chip is found.
  public static let simulated = ShippedBoard("simulated.yaml", ShippedFile.simulatedBoard)

  /// The suffix that follows an embedded board's name in `Board.file`.
  package static let suffix = ".yaml (built in)"

  /// Returns the embedded board with this name; `nil` if there is no such board, for example
  /// because `name` is a path.
  public static func named(_ name: String) -> ShippedBoard? { all.first { $0.name == name } }
}
