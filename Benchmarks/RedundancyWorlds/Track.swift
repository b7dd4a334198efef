// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// A motion as a table: attitude, rotation rate and specific force every millisecond.
struct Track {
  /// The worlds, as on the command line.
  enum Kind: String, CaseIterable {
    /// A hand that turns and shakes the device.
    case hand
    /// The same, twice as fast.
    case brisk
    /// A walk: steps of 2 Hz, turns.
    case walk
    /// A drone: slow turns, vibration of 0.2 g and 3 degrees/s that no sampling resolves.
    case drone
    /// An arm that swings.
    case swing
    /// Nothing but small movements.
    case still
    /// Nothing at all.
    case table
  }

  static let seconds = 24.0
  /// The time for which the device is still at first, s.
  static let rest = 2.0
  private static let step = 0.001
  let kind: Kind
  private(set) var attitudes: [Quaternion] = []
  private(set) var rates: [Vector3] = []
  private(set) var forces: [Vector3] = []
  /// The standard deviation of the vibration in each axis, g and rad/s.
  let vibration: (force: Double, rate: Double)

  private struct Wave {
    var amplitude: Double
    var speed: Double
    var phase: Double
  }

  /// Draws a track that is still for two seconds.
  init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    var draws = Draws(seed: seed &+ 77)
    func waves(_ sigma: Double, _ low: Double, _ high: Double, _ count: Int) -> [Wave] {
      (0..<count).map { _ in
        Wave(
          amplitude: sigma * (2 / Double(count)).squareRoot(),
          speed: 2 * .pi * draws.uniform(low, high), phase: draws.uniform(0, 2 * .pi))
      }
    }
    var angles: [[Wave]] = []
    var places: [[Wave]] = []
    switch kind {
    case .hand, .brisk:
      let pace = kind == .brisk ? 2.0 : 1
      for sigma in [35.0, 25, 60] {
        angles.append(
          waves(sigma * degree, 0.05 * pace, 0.4 * pace, 5)
            + waves(2 * degree, 1.2 * pace, 2.5 * pace, 3))
        places.append(waves(0.12, 0.2 * pace, 0.7 * pace, 4))
      }
    case .walk:
      angles = [
        waves(4 * degree, 0.9, 1.1, 1), waves(3 * degree, 1.9, 2.1, 1),
        waves(5 * degree, 0.9, 1.1, 1) + waves(60 * degree, 0.02, 0.1, 3),
      ]
      places = [
        waves(0.012, 1.9, 2.1, 1), waves(0.014, 0.9, 1.1, 1), waves(0.016, 1.9, 2.1, 1),
      ]
    case .drone:
      angles = [
        waves(8 * degree, 0.1, 1, 5), waves(8 * degree, 0.1, 1, 5),
        waves(40 * degree, 0.02, 0.2, 4),
      ]
      places = [waves(1, 0.05, 0.15, 3), waves(1, 0.05, 0.15, 3), waves(0.5, 0.05, 0.15, 3)]
    case .swing:
      angles = [
        waves(5 * degree, 0.8, 1, 2), waves(35 * degree, 0.8, 1, 2), waves(10 * degree, 0.2, 1, 3),
      ]
      places = [waves(0.25, 0.8, 1, 2), waves(0.02, 0.8, 1, 2), waves(0.08, 1.6, 2, 2)]
    case .table:
      angles = [[], [], []]
      places = [[], [], []]
    case .still:
      angles = [waves(0.1 * degree, 0.1, 0.5, 3), waves(0.1 * degree, 0.1, 0.5, 3), []]
      places = [[], [], []]
    }
    vibration = kind == .drone ? (0.2, 3 * degree) : (0, 0)
    let start = Vector3(
      draws.normal() * 20 * degree, draws.normal() * 20 * degree, draws.uniform(-.pi, .pi))
    // The device's own time: it begins slowly after two seconds.
    func own(_ time: Double) -> Double {
      let x = time - Self.rest
      return x < 0 ? 0 : x < 1 ? x * x * x * (1 - x / 2) : x - 0.5
    }
    func value(_ waves: [Wave], _ time: Double) -> Double {
      waves.reduce(0) { $0 + $1.amplitude * (sin($1.speed * time + $1.phase) - sin($1.phase)) }
    }
    func attitude(_ time: Double) -> Quaternion {
      let t = own(time)
      return Quaternion(angle: start.z + value(angles[2], t), axis: Vector3(0, 0, 1))
        * Quaternion(angle: start.y + value(angles[1], t), axis: Vector3(0, 1, 0))
        * Quaternion(angle: start.x + value(angles[0], t), axis: Vector3(1, 0, 0))
    }
    func place(_ time: Double) -> Vector3 {
      let t = own(time)
      return Vector3(value(places[0], t), value(places[1], t), value(places[2], t))
    }
    let count = Int(Self.seconds / Self.step) + 2
    for k in 0..<count {
      let time = Double(k) * Self.step
      let q = attitude(time)
      attitudes.append(q)
      let turn = attitude(time - 5e-4).conjugate * attitude(time + 5e-4)
      rates.append(Vector3(turn.x, turn.y, turn.z) * (2 / 1e-3))
      let pull = (place(time + 1e-3) - 2 * place(time) + place(time - 1e-3)) / 1e-6
      forces.append(q.conjugate.rotate(pull / 9.80665 + Vector3(0, 0, 1)))
    }
  }

  private func between(_ table: [Vector3], _ time: Double) -> Vector3 {
    let place = max(0, min(time / Self.step, Double(table.count - 2)))
    let index = Int(place)
    return table[index] + (table[index + 1] - table[index]) * (place - Double(index))
  }

  /// Rad/s, device axes.
  func rate(at time: Double) -> Vector3 { between(rates, time) }

  /// The specific force, g, device axes.
  func force(at time: Double) -> Vector3 { between(forces, time) }

  func attitude(at time: Double) -> Quaternion {
    attitudes[max(0, min(Int((time / Self.step).rounded()), attitudes.count - 1))]
  }

  /// The largest rotation rate about an axis after a time, rad/s.
  func largestRate(after start: Double) -> Double {
    rates[Int(start / Self.step)...].reduce(0) {
      max($0, max(abs($1.x), max(abs($1.y), abs($1.z))))
    }
  }
}
