// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers

// The levels of the BMI270's interrupt pins.
extension BMI270Model {
  private func control(_ pin: UInt8) -> Contents<BMI270Map.PinControl> {
    pin == 2 ? registers[map.int2IOCtrl] : registers[map.int1IOCtrl]
  }

  private func isDriven(_ pin: UInt8) -> Bool { control(pin)({ $0.outputEn }) == true }

  /// True if the enabled interrupt pin is active low.
  package var isActiveLow: Bool {
    control(!isDriven(1) && isDriven(2) ? 2 : 1)({ $0.lvl }) != true
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { pins.take(pin) }

  /// Predicts the next interrupt edge for data-ready and the watermark.
  package func nextEdge(of pin: UInt8) -> Timestamp? {
    guard (1...2).contains(pin), let next = sampling.train.next, isDriven(pin), !pins.isActive(pin)
    else {
      return nil
    }
    if showsDataReady(pin) { return next }
    guard showsWatermark(pin), frameLength > 0 else { return nil }
    let missing = max(1, (watermark - queue.count + frameLength - 1) / frameLength)
    // The pin becomes active with the frame that fills the FIFO up to the watermark.
    return next + sampling.period * Int64(missing - 1)
  }

  private func showsDataReady(_ pin: UInt8) -> Bool {
    registers[map.intMapData]({ pin == 2 ? $0.drdyInt2 : $0.drdyInt1 }) == true
  }

  private func showsWatermark(_ pin: UInt8) -> Bool {
    watermark > 0 && registers[map.intMapData]({ pin == 2 ? $0.fwmInt2 : $0.fwmInt1 }) == true
  }

  /// The watermark in bytes.
  private var watermark: Int {
    Int(registers[map.fifoWtm1.address]) << 8 | Int(registers[map.fifoWtm0.address])
  }

  /// Signals a new sample with a pulse. In latched mode the pin signals only once until the status
  /// is read.
  func raiseDataReady(at time: Timestamp) {
    if registers[map.intLatch]({ $0 }) == true {
      isDataLatched = true
      return
    }
    for pin in UInt8(1)...2 where showsDataReady(pin) && isDriven(pin) && !pins.isActive(pin) {
      pins.pulse(pin, at: time)
    }
  }

  /// Updates the flag and the pins that follow the FIFO's level.
  func updatePins(at time: Timestamp) {
    let isAbove = watermark > 0 && queue.count >= watermark
    if isAbove { registers.change(map.intStatus1) { $0.fwm(true) } }
    pins.update(at: time) { pin in
      isDriven(pin)
        && (isAbove && showsWatermark(pin) || isDataLatched && showsDataReady(pin))
    }
  }
}
