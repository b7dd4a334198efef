// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The mean magnitude of a vector over even cells of time, whatever the rate and jitter of its
/// samples: the integral of the straight lines between them. A fast stream is averaged, which keeps
/// its vibration from folding into the band of steps; a slow one is interpolated.
struct MagnitudeGrid: Equatable, Sendable {
  /// Seconds; a fortieth of a second resolves a runner's step, and is short beside a walker's.
  static let cell = 0.04

  /// The magnitude so far, and at the newest sample.
  private var last = 0.0
  private var target = 0.0
  private var slope = 0.0
  /// Seconds until the newest sample.
  private var rest = 0.0
  /// Of the open cell: seconds that are filled, and the integral over them.
  private var filled = 0.0
  private var sum = 0.0

  mutating func begin(_ magnitude: Scalar) {
    target = magnitude
    rest = 0
    filled = 0
    sum = 0
  }

  /// Takes the next magnitude, `interval` seconds after the last. Then take all that `next` has.
  mutating func add(_ magnitude: Scalar, interval: Scalar) {
    last = target
    target = magnitude
    rest = interval
    slope = (target - last) / interval
  }

  /// Returns the mean of the next cell that is complete, and the seconds from its end to the newest
  /// sample.
  mutating func next() -> (mean: Scalar, age: Scalar)? {
    let piece = min(rest, Self.cell - filled)
    sum += (last + slope * piece / 2) * piece
    last += slope * piece
    filled += piece
    rest -= piece
    guard filled >= Self.cell * (1 - max(1e-9, 4 * .ulpOfOne)) else { return nil }
    defer {
      filled = 0
      sum = 0
    }
    return (sum / filled, rest)
  }
}
