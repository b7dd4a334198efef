// SPDX-License-Identifier: Apache-2.0
package import Quantities
package import Registers

// What a driver asks of the codes of a field that stand for sizes: ranges, rates.
extension FieldValue where Self: CaseIterable {
  /// Returns the code of the smallest size that is `wanted` or, but for a rounding, more; `largest`
  /// where none is.
  package static func smallest(
    holding wanted: Scalar, orElse largest: Self, _ size: (Self) -> Scalar
  ) -> Self {
    var found = largest
    for code in allCases where size(code) >= wanted * 0.999 && size(code) < size(found) {
      found = code
    }
    return found
  }

  /// Returns the code of the largest size that is no more than `limit`, and else `smallest`, which
  /// is that of the smallest.
  package static func widest(
    within limit: Scalar, orElse smallest: Self, _ size: (Self) -> Scalar
  ) -> Self {
    var found = smallest
    for code in allCases where size(code) <= limit && size(code) > size(found) { found = code }
    return found
  }

  /// Becomes the code of the smallest size that is `wanted` or, but for a rounding, more, and else
  /// stays the largest, which it is; `wanted` becomes its size.
  package mutating func fit(_ wanted: inout Scalar, _ size: (Self) -> Scalar) {
    self = .smallest(holding: wanted, orElse: self, size)
    wanted = size(self)
  }

  /// Returns size `index` of all codes, the smallest first; `nil` past the last.
  package static func size(at index: Int, _ size: (Self) -> Scalar) -> Scalar? {
    index < 0 ? nil : allCases.map(size).sorted().dropFirst(index).first
  }
}
