// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the VCNL4040. The model covers 16-bit registers, continuous light measurement that
/// restarts when the sensor is enabled, and continuous or triggered proximity measurement with 12
/// or 16 bits. The interrupt pin's thresholds are not modelled.
package final class VCNL4040Model: ChipModel {
  private let map = VCNL4040Map()
  private var registers = RegisterFile(VCNL4040Map())
  private let input: any SensorInput
  private var light: SampleTrain
  private var proximity: SampleTrain
  private var now = Timestamp.zero
  package private(set) var samplesTaken: UInt64 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    light = SampleTrain(clockError: clockError)
    proximity = SampleTrain(clockError: clockError)
  }

  /// Returns the register of the transfer again, because each command code has one word and
  /// transfers do not advance.
  package func successor(of register: UInt8) -> UInt8 { register }

  /// The sheet's read protocol has a repeated start between the command code and the words (Vishay
  /// 84274, figure of the read protocol). SparkFun's and Adafruit's libraries also keep the bus
  /// there.
  package var needsRepeatedStart: Bool { true }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { EdgeQueue() }

  package func nextEdge(of pin: UInt8) -> Timestamp? { nil }

  package func powerCycle() {
    registers.reset()
    light.stop()
    proximity.stop()
  }

  package func advance(to time: Timestamp) {
    while let next = light.takeNext(until: time) {
      samplesTaken += 1
      let lux = input.reading(at: next).scalars[.illuminance]
      let time = registers[map.ambientConfiguration]({ $0.integrationTime }) ?? .ms80
      registers[word: map.ambient.address] = Self.counts(lux / time.luxPerCount, 0xFFFF)
      // The white channel also measures infrared light, which is not modelled.
      let isWhiteOff = registers[map.proximityMode]({ $0.whiteOff }) == true
      registers[word: map.white.address] = isWhiteOff ? 0 : registers[word: map.ambient.address]
    }
    while let next = proximity.takeNext(until: time) {
      let near = input.reading(at: next).scalars[.proximity]
      let full = registers[map.proximityConfiguration]({ $0.has16Bits }) == true ? 0xFFFF : 0xFFF
      registers[word: map.proximity.address] = Self.counts(near * Double(full), full)
      guard registers[map.proximityMode]({ $0.isForced }) == true else { continue }
      registers.change(map.proximityMode) { $0.trigger(false) }
      proximity.stop()
    }
    now = time
  }

  private static func counts(_ value: Double, _ full: Int) -> UInt16 {
    value.isNaN ? 0 : UInt16(saturating: min(max(value, 0), Double(full)))
  }

  package func readWord(_ register: UInt8) -> UInt16 {
    defer { if register == map.interruptFlags.address { registers[word: register] = 0 } }
    return registers[word: register]
  }

  package func writeWord(_ word: UInt16, to register: UInt8) {
    let before = registers[word: register]
    registers.store(word, at: register)
    switch register {
    case map.ambientConfiguration.address:
      // A change of the threshold bits does not restart the measurement.
      if (before ^ word) & 0xC1 != 0 { switchLight() }
    case map.proximityConfiguration.address: switchProximity()
    case map.proximityMode.address: switchProximity()
    default: break
    }
  }

  // Each address refers to a word, so a transfer of one byte changes nothing.
  package func read(_ register: UInt8) -> UInt8 { UInt8(truncatingIfNeeded: readWord(register)) }

  package func write(_ value: UInt8, to register: UInt8) {}

  private func switchLight() {
    let control = registers[map.ambientConfiguration]
    guard control({ $0.isOff }) == false, let time = control({ $0.integrationTime }) else {
      return light.stop()
    }
    light.start(at: now, rate: 1000 / Double(time.milliseconds))
  }

  private func switchProximity() {
    let control = registers[map.proximityConfiguration]
    let mode = registers[map.proximityMode]
    let rests = mode({ $0.isForced }) == true && mode({ $0.trigger }) != true
    guard control({ $0.isOff }) == false, !rests, let pulse = control({ $0.pulse }),
      let duty = control({ $0.duty })
    else { return proximity.stop() }
    // The duty cycle is one pulse in 40 to 320 times the pulse's length.
    let length = 125e-6 * (pulse == .x8 ? 8 : 1 + Double(pulse.rawValue) / 2)
    proximity.start(at: now, rate: 1 / (length * Double(40 << Int(duty))))
  }
}
