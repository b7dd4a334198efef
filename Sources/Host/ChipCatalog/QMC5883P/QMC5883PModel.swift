// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the QMC5883P. The chip is suspended after a reset. The model covers the four modes,
/// and the status register, which a read clears and which contains the overflow flag. The self-test
/// is not modelled. The axes always have the signs that QST's prescribed register value gives them.
package final class QMC5883PModel: ChipModel {
  private let map = QMC5883PMap()
  private var registers = RegisterFile(QMC5883PMap())
  private let input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  package private(set) var samplesTaken: UInt64 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
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
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    defer {
      if register == map.status.address {
        registers.change(map.status) { $0.dataReady(false) | $0.overflow(false) }
      }
    }
    return registers[register]
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    registers.store(value, at: register)
    let control = registers[map.control1]
    switch register {
    case map.control1.address:
      switch control({ $0.mode }) {
      case .normal: train.start(at: now, rate: (control({ $0.rate }) ?? .hz10).hertz)
      // These modes run at the fastest rate that the sheet's first page gives.
      case .single, .continuous: train.start(at: now, rate: 1500)
      case .suspend, nil: train.stop()
      }
    case map.control2.address where registers[map.control2]({ $0.softReset }) == true:
      train.stop()
      // No document gives the duration of a reset.
      resetEnd = now + .microseconds(350)
    default: break
    }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let field = input.reading(at: time).magneticField
    let scale = (registers[map.control2]({ $0.fullScale }) ?? .gauss30).countsPerMicrotesla
    registers.put(field, scale, at: map.out.address, .lowFirst)
    let largest = max(abs(field.x), abs(field.y), abs(field.z))
    registers.change(map.status) { $0.dataReady(true) | $0.overflow(largest * scale > 30000) }
    if registers[map.control1]({ $0.mode }) == .single {
      registers.change(map.control1) { $0.mode(.suspend) }
      train.stop()
    }
  }
}
