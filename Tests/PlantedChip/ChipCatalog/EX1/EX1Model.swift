// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the EX1: off after reset, samples at a fixed rate, and a status with an overrun bit
/// that reading z clears. It has no pins.
package final class EX1Model: ChipModel {
  private let map = EX1Map()
  private var registers = RegisterFile(EX1Map())
  private let input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  package private(set) var samplesTaken: UInt64 = 0

  /// Creates a chip whose oscillator has a relative error of `clockError`.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    train = SampleTrain(clockError: clockError)
  }

  package func successor(of register: UInt8) -> UInt8 { register &+ 1 }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { EdgeQueue() }

  package func nextEdge(of pin: UInt8) -> Timestamp? { nil }

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
    while let next = train.next, next <= time {
      train.advance()
      take(at: next)
    }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    defer {
      if register == map.out[5].address {
        registers.change(map.status) { $0.dataReady(false) | $0.overrun(false) }
      }
    }
    return registers[register]
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    registers.store(value, at: register)
    guard register == map.control.address else { return }
    let control = registers[map.control]
    if control({ $0.reset }) == true {
      train.stop()
      resetEnd = now + .milliseconds(1)
    } else if control({ $0.isRunning }) == true, let rate = control({ $0.rate }) {
      train.start(at: now, rate: rate.hertz)
    } else {
      train.stop()
    }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let field = input.reading(at: time).magneticField
    store(field.x, at: map.out.first)
    store(field.y, at: map.out[2])
    store(field.z, at: map.out[4])
    let isLate = registers[map.status]({ $0.dataReady }) == true
    registers.change(map.status) { $0.dataReady(true) | $0.overrun(isLate) }
  }

  private func store(_ microtesla: Double, at low: RO<WholeByte>) {
    let bits = UInt16(bitPattern: counts(microtesla, EX1Chip.countsPerMicrotesla))
    registers[low.address] = UInt8(truncatingIfNeeded: bits)
    registers[low.address + 1] = UInt8(bits >> 8)
  }
}
