// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// How a person gets along, with a device on the hip.
struct Gait: Sendable {
  /// M/s.
  var pace: Double
  /// Strides, of two steps, a second.
  var stride: Double
  /// How many times as long as a walker's a start, a stop and a bend take.
  var easing: Double
  /// What the hip turns by, as multiples of a walker's 5, 3 and 4 degrees (yaw, pitch, roll).
  var turning: Double
  /// How the device is mounted: standard deviation of pitch and roll, rad.
  var mounting: Double
  /// The offset of the hip from the mean way, m, ahead, to the left and up, by the phase of the
  /// stride and three drawn phases.
  var bounce: @Sendable (Double, Vector3) -> Vector3

  static let walk = Gait(pace: 1.3, stride: 1, easing: 1, turning: 1, mounting: 15 * degree) {
    phase, drawn in
    Vector3(
      0.012 * sin(2 * phase + drawn.x), 0.02 * sin(phase + drawn.y),
      0.022 * sin(2 * phase) + 0.004 * sin(4 * phase + drawn.z) + 0.001 * sin(8 * phase))
  }

  /// A run: the foot carries three times the weight, and 40 ms before that its heel strikes; 4 g
  /// together. What the heel strikes with brakes by a third of it.
  static let run: Gait = {
    let stride = 1.4
    let stance = Pulses(hertz: 2 * stride, sigma: 0.055)
    let strike = Pulses(hertz: 2 * stride, sigma: 0.008, at: -0.040)
    return Gait(pace: 3, stride: stride, easing: 2, turning: 2.5, mounting: 25 * degree) {
      phase, drawn in
      // All pulses together are the weight.
      let heel = 0.13 * standardGravity * strike.secondIntegral(at: 2 * phase)
      let foot = 0.87 * standardGravity * stance.secondIntegral(at: 2 * phase)
      return Vector3(
        0.010 * sin(2 * phase + drawn.x) - heel / 3, 0.03 * sin(phase + drawn.y), foot + heel)
    }
  }()
}

/// Pulses of mean one that come again and again, each a normal distribution in time.
private struct Pulses {
  private var terms: [(amplitude: Double, order: Double)] = []
  private let offset: Double

  /// `hertz` pulses a second of `sigma` seconds, the first at `time`.
  init(hertz: Double, sigma: Double, at time: Double = 0) {
    offset = 2 * .pi * hertz * time
    for order in stride(from: 1.0, through: 24, by: 1) {
      let speed = 2 * .pi * hertz * order
      terms.append((-2 * exp(-speed * speed * sigma * sigma / 2) / (speed * speed), order))
    }
  }

  /// Returns what has the pulses, less their mean, for its second derivative, s^2; `phase` grows by
  /// two pi from pulse to pulse.
  func secondIntegral(at phase: Double) -> Double {
    terms.reduce(0) { $0 + $1.amplitude * cos($1.order * (phase - offset)) }
  }
}

/// A person who walks or runs around blocks.
struct WalkMotion: WorldMotion {
  private let gait: Gait
  private let going: Steps
  private let bend: Steps
  private let heading: Double
  private let mount: Quaternion
  private let phases: Vector3
  private let posture: VectorWaves

  init(_ gait: Gait, _ draws: inout Draws) {
    self.gait = gait
    var starts: [Steps.Step] = [(gait.pace, at: 3, over: 1.5 * gait.easing)]
    var corners: [Steps.Step] = []
    var time = 4.0
    while time < World.duration - 20 {
      time += draws.uniform(6, 14)
      let bend = 1.2 * gait.easing
      let rate = draws.sign() * .pi / 2 / bend
      corners += [(rate, at: time, over: 0.5), (-rate, at: time + bend, over: 0.5)]
      time += 3
      if draws.uniform(0, 1) < 0.25 {
        starts += [
          (-gait.pace, at: time, over: gait.easing), (gait.pace, at: time + 4, over: gait.easing),
        ]
        time += 5
      }
    }
    going = Steps(starts)
    bend = Steps(corners)
    heading = draws.uniform(-.pi, .pi)
    mount = turned(
      yaw: draws.uniform(-.pi, .pi), pitch: draws.normal() * gait.mounting,
      roll: .pi / 2 + draws.normal() * gait.mounting)
    phases = Vector3(draws.uniform(0, 6.28), draws.uniform(0, 6.28), draws.uniform(0, 6.28))
    func sway() -> Waves { Waves(sigma: 1.5 * degree, low: 0.1, high: 0.5, count: 3, &draws) }
    posture = VectorWaves(x: sway(), y: sway(), z: sway())
  }

  private func course(at time: Double) -> Double { heading + bend.integral(at: time) }

  /// One turn in two steps.
  private func stride(at time: Double) -> Double {
    2 * .pi * gait.stride * going.integral(at: time) / gait.pace
  }

  /// Returns the offset of the hip from the mean way.
  private func bounce(at time: Double) -> Vector3 {
    Quaternion(angle: course(at: time), axis: Vector3(0, 0, 1))
      .rotate(gait.bounce(stride(at: time), phases))
  }

  func attitude(at time: Double) -> Quaternion {
    let phase = stride(at: time)
    let lean = posture.value(at: time)
    let turning = gait.turning * degree
    return turned(
      yaw: course(at: time) + 5 * turning * sin(phase + phases.z) + lean.z,
      pitch: 3 * turning * sin(2 * phase + phases.y) + lean.y,
      roll: 4 * turning * sin(phase + phases.x) + lean.x) * mount
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
