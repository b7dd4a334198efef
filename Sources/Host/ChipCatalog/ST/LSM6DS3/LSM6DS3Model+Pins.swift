// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers

// The levels and edges of INT1 and INT2, and the prediction of their next edges.
extension LSM6DS3Model {
  /// Returns INT1_CTRL or INT2_CTRL, in which bits 0, 1 and 3 to 5 have the same meaning.
  private func routed(_ pin: UInt8) -> UInt8 {
    registers[pin == 1 ? map.int1Ctrl.address : map.int2Ctrl.address]
  }

  /// Returns MD1_CFG or MD2_CFG, in which bits 1 to 7 have the same meaning.
  private func routedFunctions(_ pin: UInt8) -> UInt8 {
    registers[pin == 1 ? map.md1Cfg.address : map.md2Cfg.address]
  }

  /// Returns the level of an interrupt pin; true if the pin is active.
  private func level(_ pin: UInt8) -> Bool {
    let routed = routed(pin)
    let status = registers[map.statusReg.address]
    // The data-ready flags have the same bits in STATUS_REG as in the routing registers.
    if !isPulsed, routed & status & 0x03 != 0 { return true }
    if routed & 0x08 != 0, isAtWatermark { return true }
    if routed & 0x10 != 0, queue.hasOverrun { return true }
    if routed & 0x20 != 0, isNearlyFull { return true }
    if routedFunctions(pin) & functions.basicCauses != 0 { return true }
    // Steps and significant motion detections can be routed only to INT1.
    return pin == 1 && routed & functions.stepCauses != 0
  }

  /// Updates the levels of the interrupt pins. Data-ready pulses do not change them.
  func updatePins(at time: Timestamp) { pins.update(at: time) { level($0) } }

  /// Signals data-ready with a pulse on the interrupt pins to which data-ready is routed.
  func pulse(isAccel: Bool, isGyro: Bool, at time: Timestamp) {
    let ready: UInt8 = (isAccel ? 0x01 : 0) | (isGyro ? 0x02 : 0)
    for pin in UInt8(1)...2 where routed(pin) & ready != 0 { pins.pulse(pin, at: time) }
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { pins.take(pin) }

  /// Predicts the next interrupt edge. Sample times are predictable, but detections are not. If
  /// detections are routed to the pin, the accelerometer's next sample therefore counts as an edge.
  package func nextEdge(of pin: UInt8) -> Timestamp? {
    guard (1...2).contains(pin), let next = train.next else { return nil }
    guard !pins.isActive(pin) || isPulsed else { return nil }
    let routed = routed(pin)
    var soonest: Timestamp?
    // The parameter is inout, because a captured variable would allocate a box at each call.
    func note(_ every: Int, _ soonest: inout Timestamp?) {
      guard every > 0 else { return }
      let time = next + period * Int64(until(every))
      soonest = min(soonest ?? time, time)
    }
    if routed & 0x02 != 0 { note(gyroEvery, &soonest) }
    if routed & 0x01 != 0 { note(accelEvery, &soonest) }
    if routedFunctions(pin) & 0xFE != 0 || pin == 1 && routed & 0xC0 != 0 {
      note(accelEvery, &soonest)
    }
    if routed & 0x08 != 0, wordsPerSample > 0, watermark > queue.count {
      let samples = (watermark - queue.count + wordsPerSample - 1) / wordsPerSample
      let time = next + period * Int64((samples - 1) * queueEvery + until(queueEvery))
      soonest = min(soonest ?? time, time)
    }
    return soonest
  }

  /// The sample period of the chip's faster sensor.
  private var period: TimeSpan { TimeSpan(seconds: 1 / rate / (1 + clockError)) }

  /// Returns the number of samples from the faster sensor's next sample to the first sample whose
  /// number is a multiple of `every`.
  private func until(_ every: Int) -> Int { every > 0 ? (every - taken % every) % every : 0 }
}
