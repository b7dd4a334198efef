// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import Quantities

extension Date {
  /// Creates the date from nanoseconds since 1970.
  package init(wall: Int64) {
    self.init(
      timeIntervalSinceReferenceDate: Double(wall / 1_000_000_000 - 978_307_200)
        + Double(wall % 1_000_000_000) / 1e9)
  }

  /// Nanoseconds since 1970, saturated.
  package var wall: Int64 {
    let span = TimeSpan(seconds: timeIntervalSinceReferenceDate).nanoseconds
    let (sum, overflow) = span.addingReportingOverflow(978_307_200_000_000_000)
    // A margin to the limits, so that small numbers can be added.
    return overflow ? .max - 1_000_000 : max(sum, .min + 1_000_000)
  }
}
