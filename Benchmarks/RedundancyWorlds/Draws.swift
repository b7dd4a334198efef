// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// One degree in radians.
let degree = Double.pi / 180

/// A reproducible source of draws (SplitMix64).
struct Draws {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * (Double(next() >> 11) + 0.5) / 9_007_199_254_740_992
  }

  mutating func index(below count: Int) -> Int {
    Int(next() % UInt64(count))
  }

  /// Draws from the normal distribution of sigma 1 (Box and Muller).
  mutating func normal() -> Double {
    (-2 * log(uniform(0, 1))).squareRoot() * cos(2 * .pi * uniform(0, 1))
  }

  mutating func sign() -> Double { uniform(0, 1) < 0.5 ? -1 : 1 }

  mutating func vector(sigma: Double) -> Vector3 {
    sigma * Vector3(normal(), normal(), normal())
  }
}
