// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension PosePath {
  /// The poses: face up for four seconds, upright with the top edge up for three, flat, the right
  /// edge down, flat.
  static let gestures = PosePath(
    flatFor: 4,
    [
      (Vector3(0, 1, 0), 3),
      (Vector3(0, 0, 1), 3),
      (Vector3(-1, 0, 0), 3),
    ])
}
