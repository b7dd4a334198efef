// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import Quantities

extension Date {
  /// Creates a date from nanoseconds since 1970.
  package init(wall: Int64) {
    self.init(
      timeIntervalSinceReferenceDate: Double(wall / 1_000_000_000 - 978_307_200)
        + Double(wall % 1_000_000_000) / 1e9)
  }

  /// The date in nanoseconds since 1970. A date out of range gives the nearest limit.
  package var wall: Int64 {
    // Whole seconds and the rest are converted separately: a Double does not have room for the
    // nanoseconds since 2001, so a date made from nanoseconds would change with each conversion.
    let whole = timeIntervalSinceReferenceDate.rounded(.down)
    let rest = TimeSpan(seconds: timeIntervalSinceReferenceDate - whole).nanoseconds
    let seconds = Int64(Int(saturating: whole + 978_307_200))
    let (scaled, isFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = scaled.addingReportingOverflow(rest)
    // The clamped number keeps a margin to the limits, so that small numbers can be added to the
    // number.
    if isFar || isBeyond { return whole < 0 ? .min + 1_000_000 : .max - 1_000_000 }
    return sum
  }
}
