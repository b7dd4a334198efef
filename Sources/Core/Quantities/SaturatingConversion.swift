// SPDX-License-Identifier: Apache-2.0

extension FixedWidthInteger {
  /// Creates the nearest whole number: the nearest limit if `value` is out of range, and zero if
  /// `value` is not a number. `Int(value)` would trap in these cases.
  @inlinable
  package init<Value: BinaryFloatingPoint>(saturating value: Value) {
    self = Self(exactly: value.rounded()) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}
