// SPDX-License-Identifier: Apache-2.0

/// The limits for numbers in a trace. Traces come from outside, as bug reports: values beyond these
/// limits are no recording of a board, and could overflow sums or keep a program busy forever.
package enum TraceLimits {
  /// Bytes of a file: 50 minutes at 200 samples per second.
  package static let bytes = 64 << 20
  /// Lines with events.
  static let events = 2_000_000
  /// The most seconds from the clock's origin to the trace's, and from there to any time, in both
  /// directions: thirty years.
  static let seconds: Int64 = 1_000_000_000
  /// The longest transaction in seconds.
  static let transactionSeconds: Int64 = 1000
  /// Bytes of a transaction: more than the longest transfer of any adapter.
  static let transfer = 0...65_536
  /// The most bytes of one read, as reported by an adapter.
  static let longestRead = 1...Int(Int32.max)
  /// Edges in one step.
  static let edges = 0...65_536
  /// Counters of drivers and recorders: thirty years at a thousand per second.
  static let counter = 0...1_000_000_000_000
}

extension FixedWidthInteger {
  /// Returns the sum, saturated to the type's range: for counters from a file.
  package func plus(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
