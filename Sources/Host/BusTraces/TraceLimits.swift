// SPDX-License-Identifier: Apache-2.0

/// The limits of numbers in a trace. Traces come from other people, as bug reports. No board
/// produces values beyond these limits; such values could overflow sums or keep a program busy
/// forever.
package enum TraceLimits {
  /// The largest size of a file in bytes: 50 minutes at 200 samples per second.
  package static let bytes = 64 << 20
  /// The largest number of lines with events in a trace.
  static let events = 2_000_000
  /// The largest number of seconds, about thirty years, from the clock's origin to the origin of
  /// the trace, and from there to any time, in both directions.
  static let seconds: Int64 = 1_000_000_000
  /// The longest bus transaction in seconds.
  static let transactionSeconds: Int64 = 1000
  /// The number of bytes in a transaction. The limit is above the longest transfer of any adapter.
  static let transfer = 0...65_536
  /// The largest number of bytes in a read, as adapters report it.
  static let longestRead = 1...Int(Int32.max)
  /// The largest number of interrupt edges in a step of a driver.
  static let edges = 0...65_536
  /// The valid values of a counter of a driver or recorder. The limit is the value after thirty
  /// years at a thousand counts per second.
  static let counter = 0...1_000_000_000_000
}

extension FixedWidthInteger {
  /// Returns the sum of two counters, limited to the range of the type, for counters from a file.
  package func plus(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
