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
    // Whole seconds and the rest are converted separately. A Double has too few bits for the
    // nanoseconds since 2001, so a date made from nanoseconds would change with each conversion.
    let whole = timeIntervalSinceReferenceDate.rounded(.down)
    let rest = TimeSpan(seconds: timeIntervalSinceReferenceDate - whole).nanoseconds
    let seconds = Int64(Int(saturating: whole + 978_307_200))
    let (scaled, isFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = scaled.addingReportingOverflow(rest)
    // The result keeps a margin to the limits of 64 bits, so that small numbers can be added to it.
    if isFar || isBeyond { return whole < 0 ? .min + 1_000_000 : .max - 1_000_000 }
    return sum
  }
}
