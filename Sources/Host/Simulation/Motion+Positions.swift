// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension PosePath {
  /// The poses: the six faces, each a quarter turn from the face before, then the twelve edges.
  static let positions = PosePath(
    flatFor: hold,
    (faces + edges).map { (Vector3($0.0, $0.1, $0.2), hold) })

  /// The seconds for which each pose is held. Three seconds always contain two full seconds of a
  /// clock without motion, wherever the clock's seconds begin.
  private static let hold = 3.0

  /// The directions in device axes that point up after the initial face up.
  private static let faces: [(Double, Double, Double)] = [
    (0, 1, 0), (-1, 0, 0), (0, 0, -1), (0, -1, 0), (1, 0, 0),
  ]

  private static let edges: [(Double, Double, Double)] = [
    (1, 0, 1), (0, 1, 1), (-1, 0, 1), (0, -1, 1),
    (1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0),
    (0, -1, -1), (1, 0, -1), (0, 1, -1), (-1, 0, -1),
  ]
}
