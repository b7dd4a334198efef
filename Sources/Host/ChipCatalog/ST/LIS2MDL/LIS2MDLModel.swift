// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the LIS2MDL. The chip is idle after a reset. The model covers samples, a status with
/// overrun flags, a data-ready pin that stays high until the outputs are read, single conversions,
/// the hard-iron offset and the self-test.
package final class LIS2MDLModel: ChipModel {
  private let map = LIS2MDLMap()
  private var registers = RegisterFile(LIS2MDLMap())
  private let input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  private var interrupt = EdgeQueue()
  package private(set) var samplesTaken: UInt64 = 0
  /// The magnetic field that the self-test adds, in microtesla. The application note allows 1.5 to
  /// 50. A test sets another value to model a broken chip.
  package var selfTestResponse = Vector3(20, -20, 15)

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    train = SampleTrain(clockError: clockError)
  }

  /// A burst wraps from the last output to the first, whether or not bit 7 of the sub-address is
  /// set (measured on an IIS2MDC, the same chip for industry, in PX4 pull request 28336; ST's
  /// driver reads the temperature separately).
  package func successor(of register: UInt8) -> UInt8 {
    let isLastOutput = register & 0x7F == map.out[5].address
    return isLastOutput ? register &- 5 : register &+ 1
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue {
    pin == 1 ? interrupt.take() : EdgeQueue()
  }

  /// Predicts the next edge. The pin stays high until the outputs are read, so without a read there
  /// is no further edge.
  package func nextEdge(of pin: UInt8) -> Timestamp? {
    pin == 1 && isPinEnabled && registers[map.status]({ $0.dataReady }) != true ? train.next : nil
  }

  private var isPinEnabled: Bool { registers[map.configC]({ $0.dataReadyOnPin }) == true }

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

  /// Bit 7 of a sub-address has no meaning.
  package func read(_ register: UInt8) -> UInt8 {
    let address = register & 0x7F
    let flags = map.status.layout
    defer {
      switch address {
      case map.out[1].address: markRead(flags.dataReadyX(false) | flags.overrunX(false))
      case map.out[3].address: markRead(flags.dataReadyY(false) | flags.overrunY(false))
      case map.out[5].address: markRead(flags.dataReadyZ(false) | flags.overrunZ(false))
      default: break
      }
    }
    return registers[address]
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    let address = register & 0x7F
    registers.store(value, at: address)
    guard address == map.configA.address else { return }
    let control = registers[map.configA]
    if control({ $0.softReset }) == true || control({ $0.reboot }) == true {
      train.stop()
      // A reset takes 5 microseconds, and a reboot 20 ms (section 8.5).
      resetEnd = now + (control({ $0.reboot }) == true ? .milliseconds(20) : .microseconds(5))
      return
    }
    switch control({ $0.mode }) {
    case .continuous, .single: train.start(at: now, rate: (control({ $0.rate }) ?? .hz10).hertz)
    case .idle, .idleAlternate, nil: train.stop()
    }
  }

  private func markRead(_ change: Change) {
    registers.change(map.status) { _ in change }
    let status = registers[map.status]
    if status({ $0.dataReadyX }) != true, status({ $0.dataReadyY }) != true,
      status({ $0.dataReadyZ }) != true
    {
      registers.change(map.status) { $0.dataReady(false) | $0.overrun(false) }
    }
  }

  private func offset(_ axis: UInt8) -> Double {
    Double(registers.count(at: map.offset[2 * axis].address, .lowFirst))
      / LIS2MDLChip.countsPerMicrotesla
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let control = registers[map.configC]
    let stimulus = control({ $0.selfTest }) == true ? selfTestResponse : .zero
    let field =
      input.reading(at: time).magneticField + stimulus
      - Vector3(offset(0), offset(1), offset(2))
    let order: ByteOrder = control({ $0.bigEndian }) == true ? .highFirst : .lowFirst
    registers.put(field, LIS2MDLChip.countsPerMicrotesla, at: map.out.address, order)
    if registers[map.status]({ $0.dataReady }) == true {
      registers.change(map.status) {
        $0.overrun(true) | $0.overrunX(true) | $0.overrunY(true) | $0.overrunZ(true)
      }
    } else if isPinEnabled {
      interrupt.append(time)
    }
    registers.change(map.status) {
      $0.dataReady(true) | $0.dataReadyX(true) | $0.dataReadyY(true) | $0.dataReadyZ(true)
    }
    if registers[map.configA]({ $0.mode }) == .single {
      registers.change(map.configA) { $0.mode(.idle) }
      train.stop()
    }
  }
}
