// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Quantities

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
  /// A hand that turns and shakes the device twice as fast.
  case brisk
  /// A hand in a car that starts and stops with 0.3 g.
  case passenger
  case run
  case swim
  case swing

  /// The time that each lasts, s.
  static let duration = 150.0

  /// The carrier of the device, as a user would declare it.
  var carrier: Carrier {
    switch self {
    case .hand, .handNow, .pan, .turn, .brisk, .swing, .swim: .hand
    case .body, .run: .body
    case .wheels, .train, .passenger: .wheels
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
    case .body: WalkMotion(.walk, &draws)
    case .wheels: Self.drive(push: 2, &draws)
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
    case .brisk:
      HandMotion(
        busy: Self.handling(restingUntil: 5, pace: 2, &draws), turning: Steps(), &draws)
    case .passenger:
      PassengerMotion(
        vehicle: Self.drive(push: 3, &draws),
        hand: HandMotion(
          busy: Self.handling(restingUntil: nil, &draws), turning: Steps(), &draws))
    case .run: WalkMotion(.run, &draws)
    case .swim: SwimMotion(&draws)
    case .swing: SwingMotion(&draws)
    }
  }

  /// Draws the field along a way: uneven by much and within a room, or by little and far outdoors.
  func field(along motion: any WorldMotion, _ draws: inout Draws) -> MagneticPlace {
    let (sigma, length) =
      switch self {
      case .hand, .handNow, .pan, .turn, .brisk, .swing: (2.0, 1.5)
      case .body, .run: (1.5, 8.0)
      case .swim: (1.0, 8.0)
      case .wheels, .passenger: (1.0, 200.0)
      case .train: (1.5, 400.0)
      case .drone: (0.5, 60.0)
      case .ship: (0.5, 300.0)
      }
    return MagneticPlace(sigma: sigma, length: length, along: motion, &draws)
  }

  /// Draws when a hand is busy, `pace` times as fast as usual: 12 to 30 s at a time, with breaks of
  /// 2 to 5 s, some of them still.
  private static func handling(
    restingUntil start: Double?, pace: Double = 1, _ draws: inout Draws
  ) -> Steps {
    var steps: [Steps.Step] = []
    if let start { steps.append((pace, at: start, over: 1)) }
    var time = start ?? 0
    while true {
      time += draws.uniform(12, 30)
      guard time < duration - 10 else { break }
      let part = pace * (draws.uniform(0, 1) < 0.5 ? 1 : 0.9)
      steps.append((-part, at: time, over: 0.8))
      time += draws.uniform(2.8, 5.8)
      steps.append((part, at: time, over: 0.8))
    }
    return Steps(initial: start == nil ? pace : 0, steps)
  }

  /// Draws a way by car: 16 m/s are reached by `push` m/s^2, bends push by 3 m/s^2.
  private static func drive(push: Double, _ draws: inout Draws) -> VehicleMotion {
    var pushes: [Steps.Step] = []
    var bends: [Steps.Step] = []
    var time = 4.0
    let speed = 16.0
    while time < World.duration - 60 {
      pushes += [(push, at: time, over: 0.6), (-push, at: time + speed / push, over: 0.6)]
      time += speed / push + 2
      for _ in 0..<2 {
        let rate = 3 / speed * draws.sign()
        let length = draws.uniform(10, 20)
        bends += [(rate, at: time, over: 1.2), (-rate, at: time + length, over: 1.2)]
        time += length + draws.uniform(3, 7)
      }
      let brake = push + 0.5
      pushes += [(-brake, at: time, over: 0.6), (brake, at: time + speed / brake, over: 0.6)]
      time += speed / brake + draws.uniform(6, 10)
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
