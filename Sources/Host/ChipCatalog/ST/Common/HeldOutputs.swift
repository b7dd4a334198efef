// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers

// The map is created once, because the unoptimised creation of a map with 68 registers is slow.
private let map = LSM6DS3Map()

/// The outputs of an LSM6DS3 and its successors: temperature, gyroscope and accelerometer, seven
/// words starting at OUT_TEMP_L. Block update holds each word from the read of its low byte to the
/// read of its high byte.
struct HeldOutputs {
  private var words = InlineArray<7, Int16>(repeating: 0)
  /// One bit for each word, set while the word's low byte has been read but not its high byte.
  private var held: UInt8 = 0

  subscript(_ index: Int) -> Int16 {
    get { words[index] }
    set { words[index] = newValue }
  }

  mutating func release() { held = 0 }

  /// The accelerometer's output, in counts.
  var force: Vector3 { Vector3(Double(words[4]), Double(words[5]), Double(words[6])) }

  /// Stores a vector in the three words from `first` on.
  mutating func store(_ vector: Vector3, _ scale: Double, at first: Int) {
    words[first] = counts(vector.x, scale)
    words[first + 1] = counts(vector.y, scale)
    words[first + 2] = counts(vector.z, scale)
  }

  /// Returns the three words from `first` on, in the format of the FIFO.
  func words(at first: Int) -> InlineArray<3, UInt16> {
    [
      UInt16(bitPattern: words[first]), UInt16(bitPattern: words[first + 1]),
      UInt16(bitPattern: words[first + 2]),
    ]
  }

  /// Writes the output words to the registers and sets the data-ready flags of the temperature and
  /// of sensors with a new sample.
  func show(in registers: inout RegisterFile, newAccel: Bool, newGyro: Bool) {
    show(in: &registers)
    registers.change(map.statusReg) { status in
      status.tda(true) | (newGyro ? status.gda(true) : .nothing)
        | (newAccel ? status.xlda(true) : .nothing)
    }
  }

  /// Writes the output words to the registers, except the words that block update holds unchanged.
  func show(in registers: inout RegisterFile, _ order: ByteOrder = .lowFirst) {
    for index in 0..<7 where held & (1 << UInt8(index)) == 0 {
      registers.put(words[index], at: map.outTemp.address + UInt8(index) * 2, order)
    }
  }

  /// Returns a byte of the outputs. If `holds`, the read of a low byte holds the byte's word. The
  /// read of a high byte releases the word and clears the sensor's data-ready flag.
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
