// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension PosePath {
  /// The six faces, each a quarter of a turn from the one before, then the twelve edges.
  static let positions = PosePath(
    flatFor: hold,
    (faces + edges).map { (Vector3($0.0, $0.1, $0.2), hold) })

  /// Three seconds hold two whole stretches of a second, whenever those begin.
  private static let hold = 3.0

  /// The directions that are up, after face up, with which it begins.
  private static let faces: [(Double, Double, Double)] = [
    (0, 1, 0), (-1, 0, 0), (0, 0, -1), (0, -1, 0), (1, 0, 0),
  ]

  private static let edges: [(Double, Double, Double)] = [
    (1, 0, 1), (0, 1, 1), (-1, 0, 1), (0, -1, 1),
    (1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0),
    (0, -1, -1), (1, 0, -1), (0, 1, -1), (-1, 0, -1),
  ]
}
