// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers

// INT1 and INT2: their levels, edges and next edges.
extension LSM6DS3Model {
  /// Returns INT1_CTRL or INT2_CTRL: bits 0, 1 and 3 to 5 mean the same on both pins.
  private func routed(_ pin: UInt8) -> UInt8 {
    registers[pin == 1 ? map.int1Ctrl.address : map.int2Ctrl.address]
  }

  /// Returns MD1_CFG or MD2_CFG: bits 1 to 7 mean the same on both pins.
  private func routedFunctions(_ pin: UInt8) -> UInt8 {
    registers[pin == 1 ? map.md1Cfg.address : map.md2Cfg.address]
  }

  /// Returns the level of a pin; true if active.
  private func level(_ pin: UInt8) -> Bool {
    let routed = routed(pin)
    let status = registers[map.statusReg.address]
    // The data-ready flags have the same bits in STATUS_REG as in the pins' registers.
    if !isPulsed, routed & status & 0x03 != 0 { return true }
    if routed & 0x08 != 0, isAtWatermark { return true }
    if routed & 0x10 != 0, queue.hasOverrun { return true }
    if routed & 0x20 != 0, isNearlyFull { return true }
    if routedFunctions(pin) & functions.basicCauses != 0 { return true }
    // Steps and significant motion exist only on the first pin.
    return pin == 1 && routed & functions.stepCauses != 0
  }

  /// Updates the pins; pulsed data-ready does not affect their levels.
  func updatePins(at time: Timestamp) { pins.update(at: time) { level($0) } }

  /// Signals data-ready with a pulse.
  func pulse(isAccel: Bool, isGyro: Bool, at time: Timestamp) {
    let ready: UInt8 = (isAccel ? 0x01 : 0) | (isGyro ? 0x02 : 0)
    for pin in UInt8(1)...2 where routed(pin) & ready != 0 { pins.pulse(pin, at: time) }
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { pins.take(pin) }

  /// Predicts the next edge. Sample times are predictable, detections are not: where they are
  /// routed, the next sample may bring one.
  package func nextEdge(of pin: UInt8) -> Timestamp? {
    guard (1...2).contains(pin), let next = train.next else { return nil }
    guard !pins.isActive(pin) || isPulsed else { return nil }
    let routed = routed(pin)
    var soonest: Timestamp?
    // Passed as inout, because a captured variable would allocate a box at each call.
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

  /// The period of the faster sensor.
  private var period: TimeSpan { TimeSpan(seconds: 1 / rate / (1 + clockError)) }

  /// Returns the number of samples of the faster sensor, after its next, until one in `every`.
  private func until(_ every: Int) -> Int { every > 0 ? (every - taken % every) % every : 0 }
}
