// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import Quantities

extension Date {
  /// Creates the date of so many nanoseconds since 1970.
  package init(wall: Int64) {
    self.init(
      timeIntervalSinceReferenceDate: Double(wall / 1_000_000_000 - 978_307_200)
        + Double(wall % 1_000_000_000) / 1e9)
  }

  /// Nanoseconds since 1970; held at the ends.
  package var wall: Int64 {
    let span = TimeSpan(seconds: timeIntervalSinceReferenceDate).nanoseconds
    let (sum, overflow) = span.addingReportingOverflow(978_307_200_000_000_000)
    // Far enough from the ends that a little can be added.
    return overflow ? .max - 1_000_000 : max(sum, .min + 1_000_000)
  }
}
