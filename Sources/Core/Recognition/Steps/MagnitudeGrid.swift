// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The mean magnitude of a vector over consecutive cells of equal duration, for any sample rate and
/// jitter. The mean is computed from the integral of the straight lines between samples. A fast
/// stream is thus averaged, which prevents aliasing of vibrations into the frequency band of steps.
/// A slow stream is interpolated.
struct MagnitudeGrid: Equatable, Sendable {
  /// The duration of a cell in seconds. It is short enough to resolve a runner's steps, and short
  /// compared with a walker's steps.
  static let cell = 0.04

  /// The magnitude of the vector at the current point between two samples, and at the newest
  /// sample.
  private var last = 0.0
  private var target = 0.0
  private var slope = 0.0
  /// The seconds from the current point between two samples to the newest sample.
  private var rest = 0.0
  /// The time in seconds that the unfinished cell covers so far, and the integral of the magnitude
  /// over this time.
  private var filled = 0.0
  private var sum = 0.0

  mutating func begin(_ magnitude: Scalar) {
    target = magnitude
    rest = 0
    filled = 0
    sum = 0
  }

  /// Adds a magnitude, `interval` seconds after the previous one. Afterwards call `next` until it
  /// returns `nil`.
  mutating func add(_ magnitude: Scalar, interval: Scalar) {
    last = target
    target = magnitude
    rest = interval
    slope = (target - last) / interval
  }

  /// Returns the mean of the next complete cell, and the time in seconds from the end of the cell
  /// to the newest sample; `nil` if no cell is complete.
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
