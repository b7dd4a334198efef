// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers

// Made once: a map has 68 registers, and unoptimised code makes each.
private let map = LSM6DS3Map()

/// Temperature, gyroscope and accelerometer of an LSM6DS3 and its successors: seven words from
/// OUT_TEMP_L on, each of which block update holds from the read of its low byte to that of its
/// high one.
struct HeldOutputs {
  private var words = InlineArray<7, Int16>(repeating: 0)
  /// Words whose low byte was read and whose high byte was not, bit by bit.
  private var held: UInt8 = 0

  subscript(_ index: Int) -> Int16 {
    get { words[index] }
    set { words[index] = newValue }
  }

  mutating func release() { held = 0 }

  /// The accelerometer's, in counts.
  var force: Vector3 { Vector3(Double(words[4]), Double(words[5]), Double(words[6])) }

  /// Puts the words into the registers, but for those between their two reads.
  func show(in registers: inout RegisterFile, _ order: ByteOrder = .lowFirst) {
    for index in 0..<7 where held & (1 << UInt8(index)) == 0 {
      registers.put(words[index], at: map.outTemp.address + UInt8(index) * 2, order)
    }
  }

  /// Reads a byte: with a low one its word begins to stand still if it `holds`, with a high one it
  /// goes on and its sensor's flag falls.
  mutating func read(
    _ register: UInt8, of registers: inout RegisterFile, holds: Bool, _ order: ByteOrder = .lowFirst
  ) -> UInt8 {
    let value = registers[register]
    let (index, byte) = (register - map.outTemp.address).quotientAndRemainder(dividingBy: 2)
    guard byte == 1 else {
      if holds { held |= 1 << index }
      return value
    }
    held &= ~(1 << index)
    registers.change(map.statusReg) { status in
      switch index {
      case 0: status.tda(false)
      case 1...3: status.gda(false)
      default: status.xlda(false)
      }
    }
    show(in: &registers, order)
    return value
  }
}
