// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recognition
import SeededRandom

/// A part of a simulated outing: its duration, its change of height, and its steps per second.
struct Leg {
  var seconds: Double
  var metres = 0.0
  var cadence = 0.0
  var activities: ActivitySet = .stationary
  /// The acceleration at its start and end in m/s^2; infinite for constant speed.
  var acceleration = Double.infinity

  static func rest(_ seconds: Double) -> Leg { Leg(seconds: seconds) }

  static func walk(_ seconds: Double, metres: Double = 0, cadence: Double = 1.8) -> Leg {
    Leg(seconds: seconds, metres: metres, cadence: cadence, activities: .walking)
  }

  /// Returns stairs of 0.17 m, one per step; negative metres go down.
  static func stairs(_ metres: Double, cadence: Double = 1.7, riser: Double = 0.17) -> Leg {
    .walk(abs(metres) / riser / cadence, metres: metres, cadence: cadence)
  }

  /// Returns a lift that accelerates and brakes by 1 m/s^2.
  static func lift(_ metres: Double, speed: Double) -> Leg {
    let speed = min(speed, sqrt(abs(metres)))
    return Leg(seconds: abs(metres) / speed + speed, metres: metres, acceleration: 1)
  }

  /// Returns an escalator at 0.5 m/s on a slope of 30 degrees; a person who walks on it climbs 0.2
  /// m more with each of 1.5 steps per second.
  static func escalator(_ metres: Double, isWalked: Bool) -> Leg {
    let speed = isWalked ? 0.25 + 0.2 * 1.5 : 0.25
    return Leg(
      seconds: abs(metres) / speed, metres: metres, cadence: isWalked ? 1.5 : 0,
      activities: isWalked ? .walking : .stationary)
  }

  /// Returns the height above the leg's start in metres.
  func height(after time: Double) -> Double {
    guard acceleration < .infinity else { return metres * time / seconds }
    // d = v (T - v / a)
    let total = abs(metres)
    let root = seconds * seconds - 4 * total / acceleration
    let speed = acceleration / 2 * (seconds - sqrt(max(0, root)))
    let ramp = speed / acceleration
    let way =
      time < ramp
      ? acceleration * time * time / 2
      : time > seconds - ramp
        ? total - acceleration * pow(seconds - time, 2) / 2 : speed * (time - ramp / 2)
    return metres < 0 ? -way : way
  }
}

/// The air and the barometer.
struct Air {
  var hz = 5.0
  /// The standard deviation of a sample in Pa.
  var noise = 1.3
  /// The change of pressure in Pa per hour.
  var tendency = 0.0
  /// The temperature of the outside air in K, on which metres per pascal depend.
  var temperature = 288.0
  /// Returns a disturbance in Pa at a time in seconds.
  var disturbance: (Double) -> Double = { _ in 0 }
  /// Returns the barometer's temperature in degrees Celsius at a time in seconds.
  var warmth: ((Double) -> Double)?
  /// The time in seconds without samples.
  var asleep: ClosedRange<Double>?
  var seed: UInt64 = 1
}

/// The floors that a recogniser counted in an outing.
struct Climbed: Equatable, CustomStringConvertible {
  var up = 0
  var down = 0
  /// The times when floors up were reported, in seconds.
  var times: [Double] = []

  var description: String { "+\(up) -\(down)" }
  static func == (a: Climbed, b: Climbed) -> Bool { a.up == b.up && a.down == b.down }
  init(_ up: Int, _ down: Int) { (self.up, self.down) = (up, down) }
}

/// Returns the counted floors. Steps are reported three seconds late and one in twenty is missed;
/// activities are reported ten seconds late.
func climbed(
  _ legs: [Leg], _ air: Air = Air(), usesSteps: Bool = true
) -> Climbed {
  var recognizer = FloorRecognizer(usesSteps: usesSteps)
  var random = SplitMix(state: air.seed)
  var result = Climbed(0, 0)
  var steps: [Double] = []
  var next = 0
  var reported = 0
  var (begin, base) = (0.0, 0.0)
  var starts: [Double] = []
  for leg in legs {
    starts.append(begin)
    var time = begin + 0.3
    while leg.cadence > 0, time < begin + leg.seconds {
      if Double.random(in: 0..<1, using: &random) > 0.05 { steps.append(time) }
      time += (1 + 0.05 * random.spread()) / leg.cadence
    }
    begin += leg.seconds
  }
  let end = begin
  var leg = 0
  for k in 0..<Int(end * air.hz) {
    let time = Double(k) / air.hz
    while leg + 1 < legs.count, time >= starts[leg + 1] {
      base += legs[leg].metres
      leg += 1
    }
    if let asleep = air.asleep, asleep.contains(time) { continue }
    while next < steps.count, steps[next] < time - 3 {
      recognizer.add(
        Step(timestamp: Timestamp(seconds: steps[next]), confidence: 1, swing: 0.5))
      next += 1
    }
    if usesSteps, reported < legs.count, time >= starts[reported] + 10 {
      recognizer.note(
        ActivityEstimate(
          timestamp: Timestamp(seconds: starts[reported]), activities: legs[reported].activities,
          confidence: .high))
      reported += 1
    }
    let height = base + legs[leg].height(after: time - starts[leg])
    // The hydrostatic equation at one temperature: 29.27 m per kelvin is R / g of dry air.
    let pascal =
      101_000 * exp(-height / (29.27 * air.temperature)) + air.disturbance(time)
      + air.tendency * time / 3600 + air.noise * random.spread()
    let before = recognizer.ascended
    recognizer.update(
      pressure: pascal / 1000, temperature: air.warmth?(time), at: Timestamp(seconds: time))
    for _ in before..<recognizer.ascended { result.times.append(time) }
  }
  result.up = recognizer.ascended
  result.down = recognizer.descended
  return result
}

extension SplitMix {
  /// Returns a nearly normal number with standard deviation 1, from four parts of a random word.
  fileprivate mutating func spread() -> Double {
    let word = next()
    let sum = (word & 0xFFFF) + (word >> 16 & 0xFFFF) + (word >> 32 & 0xFFFF) + (word >> 48)
    return (Double(sum) / 0x1p16 - 2) * 3.0.squareRoot()
  }
}
