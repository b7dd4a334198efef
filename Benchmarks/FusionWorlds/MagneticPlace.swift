// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// The magnetic field: the earth's, and what iron nearby adds.
struct MagneticPlace {
  private static let earth = Vector3(20, 0, -45)

  private var waves: [(amplitude: Vector3, wave: Vector3, phase: Double)] = []
  private var mean = Vector3.zero

  /// Draws a field that is uneven by `sigma` microtesla in each axis, over some `length` m. Its
  /// mean along the way is the earth's: else all engines alike would be judged by another north.
  init(sigma: Double, length: Double, along motion: any WorldMotion, _ draws: inout Draws) {
    let count = 4
    let part = sigma * (2 / Double(count)).squareRoot()
    for _ in 0..<count {
      let wave = 2 * .pi / (length * draws.uniform(0.7, 1.5)) * draws.direction()
      let amplitude = part * Vector3(draws.normal(), draws.normal(), draws.normal())
      waves.append((amplitude, wave, draws.uniform(0, 2 * .pi)))
    }
    let times = stride(from: 0, to: World.duration, by: 0.25).map { $0 }
    mean = times.reduce(.zero) { $0 + iron(at: motion.place(at: $1)) } / Double(times.count)
  }

  /// The field at a place, microtesla, north, west, up.
  func field(at place: Vector3) -> Vector3 {
    Self.earth + iron(at: place) - mean
  }

  private func iron(at place: Vector3) -> Vector3 {
    waves.reduce(.zero) { $0 + sin($1.wave.dot(place) + $1.phase) * $1.amplitude }
  }
}
