// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

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
