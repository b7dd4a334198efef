// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// A formatter for noise figures.
package enum NoiseText {
  /// Returns the value with three significant digits. Between 0.001 and a million the text has no
  /// exponent.
  package static func number(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return value == 0 ? "0" : "-" }
    let size = Int(saturating: floor(log10(abs(value)) + 1e-9))
    guard (-4..<6).contains(size) else { return String(format: "%.2e", value) }
    return String(format: "%.\(max(2 - size, 0))f", value)
  }
}
