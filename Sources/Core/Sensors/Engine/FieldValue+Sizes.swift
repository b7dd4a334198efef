// SPDX-License-Identifier: Apache-2.0
package import Quantities
package import Registers

// Searches the codes of a register field for the code of a range or rate.
extension FieldValue where Self: CaseIterable {
  /// Returns the code of the smallest size (a range or a rate) that is at least `wanted`, apart
  /// from rounding; `largest` if all sizes are smaller.
  package static func smallest(
    holding wanted: Scalar, orElse largest: Self, _ size: (Self) -> Scalar
  ) -> Self {
    var found = largest
    for code in allCases where size(code) >= wanted * 0.999 && size(code) < size(found) {
      found = code
    }
    return found
  }

  /// Returns the code of the largest size (a range or a rate) that is at most `limit`; `smallest`,
  /// the code of the smallest size, if all are larger.
  package static func widest(
    within limit: Scalar, orElse smallest: Self, _ size: (Self) -> Scalar
  ) -> Self {
    var found = smallest
    for code in allCases where size(code) <= limit && size(code) > size(found) { found = code }
    return found
  }

  /// Sets this value to the code of the smallest size that is at least `wanted`, apart from
  /// rounding, and `wanted` to that size. The initial value must be the code of the largest size;
  /// that value stays if all sizes are smaller.
  package mutating func chooseSmallest(holding wanted: inout Scalar, _ size: (Self) -> Scalar) {
    self = .smallest(holding: wanted, orElse: self, size)
    wanted = size(self)
  }

  /// Returns the size (a range or a rate) at `index` among all codes in ascending order of size;
  /// `nil` after the last size.
  package static func size(at index: Int, _ size: (Self) -> Scalar) -> Scalar? {
    index < 0 ? nil : allCases.map(size).sorted().dropFirst(index).first
  }
}
