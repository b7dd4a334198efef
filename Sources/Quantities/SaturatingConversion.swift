// SPDX-License-Identifier: Apache-2.0

extension FixedWidthInteger {
  /// Creates the whole number nearest to `value`; the nearest limit where `value` is out of range,
  /// zero where it is not a number. `Int(value)` would trap there.
  @inlinable
  package init<Value: BinaryFloatingPoint>(saturating value: Value) {
    self = Self(exactly: value.rounded()) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}
