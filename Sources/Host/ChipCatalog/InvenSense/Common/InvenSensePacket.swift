// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers

/// A packet in the FIFO of the ICM-42688-P and the ICM-45686. Only its first `count` bytes are
/// valid.
struct InvenSensePacket {
  /// The values of three axes with 20 bits each; those of 16 bits are shifted left by four.
  typealias Axes = InlineArray<3, Int>

  private(set) var bytes = InlineArray<20, UInt8>(repeating: 0)
  private(set) var count = 0

  /// The axes of a sensor without data: -32768, or -524288 with 20 bits.
  static var noData: Axes { [-524288, -524288, -524288] }

  /// Creates a packet of the sensors that are not `nil`, with 20 bits an axis if `isFine`. A packet
  /// of both has a time, and says so if `marksTime`.
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

  /// Returns `vector` in counts of 16 bits at `scale`, or of `bits` in the upper bits of 20 at the
  /// scale `fine`.
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
