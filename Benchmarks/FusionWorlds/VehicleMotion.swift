// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// A car or a train, with a device held somewhere in it.
struct VehicleMotion: WorldMotion {
  private let push: Steps
  private let bend: Steps
  private let lean: Double
  private let cruise: Double
  private let heading: Double
  private let mount: Quaternion
  private let road: VectorWaves
  private let rocking: VectorWaves

  /// Draws the road for a way: `lean` is rad of roll outwards per m/s^2 of a bend, `jolt` g rms at
  /// `cruise` m/s.
  init(
    push: Steps, bend: Steps, lean: Double, jolt: Double, cruise: Double, _ draws: inout Draws
  ) {
    self.push = push
    self.bend = bend
    self.lean = lean
    self.cruise = cruise
    heading = draws.uniform(-.pi, .pi)
    mount = turned(
      yaw: draws.uniform(-.pi, .pi), pitch: draws.uniform(-40, 40) * degree,
      roll: draws.normal() * 10 * degree)
    func bump(_ part: Double) -> Waves {
      Waves(sigma: part * jolt * standardGravity, low: 1.2, high: 14, count: 8, &draws)
    }
    road = VectorWaves(x: bump(0.4), y: bump(0.6), z: bump(1))
    func rock() -> Waves { Waves(sigma: 10 * jolt * degree, low: 0.8, high: 3, count: 4, &draws) }
    rocking = VectorWaves(x: rock(), y: rock(), z: rock())
  }

  private func speed(at time: Double) -> Double { push.integral(at: time) }
  func course(at time: Double) -> Double { heading + bend.integral(at: time) }

  func attitude(at time: Double) -> Quaternion {
    let roughness = speed(at: time) / cruise
    let rocks = roughness * rocking.value(at: time)
    let side = speed(at: time) * bend.value(at: time)
    return turned(
      yaw: course(at: time) + rocks.z, pitch: rocks.y - 0.4 * degree * push.value(at: time),
      roll: rocks.x + lean * side) * mount
  }

  func acceleration(at time: Double) -> Vector3 {
    let local =
      Vector3(push.value(at: time), speed(at: time) * bend.value(at: time), 0)
      + speed(at: time) / cruise * road.value(at: time)
    return Quaternion(angle: course(at: time), axis: Vector3(0, 0, 1)).rotate(local)
  }

  func place(at time: Double) -> Vector3 { Vector3(push.secondIntegral(at: time), 0, 0) }
}
