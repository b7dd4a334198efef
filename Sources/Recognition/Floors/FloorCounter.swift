// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Counts the floors of a height that goes up and down: from each turning point on, one at about
/// each `floorHeight`.
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
  /// The heights from which an ascent and a descent are measured, metres. The counted part of an
  /// ascent is below the one.
  private var bottom = 0.0
  private var top = 0.0

  init(_ params: FloorRecognizer.Params) { self.params = params }

  /// Takes `metres` that were climbed (descended where negative), and how far what is climbed may
  /// seem to change by itself meanwhile.
  mutating func add(_ metres: Scalar, drift: Scalar) {
    height += metres
    // A part of a floor is forgotten as fast as it may have come by itself.
    bottom = bottom.approaching(height, by: drift)
    top = top.approaching(height, by: drift)
    // A dip of a metre on the way is none.
    bottom = min(bottom, height + (direction == .up ? 1 : 0))
    top = max(top, height - (direction == .down ? 1 : 0))
    while height - bottom >= params.firstFloor {
      ascended += 1
      // The first of a climb is the part that was asked for, so that all of them are told as soon
      // as they are nearer than the floor before.
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
