// SPDX-License-Identifier: Apache-2.0
import Quantities

extension [UInt8] {
  /// Appends the bytes of `value`, lowest first.
  mutating func add(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends 64 bits, whatever precision was used for computing.
  mutating func add(_ value: Double) { add(value.bitPattern) }

  mutating func add(_ vector: Vector3) {
    add(Double(vector.x))
    add(Double(vector.y))
    add(Double(vector.z))
  }

  mutating func add(_ attitude: Quaternion) {
    add(Double(attitude.w))
    add(Double(attitude.x))
    add(Double(attitude.y))
    add(Double(attitude.z))
  }
}
