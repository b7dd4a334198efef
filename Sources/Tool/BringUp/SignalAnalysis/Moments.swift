// SPDX-License-Identifier: Apache-2.0

/// The mean and standard deviation of a series, updated value by value with Welford's method, which
/// keeps its precision if the mean is large.
package struct Moments: Equatable, Sendable {
  package private(set) var count = 0
  package private(set) var mean = 0.0
  private var squares = 0.0

  package init() {}

  package mutating func add(_ value: Double) {
    count += 1
    let off = value - mean
    mean += off / Double(count)
    squares += off * (value - mean)
  }

  /// The sample standard deviation, with n - 1 degrees of freedom; 0 for fewer than two values.
  package var standardDeviation: Double {
    count > 1 ? (squares / Double(count - 1)).squareRoot() : 0
  }
}
