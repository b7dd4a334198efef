// SPDX-License-Identifier: Apache-2.0

/// The place that keeps what a board has learned while it ran.
public enum LearnedPlace: Sendable, Equatable {
  /// In the user's folder for state; nowhere for a board with a simulated bus.
  case usual
  case off
  case file(path: String)
}

extension BoardReader {
  mutating func learned(_ board: Fields) -> LearnedPlace {
    guard let word = text(board, "learned") else { return .usual }
    return word == "off" ? .off : .file(path: resolve(word))
  }
}
