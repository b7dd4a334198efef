// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers

/// A packet in the FIFO of the ICM-42688-P and the ICM-45686. Only its first `count` bytes are
/// valid.
struct InvenSensePacket {
  /// The values of three axes with 20 bits each. A 16-bit value is shifted left by four bits.
  typealias Axes = InlineArray<3, Int>

  private(set) var bytes = InlineArray<20, UInt8>(repeating: 0)
  private(set) var count = 0

  /// The values of a sensor without data: -524288 with 20 bits, which is -32768 with 16 bits.
  static var noData: Axes { [-524288, -524288, -524288] }

  /// Creates a packet with the sensors that are not `nil`, and with 20 bits per axis if `isFine`. A
  /// packet with both sensors contains a time. If `marksTime` is set, a bit in its header says so.
  init(
    force: Axes?, turn: Axes?, isFine: Bool, marksTime: Bool, temperature: Int16,
    shortTemperature: Int8, time: UInt16, _ order: ByteOrder
  ) {
    let isBoth = force != nil && turn != nil
    append(
      (force == nil ? 0 : 0x40) | (turn == nil ? 0 : 0x20) | (isFine ? 0x10 : 0)
        | (isBoth && marksTime ? 0x08 : 0))
    for axes in [force, turn] {
      guard let axes else { continue }
      for axis in 0..<3 { append(UInt16(truncatingIfNeeded: axes[axis] >> 4), order) }
    }
    if isFine {
      append(UInt16(bitPattern: temperature), order)
    } else {
      append(UInt8(bitPattern: shortTemperature))
    }
    guard let force, let turn else { return }
    append(time, order)
    guard isFine else { return }
    for axis in 0..<3 {
      append(
        UInt8(truncatingIfNeeded: force[axis] & 0x0F) << 4
          | UInt8(truncatingIfNeeded: turn[axis] & 0x0F))
    }
  }

  /// Returns `vector` as counts that are left-aligned in 20 bits: 16-bit counts with `scale` counts
  /// per unit, or, if `fine` is not `nil`, counts of `bits` bits with `fine` counts per unit.
  static func axes(
    _ vector: Vector3, _ scale: Double, fine: Double?, bits: Int = 20
  ) -> Axes {
    func word(_ value: Double) -> Int {
      guard let fine else { return Int(counts(value, scale)) << 4 }
      let scaled = (value * fine).rounded()
      let limit = Double(1 << (bits - 1))
      return scaled.isNaN ? 0 : Int(min(max(scaled, -limit), limit - 1)) << (20 - bits)
    }
    return [word(vector.x), word(vector.y), word(vector.z)]
  }

  private mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  private mutating func append(_ word: UInt16, _ order: ByteOrder) {
    let bytes = order.bytes(word)
    append(bytes[0])
    append(bytes[1])
  }
}
