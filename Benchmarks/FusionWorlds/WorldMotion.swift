// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion
internal import Quantities

/// Standard gravity, m/s^2.
let standardGravity = 9.80665

/// The motion of a device in one world: pure functions of time, in a frame north, west, up.
protocol WorldMotion {
  /// Device to north, west, up.
  func attitude(at time: Double) -> Quaternion
  /// The linear acceleration, m/s^2.
  func acceleration(at time: Double) -> Vector3
  /// Returns the place of the device, as far as the magnetic field depends on it, m: a place, or a
  /// way made.
  func place(at time: Double) -> Vector3
  /// The vibration beyond what samples can follow, g rms over all three axes.
  func vibration(at time: Double) -> Double
}

extension WorldMotion {
  func vibration(at time: Double) -> Double { 0 }
}

/// The worlds, called as on the command line.
enum World: String, CaseIterable {
  case hand
  case handNow = "hand-now"
  case body
  case wheels
  case train
  case drone
  case ship
  case pan
  case turn

  /// The time that each lasts, s.
  static let duration = 150.0

  /// The carrier of the device, as a user would declare it.
  var carrier: Carrier {
    switch self {
    case .hand, .handNow, .pan, .turn: .hand
    case .body: .body
    case .wheels, .train: .wheels
    case .drone: .air
    case .ship: .water
    }
  }

  /// Draws a motion.
  func motion(_ draws: inout Draws) -> any WorldMotion {
    switch self {
    case .hand: HandMotion(busy: Self.handling(restingUntil: 5, &draws), turning: Steps(), &draws)
    case .handNow:
      HandMotion(busy: Self.handling(restingUntil: nil, &draws), turning: Steps(), &draws)
    case .body: WalkMotion(&draws)
    case .wheels: Self.drive(&draws)
    case .train: Self.ride(&draws)
    case .drone: DroneMotion(&draws)
    case .ship: ShipMotion(&draws)
    case .pan:
      HandMotion(
        busy: Steps(), turning: Steps(initial: 1 * degree, [(-1 * degree, at: 60, over: 0.5)]),
        &draws)
    case .turn:
      HandMotion(
        busy: Self.handling(restingUntil: 21, &draws),
        turning: Steps(initial: 15 * degree, [(-15 * degree, at: 19.5, over: 0.5)]), &draws)
    }
  }

  /// Draws the field along a way: uneven by much and within a room, or by little and far outdoors.
  func field(along motion: any WorldMotion, _ draws: inout Draws) -> MagneticPlace {
    let (sigma, length) =
      switch self {
      case .hand, .handNow, .pan, .turn: (2.0, 1.5)
      case .body: (1.5, 8.0)
      case .wheels: (1.0, 200.0)
      case .train: (1.5, 400.0)
      case .drone: (0.5, 60.0)
      case .ship: (0.5, 300.0)
      }
    return MagneticPlace(sigma: sigma, length: length, along: motion, &draws)
  }

  /// Draws when a hand is busy: 12 to 30 s at a time, with breaks of 2 to 5 s, some of them still.
  private static func handling(restingUntil start: Double?, _ draws: inout Draws) -> Steps {
    var steps: [Steps.Step] = []
    if let start { steps.append((1, at: start, over: 1)) }
    var time = start ?? 0
    while true {
      time += draws.uniform(12, 30)
      guard time < duration - 10 else { break }
      let part = draws.uniform(0, 1) < 0.5 ? 1 : 0.9
      steps.append((-part, at: time, over: 0.8))
      time += draws.uniform(2.8, 5.8)
      steps.append((part, at: time, over: 0.8))
    }
    return Steps(initial: start == nil ? 1 : 0, steps)
  }

  /// Draws a way by car: 16 m/s are reached by 2 m/s^2, bends push by 3 m/s^2.
  private static func drive(_ draws: inout Draws) -> VehicleMotion {
    var pushes: [Steps.Step] = []
    var bends: [Steps.Step] = []
    var time = 4.0
    let speed = 16.0
    while time < World.duration - 60 {
      pushes += [(2, at: time, over: 0.6), (-2, at: time + 8, over: 0.6)]
      time += 10
      for _ in 0..<2 {
        let rate = 3 / speed * draws.sign()
        let length = draws.uniform(10, 20)
        bends += [(rate, at: time, over: 1.2), (-rate, at: time + length, over: 1.2)]
        time += length + draws.uniform(3, 7)
      }
      pushes += [(-2.5, at: time, over: 0.6), (2.5, at: time + speed / 2.5, over: 0.6)]
      time += speed / 2.5 + draws.uniform(6, 10)
    }
    return VehicleMotion(
      push: Steps(pushes), bend: Steps(bends), lean: 0.5 * degree, jolt: 0.03, cruise: speed,
      &draws)
  }

  /// Draws a way by train: 20 m/s are reached by 0.5 m/s^2, and bends push by 0.4 m/s^2.
  private static func ride(_ draws: inout Draws) -> VehicleMotion {
    let speed = 20.0
    var bends: [Steps.Step] = []
    for start in [55.0, 85.0] {
      let rate = 0.4 / speed * draws.sign()
      let begin = start + draws.uniform(-3, 3)
      bends += [(rate, at: begin, over: 4), (-rate, at: begin + 15, over: 4)]
    }
    let pushes: [Steps.Step] = [
      (0.5, at: 6, over: 2), (-0.5, at: 46, over: 2),
      (-0.8, at: 115, over: 2), (0.8, at: 140, over: 2),
    ]
    return VehicleMotion(
      push: Steps(pushes), bend: Steps(bends), lean: -0.3 * degree, jolt: 0.01, cruise: speed,
      &draws)
  }
}

/// A value that changes in smooth steps, and its integrals over the time since zero.
struct Steps {
  typealias Step = (change: Double, at: Double, over: Double)

  private let initial: Double
  private let steps: [Step]

  init(initial: Double = 0, _ steps: [Step] = []) {
    self.initial = initial
    self.steps = steps
  }

  func value(at time: Double) -> Double {
    steps.reduce(initial) { sum, step in
      let x = min(max((time - step.at) / step.over, 0), 1)
      return sum + step.change * x * x * (3 - 2 * x)
    }
  }

  func integral(at time: Double) -> Double {
    steps.reduce(initial * time) { sum, step in
      let x = max((time - step.at) / step.over, 0)
      let area = x < 1 ? x * x * x * (1 - x / 2) : x - 0.5
      return sum + step.change * step.over * area
    }
  }

  /// The integral of `integral`.
  func secondIntegral(at time: Double) -> Double {
    steps.reduce(initial * time * time / 2) { sum, step in
      let x = max((time - step.at) / step.over, 0)
      let area = x < 1 ? x * x * x * x * (0.25 - x / 10) : 0.15 + (x - 1) * 0.5 + pow(x - 1, 2) / 2
      return sum + step.change * step.over * step.over * area
    }
  }
}

/// A sum of sines of drawn frequencies and phases.
struct Waves {
  private var terms: [(amplitude: Double, speed: Double, phase: Double)] = []

  /// Draws `count` sines of equal power from `low` to `high` hertz that are `sigma` together, rms.
  init(sigma: Double, low: Double, high: Double, count: Int, _ draws: inout Draws) {
    for _ in 0..<count {
      terms.append(
        (
          sigma * (2 / Double(count)).squareRoot(), 2 * .pi * draws.uniform(low, high),
          draws.uniform(0, 2 * .pi)
        ))
    }
  }

  /// Draws a swell: a sine of `amplitude` and `period`, that comes and goes by a fifth.
  init(amplitude: Double, period: Double, _ draws: inout Draws) {
    for (part, factor) in [(0.8, 1.0), (0.2, 1.12)] {
      terms.append((part * amplitude, 2 * .pi * factor / period, draws.uniform(0, 2 * .pi)))
    }
  }

  static func + (a: Waves, b: Waves) -> Waves {
    var sum = a
    sum.terms += b.terms
    return sum
  }

  func value(at time: Double) -> Double {
    terms.reduce(0) { $0 + $1.amplitude * sin($1.speed * time + $1.phase) }
  }
}

/// Three sums of sines.
struct VectorWaves {
  var x: Waves
  var y: Waves
  var z: Waves

  func value(at time: Double) -> Vector3 {
    Vector3(x.value(at: time), y.value(at: time), z.value(at: time))
  }
}

/// Takes the second derivative of a place, numerically.
private func secondDerivative(of place: (Double) -> Vector3, at time: Double) -> Vector3 {
  let step = 1e-3
  return (place(time + step) - 2 * place(time) + place(time - step)) / (step * step)
}

/// Turns by `yaw`, then `pitch`, then `roll`, each about the axes so far.
private func turned(yaw: Double, pitch: Double, roll: Double) -> Quaternion {
  Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
    * Quaternion(angle: pitch, axis: Vector3(0, 1, 0))
    * Quaternion(angle: roll, axis: Vector3(1, 0, 0))
}

/// A device on a table, a turntable or in a hand: the hand's own time stands still in breaks.
struct HandMotion: WorldMotion {
  private let busy: Steps
  private let turning: Steps
  private let angles: VectorWaves
  private let shifts: VectorWaves
  private let start: Vector3

  init(busy: Steps, turning: Steps, _ draws: inout Draws) {
    self.busy = busy
    self.turning = turning
    func axis(_ slow: Double, _ highest: Double, _ quick: Double) -> Waves {
      Waves(sigma: slow, low: 0.05, high: highest, count: 5, &draws)
        + Waves(sigma: quick, low: 1.2, high: 2.5, count: 3, &draws)
    }
    angles = VectorWaves(
      x: axis(35 * degree, 0.4, 2 * degree), y: axis(25 * degree, 0.4, 2 * degree),
      z: axis(60 * degree, 0.3, 2 * degree))
    func shift() -> Waves {
      Waves(sigma: 0.12, low: 0.2, high: 0.7, count: 4, &draws)
        + Waves(sigma: 0.006, low: 1.2, high: 3, count: 3, &draws)
    }
    shifts = VectorWaves(x: shift(), y: shift(), z: shift())
    start = Vector3(
      draws.normal() * 5 * degree, draws.normal() * 5 * degree, draws.uniform(-.pi, .pi))
  }

  func attitude(at time: Double) -> Quaternion {
    let own = busy.integral(at: time)
    let angle = angles.value(at: own) - angles.value(at: 0) + start
    return turned(
      yaw: angle.z + turning.integral(at: time), pitch: angle.y, roll: angle.x)
  }

  func acceleration(at time: Double) -> Vector3 {
    secondDerivative(of: place, at: time)
  }

  func place(at time: Double) -> Vector3 { shifts.value(at: busy.integral(at: time)) }
}

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
  private func course(at time: Double) -> Double { heading + bend.integral(at: time) }

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
