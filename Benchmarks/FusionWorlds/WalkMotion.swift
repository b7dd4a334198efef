// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// A person who walks around blocks with a device on the hip.
struct WalkMotion: WorldMotion {
  private static let pace = 1.3

  private let going: Steps
  private let bend: Steps
  private let heading: Double
  private let mount: Quaternion
  private let phases: Vector3
  private let posture: VectorWaves

  init(_ draws: inout Draws) {
    var starts: [Steps.Step] = [(Self.pace, at: 3, over: 1.5)]
    var corners: [Steps.Step] = []
    var time = 4.0
    while time < World.duration - 20 {
      time += draws.uniform(6, 14)
      let rate = draws.sign() * .pi / 2 / 1.2
      corners += [(rate, at: time, over: 0.5), (-rate, at: time + 1.2, over: 0.5)]
      time += 3
      if draws.uniform(0, 1) < 0.25 {
        starts += [(-Self.pace, at: time, over: 1), (Self.pace, at: time + 4, over: 1)]
        time += 5
      }
    }
    going = Steps(starts)
    bend = Steps(corners)
    heading = draws.uniform(-.pi, .pi)
    mount = turned(
      yaw: draws.uniform(-.pi, .pi), pitch: draws.normal() * 15 * degree,
      roll: .pi / 2 + draws.normal() * 15 * degree)
    phases = Vector3(draws.uniform(0, 6.28), draws.uniform(0, 6.28), draws.uniform(0, 6.28))
    func sway() -> Waves { Waves(sigma: 1.5 * degree, low: 0.1, high: 0.5, count: 3, &draws) }
    posture = VectorWaves(x: sway(), y: sway(), z: sway())
  }

  private func course(at time: Double) -> Double { heading + bend.integral(at: time) }

  /// One turn in two steps, at 1 Hz.
  private func stride(at time: Double) -> Double {
    2 * .pi * going.integral(at: time) / Self.pace
  }

  /// Returns the offset of the hip from the mean way.
  private func bounce(at time: Double) -> Vector3 {
    let phase = stride(at: time)
    let offset = Vector3(
      0.012 * sin(2 * phase + phases.x), 0.02 * sin(phase + phases.y),
      0.022 * sin(2 * phase) + 0.004 * sin(4 * phase + phases.z) + 0.001 * sin(8 * phase))
    return Quaternion(angle: course(at: time), axis: Vector3(0, 0, 1)).rotate(offset)
  }

  func attitude(at time: Double) -> Quaternion {
    let phase = stride(at: time)
    let lean = posture.value(at: time)
    return turned(
      yaw: course(at: time) + 5 * degree * sin(phase + phases.z) + lean.z,
      pitch: 3 * degree * sin(2 * phase + phases.y) + lean.y,
      roll: 4 * degree * sin(phase + phases.x) + lean.x) * mount
  }

  func acceleration(at time: Double) -> Vector3 {
    let course = course(at: time)
    let step = 1e-3
    let push = (going.value(at: time + step) - going.value(at: time - step)) / (2 * step)
    let side = going.value(at: time) * bend.value(at: time)
    let along = Vector3(cos(course), sin(course), 0)
    let across = Vector3(-sin(course), cos(course), 0)
    return secondDerivative(of: bounce, at: time) + push * along + side * across
  }

  func place(at time: Double) -> Vector3 { Vector3(going.integral(at: time), 0, 0) }
}
