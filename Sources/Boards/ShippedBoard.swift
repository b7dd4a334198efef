// SPDX-License-Identifier: Apache-2.0
internal import ShippedFiles

/// A board file of the folder `boards`, built in for a program that is far from it.
public struct ShippedBoard: Sendable, Equatable {
  /// Its name in `boards`: `simulated.yaml`.
  public let file: String
  /// Its text.
  public let text: String

  init(_ file: String, _ text: String) {
    self.file = file
    self.text = text
  }

  /// Its file's name without the ending, by which it can be named in the place of a path:
  /// `raspberry-pi-gy521`.
  public var name: String { file.replacing(".yaml", with: "") }

  /// Each file of `boards` that is built in, in the order of their names.
  public static let all = ShippedFile.boards.map {
    ShippedBoard($0.name, String(decoding: $0.bytes, as: UTF8.self))
  }

  /// The board without hardware that stands in where no chip is found.
  public static let simulated = ShippedBoard(
    "simulated.yaml", String(decoding: ShippedFile.simulatedBoard.bytes, as: UTF8.self))

  /// The end of `Board.file` of one of them, behind its name.
  package static let suffix = ".yaml (built in)"

  /// The board of that name; `nil` for a path.
  public static func named(_ name: String) -> ShippedBoard? { all.first { $0.name == name } }
}
