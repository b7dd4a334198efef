// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// A multirotor: what it tilts by is what pushes it, less the drag of the air.
struct DroneMotion: WorldMotion {
  /// Drag as common of small multirotors, m/s^2 per m/s.
  private static let drag = 0.15
  private static let takeOff = 4.0

  private let flying = Steps([(1, at: takeOff, over: 2)])
  private let way: VectorWaves
  private let yaw: Waves
  private let turns: Steps
  private let shaking: VectorWaves
  private let mount: Quaternion
  private var scale = 1.0

  init(_ draws: inout Draws) {
    func horizontal() -> Waves {
      Waves(sigma: 6, low: 0.02, high: 0.05, count: 2, &draws)
        + Waves(sigma: 1.5, low: 0.08, high: 0.2, count: 3, &draws)
    }
    let north = horizontal()
    let west = horizontal()
    way = VectorWaves(
      x: north, y: west, z: Waves(sigma: 1, low: 0.03, high: 0.15, count: 3, &draws))
    yaw = Waves(sigma: 15 * degree, low: 0.03, high: 0.15, count: 3, &draws)
    var corners: [Steps.Step] = []
    var time = 12.0
    while time < World.duration - 10 {
      let rate = draws.sign() * 60 * degree
      let length = draws.uniform(0.8, 2.5)
      corners += [(rate, at: time, over: 0.4), (-rate, at: time + length, over: 0.4)]
      time += draws.uniform(8, 16)
    }
    turns = Steps(corners)
    func shake() -> Waves { Waves(sigma: 0.4 * degree, low: 2, high: 8, count: 4, &draws) }
    shaking = VectorWaves(x: shake(), y: shake(), z: shake())
    mount = turned(
      yaw: draws.uniform(-.pi, .pi), pitch: draws.normal() * 2 * degree,
      roll: draws.normal() * 2 * degree)
    // The way is made as wide as 25 degrees of tilt allow.
    let tilts = stride(from: 0, to: World.duration, by: 0.05).map { time in
      let thrust = self.thrust(at: time)
      return hypot(thrust.x, thrust.y)
    }
    scale = standardGravity * tan(25 * degree) / (tilts.max() ?? 1)
  }

  /// The force of the rotors over the mass, m/s^2.
  private func thrust(at time: Double) -> Vector3 {
    let step = 1e-3
    let velocity = (place(at: time + step) - place(at: time - step)) / (2 * step)
    return acceleration(at: time) + Self.drag * velocity + Vector3(0, 0, standardGravity)
  }

  func attitude(at time: Double) -> Quaternion {
    let heading = yaw.value(at: time) + turns.integral(at: time)
    let turn = Quaternion(angle: flying.value(at: time) * heading, axis: Vector3(0, 0, 1))
    // From straight up to the thrust, the short way.
    let up = thrust(at: time).normalized ?? Vector3(0, 0, 1)
    let tilt = Quaternion(w: 1 + up.z, x: -up.y, y: up.x, z: 0).normalized
    let shake = flying.value(at: time) * shaking.value(at: time)
    return tilt * turn * Quaternion(rotationVector: shake) * mount
  }

  func acceleration(at time: Double) -> Vector3 {
    secondDerivative(of: place, at: time)
  }

  func place(at time: Double) -> Vector3 {
    let way = way.value(at: flying.integral(at: time))
    return Vector3(scale * way.x, scale * way.y, way.z)
  }

  /// Rotors at 80 to 150 Hz, from shortly before take-off.
  func vibration(at time: Double) -> Double { time < Self.takeOff - 1 ? 0 : 0.5 }
}
