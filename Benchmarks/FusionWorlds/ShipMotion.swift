// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// A ship in a swell, that never rests.
struct ShipMotion: WorldMotion {
  private static let speed = 5.0

  private let roll: Waves
  private let pitch: Waves
  private let yaw: Waves
  private let swell: VectorWaves
  private let heading: Double
  private let mount: Quaternion

  init(_ draws: inout Draws) {
    roll = Waves(amplitude: 8 * degree, period: 9, &draws)
    pitch = Waves(amplitude: 3 * degree, period: 7, &draws)
    yaw =
      Waves(sigma: 20 * degree, low: 0.005, high: 0.015, count: 3, &draws)
      + Waves(amplitude: 1.5 * degree, period: 11, &draws)
    swell = VectorWaves(
      x: Waves(amplitude: 0.4, period: 7, &draws), y: Waves(amplitude: 0.5, period: 9, &draws),
      z: Waves(amplitude: 0.8, period: 8, &draws))
    heading = draws.uniform(-.pi, .pi)
    mount = turned(
      yaw: draws.uniform(-.pi, .pi), pitch: draws.normal() * 10 * degree,
      roll: draws.normal() * 10 * degree)
  }

  private func course(at time: Double) -> Double { heading + yaw.value(at: time) }

  /// Surge, sway and heave, along the course.
  private func heave(at time: Double) -> Vector3 {
    Quaternion(angle: course(at: time), axis: Vector3(0, 0, 1)).rotate(swell.value(at: time))
  }

  func attitude(at time: Double) -> Quaternion {
    turned(
      yaw: course(at: time), pitch: pitch.value(at: time), roll: roll.value(at: time)) * mount
  }

  func acceleration(at time: Double) -> Vector3 {
    let step = 1e-3
    let rate = (course(at: time + step) - course(at: time - step)) / (2 * step)
    let course = course(at: time)
    return secondDerivative(of: heave, at: time)
      + Self.speed * rate * Vector3(-sin(course), cos(course), 0)
  }

  func place(at time: Double) -> Vector3 { Vector3(Self.speed * time, 0, 0) }
}
