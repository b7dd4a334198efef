// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import SeededRandom
import Fusion

let degree = Double.pi / 180

extension SplitMix {
  mutating func uniform(_ limit: Double) -> Double { .random(in: -limit...limit, using: &self) }

  /// Returns a number that is normally distributed, as the sum of twelve evenly distributed
  /// numbers.
  mutating func normal(_ sigma: Double) -> Double {
    (0..<12).reduce(0.0) { sum, _ in sum + .random(in: 0..<1, using: &self) } * sigma - 6 * sigma
  }

  mutating func vector(_ sigma: Double) -> Vector3 {
    Vector3(normal(sigma), normal(sigma), normal(sigma))
  }
}

/// A simulated accelerometer: `measured = distortion * truth + offset`.
struct Accelerometer {
  var offset = Vector3.zero
  var distortion = Matrix3.identity

  func measure(_ truth: Vector3) -> StillSegment {
    StillSegment(mean: distortion * truth + offset, spread: 0.002, count: 100)
  }
}

/// Returns measurements with up along each axis in turn, off by up to `degrees` in a random
/// direction.
func faces(_ gravity: Double = 1, offBy degrees: Double, _ random: inout SplitMix) -> [Vector3] {
  let axes = [
    Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(0, 0, 1),
    Vector3(0, 0, -1),
  ]
  return axes.map { tilted($0, by: degrees, &random) * gravity }
}

/// Returns measurements with each of the twelve edges up, off by up to `degrees` as well.
func edges(_ gravity: Double = 1, offBy degrees: Double, _ random: inout SplitMix) -> [Vector3] {
  var edges: [Vector3] = []
  for a in [1.0, -1] {
    for b in [1.0, -1] {
      edges += [Vector3(a, b, 0), Vector3(a, 0, b), Vector3(0, a, b)]
    }
  }
  return edges.map { tilted($0 / 2.squareRoot(), by: degrees, &random) * gravity }
}

private func tilted(_ up: Vector3, by degrees: Double, _ random: inout SplitMix) -> Vector3 {
  let side = up.cross(random.vector(1)).normalized ?? .zero
  let angle = abs(random.uniform(degrees)) * degree
  return cos(angle) * up + sin(angle) * side
}

extension Matrix3 {
  /// The inverse of the matrix, by cofactors.
  var inverted: Matrix3 {
    let (a, b, c) = (Vector3(m11, m12, m13), Vector3(m21, m22, m23), Vector3(m31, m32, m33))
    return Matrix3(
      rows: b.cross(c) / determinant, c.cross(a) / determinant, a.cross(b) / determinant
    ).transposed
  }

  func distance(to other: Matrix3) -> Double {
    let pairs = [
      (m11, other.m11), (m12, other.m12), (m13, other.m13), (m21, other.m21), (m22, other.m22),
      (m23, other.m23), (m31, other.m31), (m32, other.m32), (m33, other.m33),
    ]
    return pairs.map { abs($0 - $1) }.max() ?? 0
  }
}

func cosine(_ degrees: Double) -> Double { cos(degrees * degree) }
func sine(_ degrees: Double) -> Double { sin(degrees * degree) }
