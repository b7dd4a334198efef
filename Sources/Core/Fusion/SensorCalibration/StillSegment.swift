// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// One sensor's readings over a period of time, in the sensor's unit and the chip's own axes.
public struct StillSegment: Equatable, Sendable {
  public var mean: Vector3
  /// The largest of the three standard deviations of x, y and z. It includes noise and movement.
  public var spread: Scalar
  public var count: Int
  /// The mean temperature in degrees Celsius; `nil` if the chip reports none.
  public var temperature: Scalar?

  public init(mean: Vector3, spread: Scalar, count: Int, temperature: Scalar? = nil) {
    self.mean = mean
    self.spread = spread
    self.count = count
    self.temperature = temperature
  }

  public var isFinite: Bool {
    mean.isFinite && spread.isFinite && (temperature?.isFinite ?? true)
  }
}

/// Mean and standard deviation of a growing number of samples, computed without storing the samples
/// (B. P. Welford, Technometrics 4 (1962) 419). Sums of squares would lose the digits of a small
/// spread about a large mean.
struct RunningMean: Equatable, Sendable {
  private(set) var mean = Vector3.zero
  private var squares = Vector3.zero
  private(set) var count = 0

  mutating func add(_ value: Vector3) {
    count += 1
    let before = value - mean
    mean += before / Scalar(count)
    let after = value - mean
    squares += Vector3(before.x * after.x, before.y * after.y, before.z * after.z)
  }

  /// The largest of the standard deviations of x, y and z; 0 for fewer than two samples.
  var spread: Scalar {
    guard count > 1 else { return 0 }
    return sqrt(max(squares.x, max(squares.y, squares.z)) / Scalar(count - 1))
  }
}
