// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers

// The levels of the BMI160's interrupt pins, and the detection flags.
extension BMI160Model {
  /// True if the enabled interrupt pin is active low.
  package var isActiveLow: Bool {
    let pins = registers[map.intOutCtrl]
    let isSecond = pins({ $0.int1OutputEn }) != true && pins({ $0.int2OutputEn }) == true
    return pins({ isSecond ? $0.int2Lvl : $0.int1Lvl }) != true
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { pins.take(pin) }

  /// Predicts the next interrupt edge for data-ready and the watermark. If detections are enabled,
  /// returns the time of the next sample, which may cause an edge.
  package func nextEdge(of pin: UInt8) -> Timestamp? {
    let isSecond = pin == 2
    guard (1...2).contains(pin), let next = sampling.train.next, isDriven(isSecond),
      !pins.isActive(pin)
    else { return nil }
    if showsDataReady(isSecond) || showsDetections(isSecond) { return next }
    guard let level = level(isSecond), frameLength > 0 else { return nil }
    let missing = max(1, (level - queue.count + frameLength - 1) / frameLength)
    // The pin becomes active with the frame that fills the FIFO up to the watermark.
    return next + sampling.period * Int64(missing - 1)
  }

  private func isDriven(_ isSecond: Bool) -> Bool {
    registers[map.intOutCtrl]({ isSecond ? $0.int2OutputEn : $0.int1OutputEn }) == true
  }

  private func showsDataReady(_ isSecond: Bool) -> Bool {
    registers[map.intEn1]({ $0.drdyEn }) == true
      && registers[map.intMap1]({ isSecond ? $0.int2Drdy : $0.int1Drdy }) == true
  }

  private func routes(_ isSecond: Bool) -> Contents<BMI160Map.IntMap> {
    isSecond ? registers[map.intMap2] : registers[map.intMap0]
  }

  private var isDetecting: Bool {
    registers[map.intEn0.address] != 0 || registers[map.intEn2.address] != 0
      || registers[map.intEn1]({ $0.lowgEn }) == true
  }

  private func showsDetections(_ isSecond: Bool) -> Bool {
    isDetecting && routes(isSecond).raw != 0
  }

  /// Returns the FIFO level in bytes at which the pin becomes active; `nil` if the FIFO is not
  /// routed to the pin.
  private func level(_ isSecond: Bool) -> Int? {
    let watermark = Int(registers[map.fifoConfig0.address]) * 4
    guard watermark > 0, registers[map.intEn1]({ $0.fwmEn }) == true,
      registers[map.intMap1]({ isSecond ? $0.int2Fwm : $0.int1Fwm }) == true
    else { return nil }
    return watermark
  }

  /// Returns true if at least one of the flags that are routed to the pin is set.
  private func showsEvent(_ isSecond: Bool) -> Bool {
    let first = registers[map.intStatus0]
    let second = registers[map.intStatus1]
    let routes = routes(isSecond)
    return first({ $0.flatInt }) == true && routes({ $0.flat }) == true
      || first({ $0.orientInt }) == true && routes({ $0.orient }) == true
      || first({ $0.sTapInt }) == true && routes({ $0.sTap }) == true
      || first({ $0.dTapInt }) == true && routes({ $0.dTap }) == true
      || second({ $0.nomoInt }) == true && routes({ $0.nomotion }) == true
      || first({ $0.anymInt }) == true && routes({ $0.anymotion }) == true
      || first({ $0.sigmotInt }) == true && routes({ $0.anymotion }) == true
      || second({ $0.lowgInt }) == true && routes({ $0.lowgStep }) == true
      || first({ $0.stepInt }) == true && routes({ $0.lowgStep }) == true
  }

  /// Signals a new sample with a pulse. In latched mode the pin signals only once until the status
  /// is read.
  func raiseDataReady(at time: Timestamp) {
    guard registers[map.intEn1]({ $0.drdyEn }) == true else { return }
    registers.change(map.intStatus1) { $0.drdyInt(true) }
    if registers[map.intLatch]({ $0.intLatch }) == 0x0F {
      isDataLatched = true
      return
    }
    for pin in UInt8(1)...2
    where showsDataReady(pin == 2) && isDriven(pin == 2) && !pins.isActive(pin) {
      pins.pulse(pin, at: time)
    }
  }

  /// Updates the interrupt flags and pins that follow the FIFO's level.
  func updatePins(at time: Timestamp) {
    let watermark = Int(registers[map.fifoConfig0.address]) * 4
    let isAbove = watermark > 0 && queue.count >= watermark
    let isEnabled = registers[map.intEn1]({ $0.fwmEn }) == true
    registers.change(map.intStatus1) { $0.fwmInt(isAbove && isEnabled) }
    pins.update(at: time) { pin in
      let isSecond = pin == 2
      return isDriven(isSecond)
        && (level(isSecond).map { queue.count >= $0 } ?? false
          || isDataLatched && showsDataReady(isSecond) || showsEvent(isSecond))
    }
  }

  /// Passes the accelerometer's newest sample to the detectors, if any detection is enabled.
  func detect(at time: Timestamp) {
    guard isDetecting || registers[map.stepConf1]({ $0.stepCntEn }) == true else {
      detectors.rest()
      return
    }
    let scale = (registers[map.accRange]({ $0 }) ?? .g2).countsPerG
    let force =
      Vector3(counts(map.acc.first), counts(map.acc[2]), counts(map.acc[4])) * (1 / scale)
    let found = detectors.take(force, at: time, registers)
    registers[map.intStatus2.address] = found.origin
    registers[map.intStatus3.address] = found.state
    registers[map.stepCnt.address] = UInt8(truncatingIfNeeded: detectors.steps)
    registers[map.stepCnt[1].address] = UInt8(detectors.steps >> 8)
    guard found.first != 0 || found.second != 0 else { return }
    registers[map.intStatus0.address] |= found.first
    registers[map.intStatus1.address] |= found.second
    let latch = registers[map.intLatch]({ $0.intLatch }) ?? 0
    switch latch {
    case 0x0F: holdEnd = nil
    // Without latching, a detection flag lasts until the next sample.
    case 0: holdEnd = time + sampling.period
    default: holdEnd = time + TimeSpan(nanoseconds: 312_500 << Int64(latch - 1))
    }
  }

  private func counts(_ low: RO<WholeByte>) -> Double {
    Double(registers.count(at: low.address, .lowFirst))
  }

  /// Clears detections that are latched for a limited time once that time has passed.
  func releaseDetections(at time: Timestamp) {
    guard let end = holdEnd, end <= time else { return }
    holdEnd = nil
    registers[map.intStatus0.address] = 0
    registers.change(map.intStatus1) { $0.nomoInt(false) | $0.lowgInt(false) }
    updatePins(at: time)
  }

  /// Clears the flags of a status register, after a read or the reset command. Flags that follow
  /// the FIFO's level are set again.
  func clearInterrupts(of register: UInt8) {
    guard register <= map.intStatus1.address else { return }
    registers[register] = 0
    if register == map.intStatus1.address { isDataLatched = false }
    updatePins(at: now)
  }
}
