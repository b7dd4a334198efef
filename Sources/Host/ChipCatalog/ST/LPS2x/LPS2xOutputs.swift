// SPDX-License-Identifier: Apache-2.0
internal import Registers

/// The outputs of an LPS25H or LPS22HB, five bytes from PRESS_OUT_XL on: pressure and temperature,
/// lowest byte first. Block update (BDU) holds each quantity from the read of its lowest byte to
/// the read of its highest byte. The FIFO has 32 samples, and its oldest sample is in the output
/// registers; after the last of these registers the address returns to the first. (DocID023722,
/// sections 5 and 8; DocID027083, sections 4.4 and 9; ST's drivers LPS25HB_Driver and
/// LPS22HB_Driver have the same modes and levels.)
struct LPS2xOutputs {
  typealias Frame = InlineArray<5, UInt8>

  static let first: UInt8 = 0x28
  private static let pressureEnd: UInt8 = 0x2A
  private static let temperatureStart: UInt8 = 0x2B
  static let last: UInt8 = 0x2C
  static let capacity = 32

  private var newest = Frame(repeating: 0)
  private var isPressureHeld = false
  private var isTemperatureHeld = false
  private var queue = Ring(capacity: capacity, filledWith: Frame(repeating: 0))
  private(set) var hasOverrun = false

  /// The number of samples in the FIFO.
  var level: Int { queue.count }

  mutating func removeAll() {
    queue.removeAll()
    hasOverrun = false
    isPressureHeld = false
    isTemperatureHeld = false
  }

  /// Takes a sample. A full FIFO drops its oldest sample, or the new sample if `stopsWhenFull`.
  mutating func take(
    _ frame: Frame, isQueued: Bool, stopsWhenFull: Bool, in registers: inout RegisterFile
  ) {
    newest = frame
    guard isQueued else { return show(in: &registers) }
    if queue.count == Self.capacity {
      hasOverrun = true
      if stopsWhenFull { return }
    }
    _ = queue.append(frame)
  }

  private func show(in registers: inout RegisterFile) {
    for index in 0..<5 {
      let register = Self.first + UInt8(index)
      let isHeld = register <= Self.pressureEnd ? isPressureHeld : isTemperatureHeld
      if !isHeld { registers[register] = newest[index] }
    }
  }

  /// Returns an output byte. With `isHolding` (BDU) the read of a lowest byte holds its quantity.
  mutating func read(
    _ register: UInt8, isQueued: Bool, isHolding: Bool, of registers: inout RegisterFile
  ) -> UInt8 {
    if isQueued, register == Self.first {
      let oldest = queue.front
      for index in 0..<5 { registers[Self.first + UInt8(index)] = oldest[index] }
    }
    let value = registers[register]
    switch register {
    case Self.first: isPressureHeld = isHolding && !isQueued
    case Self.pressureEnd: isPressureHeld = false
    case Self.temperatureStart: isTemperatureHeld = isHolding && !isQueued
    case Self.last:
      isTemperatureHeld = false
      if isQueued, queue.count > 0 {
        _ = queue.removeFirst()
        hasOverrun = false
      }
    default: break
    }
    if !isQueued { show(in: &registers) }
    return value
  }
}
