// SPDX-License-Identifier: Apache-2.0
package import Quantities
package import Registers

// Searches among the codes of a field for sizes: ranges, rates.
extension FieldValue where Self: CaseIterable {
  /// Returns the code of the smallest size that is at least `wanted`, apart from rounding;
  /// `largest` where there is none.
  package static func smallest(
    holding wanted: Scalar, orElse largest: Self, _ size: (Self) -> Scalar
  ) -> Self {
    var found = largest
    for code in allCases where size(code) >= wanted * 0.999 && size(code) < size(found) {
      found = code
    }
    return found
  }

  /// Returns the code of the largest size up to `limit`; `smallest`, the code of the smallest size,
  /// where there is none.
  package static func widest(
    within limit: Scalar, orElse smallest: Self, _ size: (Self) -> Scalar
  ) -> Self {
    var found = smallest
    for code in allCases where size(code) <= limit && size(code) > size(found) { found = code }
    return found
  }

  /// Becomes the code of the smallest size that is at least `wanted`, apart from rounding, and
  /// `wanted` becomes that size. The initial value must be the code of the largest size, which
  /// stays where there is none.
  package mutating func fit(_ wanted: inout Scalar, _ size: (Self) -> Scalar) {
    self = .smallest(holding: wanted, orElse: self, size)
    wanted = size(self)
  }

  /// Returns size `index` of all codes in ascending order; `nil` past the last.
  package static func size(at index: Int, _ size: (Self) -> Scalar) -> Scalar? {
    index < 0 ? nil : allCases.map(size).sorted().dropFirst(index).first
  }
}
