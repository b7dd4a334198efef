// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Counts floors from changes of height: one per `floorHeight`, starting again at each turning
/// point.
struct FloorCounter: Equatable, Sendable {
  private enum Direction: Sendable {
    case none
    case up
    case down
  }

  let params: FloorRecognizer.Params
  private(set) var ascended = 0
  private(set) var descended = 0
  private var direction = Direction.none
  private var height = 0.0
  /// The heights in metres from which the current ascent and descent are measured. `bottom` is
  /// above the floors of an ascent that have already been counted.
  private var bottom = 0.0
  private var top = 0.0

  init(_ params: FloorRecognizer.Params) { self.params = params }

  /// Adds a change of height in metres, negative for a descent. `drift` is the height in metres
  /// that the weather may have changed during that time.
  mutating func add(_ metres: Scalar, drift: Scalar) {
    height += metres
    // A partly climbed floor decays at the rate at which the weather may change the height.
    bottom = bottom.approaching(height, by: drift)
    top = top.approaching(height, by: drift)
    // A descent of up to one metre does not end an ascent, and an ascent of up to one metre does
    // not end a descent.
    bottom = min(bottom, height + (direction == .up ? 1 : 0))
    top = max(top, height - (direction == .down ? 1 : 0))
    while height - bottom >= params.firstFloor {
      ascended += 1
      // `bottom` rises by `firstFloor` after the first floor of a climb, and by `floorHeight` after
      // each later floor. A later floor is thus counted once it is closer than the floor below it.
      bottom += direction == .up ? params.floorHeight : params.firstFloor
      if direction != .up { top = height }
      direction = .up
    }
    while top - height >= params.firstFloor {
      descended += 1
      top -= direction == .down ? params.floorHeight : params.firstFloor
      if direction != .down { bottom = height }
      direction = .down
    }
  }
}

extension Scalar {
  fileprivate func approaching(_ target: Scalar, by step: Scalar) -> Scalar {
    self < target ? min(self + step, target) : max(self - step, target)
  }
}
