// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// An arm of half a metre that swings to and fro 1.5 times a second, from the first sample on, with
/// the device in its hand.
struct SwingMotion: WorldMotion {
  private static let arm = Vector3(0, 0, -0.5)
  private static let hertz = 1.5

  private let amplitude: Double
  private let phase: Double
  private let vigour: Waves
  private let heading: Double
  private let body: VectorWaves
  private let mount: Quaternion

  init(_ draws: inout Draws) {
    amplitude = draws.uniform(0.4, 0.7)
    phase = draws.uniform(0, 2 * .pi)
    vigour = Waves(sigma: 0.15, low: 0.05, high: 0.3, count: 3, &draws)
    heading = draws.uniform(-.pi, .pi)
    func sway(_ sigma: Double) -> Waves {
      Waves(sigma: sigma * degree, low: 0.03, high: 0.2, count: 3, &draws)
    }
    body = VectorWaves(x: sway(5), y: sway(5), z: sway(30))
    mount = turned(
      yaw: draws.uniform(-.pi, .pi), pitch: draws.uniform(-40, 40) * degree,
      roll: draws.normal() * 10 * degree)
  }

  /// Turns the arm from where it hangs down.
  private func lift(at time: Double) -> Quaternion {
    let sway = body.value(at: time)
    let swing = sin(2 * .pi * Self.hertz * time + phase)
    return turned(
      yaw: heading + sway.z,
      pitch: amplitude * (1 + vigour.value(at: time)) * swing + sway.y, roll: sway.x)
  }

  func attitude(at time: Double) -> Quaternion { lift(at: time) * mount }
  func acceleration(at time: Double) -> Vector3 { secondDerivative(of: place, at: time) }
  func place(at time: Double) -> Vector3 { lift(at: time).rotate(Self.arm) }
}

/// The wrist of a person who swims the crawl in a pool of 25 m, from the middle of a stroke on.
struct SwimMotion: WorldMotion {
  private static let speed = 1.2
  private static let strokes = 0.55

  private let stroke: Steps
  private let turns: Steps
  private let heading: Double
  private let phases: Vector3
  private let mount: Quaternion

  init(_ draws: inout Draws) {
    var pauses: [Steps.Step] = []
    var bends: [Steps.Step] = []
    var time = draws.uniform(4, 20)
    while time < World.duration - 5 {
      let rate = draws.sign() * .pi / 1.6
      bends += [(rate, at: time, over: 0.5), (-rate, at: time + 1.6, over: 0.5)]
      pauses += [
        (-0.8 * Self.strokes, at: time, over: 0.5), (0.8 * Self.strokes, at: time + 2.5, over: 0.5),
      ]
      time += 25 / Self.speed
    }
    stroke = Steps(initial: Self.strokes, pauses)
    turns = Steps(bends)
    heading = draws.uniform(-.pi, .pi)
    phases = Vector3(draws.uniform(0, 6.28), draws.uniform(0, 6.28), draws.uniform(0, 6.28))
    mount = turned(
      yaw: draws.uniform(-.pi, .pi), pitch: draws.normal() * 15 * degree,
      roll: draws.normal() * 15 * degree)
  }

  private func course(at time: Double) -> Quaternion {
    Quaternion(angle: heading + turns.integral(at: time), axis: Vector3(0, 0, 1))
  }

  /// The part of the stroke that is over, two pi for each.
  private func phase(at time: Double) -> Double {
    2 * .pi * stroke.integral(at: time) + phases.x
  }

  /// Turns the body about its long axis by up to 35 degrees.
  private func roll(at phase: Double) -> Quaternion {
    Quaternion(angle: 35 * degree * sin(phase + phases.y), axis: Vector3(1, 0, 0))
  }

  /// Turns the arm, all around in each stroke, and more slowly under water.
  private func lift(at phase: Double) -> Quaternion {
    Quaternion(angle: phase + 0.6 * sin(phase), axis: Vector3(0, 1, 0))
  }

  func attitude(at time: Double) -> Quaternion {
    let phase = phase(at: time)
    let twist = Quaternion(angle: 40 * degree * sin(phase + phases.z), axis: Vector3(0, 0, 1))
    return course(at: time) * roll(at: phase) * lift(at: phase) * twist * mount
  }

  /// Returns where the wrist is, from the middle of the shoulders, m.
  private func wrist(at time: Double) -> Vector3 {
    let phase = phase(at: time)
    // The elbow bends as the arm comes forward.
    let arm = lift(at: phase).rotate(Vector3(0, 0, -0.55 + 0.1 * cos(phase)))
    return course(at: time).rotate(roll(at: phase).rotate(arm + Vector3(0, 0.2, 0)))
  }

  func acceleration(at time: Double) -> Vector3 {
    let side = course(at: time).rotate(Vector3(0, Self.speed * turns.value(at: time), 0))
    return secondDerivative(of: wrist, at: time) + side
  }

  func place(at time: Double) -> Vector3 { Vector3(Self.speed * time, 0, 0) }
}
