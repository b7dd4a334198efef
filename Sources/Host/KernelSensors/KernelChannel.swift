// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// One value that a kernel's sensor measures: an axis of a vector, or a scalar.
package struct KernelChannel: Equatable, Sendable {
  /// The beginning of the names of the value's files, such as `in_accel_x`.
  package var name: String
  package var channel: Channel
  /// The axis of a vector, 0 to 2; 0 for a scalar.
  package var axis: Int
  /// The size of one count, in the channel's unit.
  package var scale: Double
  /// The number of counts to add before the multiplication by `scale`.
  package var offset: Double
  /// The value's place in the scans of the buffer; `nil` if scans do not contain it.
  package var element: ScanElement?
  /// The file with the current value; `nil` if it can only be read from the buffer.
  package var file: String?

  /// Returns the value of `counts` in the channel's unit.
  package func value(_ counts: Double) -> Double { (counts + offset) * scale }
}
