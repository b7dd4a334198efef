// SPDX-License-Identifier: Apache-2.0

/// The numbers that a trace may hold. A trace comes from outside, as a bug report: what is beyond
/// these is no record of a board, and would overflow sums or keep a program busy for ever.
package enum TraceLimits {
  /// Bytes of a file: 50 minutes at 200 samples a second.
  package static let bytes = 64 << 20
  /// Lines of events.
  static let events = 2_000_000
  /// The most seconds from the clock's origin to the trace's and from there to any time, either
  /// way: thirty years.
  static let seconds: Int64 = 1_000_000_000
  /// The longest transaction in seconds.
  static let transactionSeconds: Int64 = 1000
  /// Bytes of a transaction: more than the longest transfer of any adapter.
  static let transfer = 0...65_536
  /// The most bytes of one read, as an adapter says.
  static let longestRead = 1...Int(Int32.max)
  /// Edges of one turn.
  static let edges = 0...65_536
  /// The counts of drivers and recorders: thirty years at a thousand a second.
  static let counter = 0...1_000_000_000_000
}

extension FixedWidthInteger {
  /// Returns the sum, held at the ends of the type's range: for counters that others have written
  /// down.
  package func plus(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
