// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the QMC5883L. The chip is in standby after a reset. The model covers samples, flags
/// that a read of any output clears, a pin that stays high until such a read, the overflow flag,
/// and an address pointer that can roll over.
package final class QMC5883LModel: ChipModel {
  private let map = QMC5883LMap()
  private var registers = RegisterFile(QMC5883LMap())
  private let input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  private var interrupt = EdgeQueue()
  package private(set) var samplesTaken: UInt64 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    train = SampleTrain(clockError: clockError)
  }

  package func successor(of register: UInt8) -> UInt8 {
    let rolls = registers[map.control2]({ $0.rollOver }) == true
    return rolls && register == map.status.address ? map.out.address : register &+ 1
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue {
    pin == 1 ? interrupt.take() : EdgeQueue()
  }

  /// Predicts the next interrupt edge. The data-ready pin stays high until an output is read, so
  /// without a read there is no further edge.
  package func nextEdge(of pin: UInt8) -> Timestamp? {
    pin == 1 && isPinEnabled && registers[map.status]({ $0.dataReady }) != true ? train.next : nil
  }

  private var isPinEnabled: Bool { registers[map.control2]({ $0.pinDisable }) != true }

  package func powerCycle() {
    train.stop()
    registers.reset()
    resetEnd = nil
  }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time {
      resetEnd = nil
      registers.reset()
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    defer {
      if register <= map.out[5].address {
        registers.change(map.status) { $0.dataReady(false) | $0.skipped(false) }
      }
    }
    return registers[register]
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    registers.store(value, at: register)
    let control = registers[map.control1]
    switch register {
    case map.control1.address where control({ $0.mode }) == .continuous:
      train.start(at: now, rate: (control({ $0.rate }) ?? .hz10).hertz)
    case map.control1.address: train.stop()
    case map.control2.address where registers[map.control2]({ $0.softReset }) == true:
      train.stop()
      // No document gives the duration of a reset; Tasmota and RIOT continue without a wait.
      resetEnd = now + .microseconds(350)
    default: break
    }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let field = input.reading(at: time).magneticField
    let scale = (registers[map.control1]({ $0.fullScale }) ?? .gauss2).countsPerMicrotesla
    registers.put(field, scale, at: map.out.address, .lowFirst)
    let largest = max(abs(field.x), abs(field.y), abs(field.z))
    let isLate = registers[map.status]({ $0.dataReady }) == true
    registers.change(map.status) {
      $0.dataReady(true) | $0.skipped(isLate) | $0.overflow(largest * scale >= 32767)
    }
    if isPinEnabled, !isLate { interrupt.append(time) }
  }
}
