// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the HMC5883L. The chip makes one measurement after power-up and then idles. The model
/// covers single and continuous measurement, a pin that is briefly low at each sample, outputs that
/// are locked while they are read, a ready flag that stays set, a gain that takes effect at the
/// second measurement, and the test field of the self-test.
package final class HMC5883LModel: ChipModel {
  private let map = HMC5883LMap()
  private var registers = RegisterFile(HMC5883LMap())
  private let input: any SensorInput
  /// The sample times of the continuous measurement mode.
  private var train: SampleTrain
  /// The end time of a single measurement; `nil` if none is running.
  private var singleEnd: Timestamp?
  private var now = Timestamp.zero
  private var interrupt = EdgeQueue()
  private let pace: Double
  private var gain = HMC5883LMap.Gain.mG1300
  /// One bit for each of the six output bytes, set if the byte was read. The outputs are locked
  /// while some but not all bits are set.
  private var readOutputs: UInt8 = 0
  /// The magnetic field in microtesla that a positive bias adds (data sheet, "self test
  /// operation"). A test sets another value to model a broken chip.
  package var selfTestResponse = Vector3(116, 116, 108)
  package private(set) var samplesTaken: UInt64 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    train = SampleTrain(clockError: clockError)
    pace = 1 / (1 + clockError)
  }

  /// Returns the next address of a burst. The address wraps from the last output to the first, and
  /// from the last register to the first.
  package func successor(of register: UInt8) -> UInt8 {
    switch register {
    case map.y[1].address: map.x.address
    case map.identificationC.address...: map.configurationA.address
    default: register + 1
    }
  }

  /// The interrupt pin, DRDY, is active low.
  package var isActiveLow: Bool { true }

  package func takeEdges(of pin: UInt8) -> EdgeQueue {
    pin == 1 ? interrupt.take() : EdgeQueue()
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    pin == 1 && !isLocked ? singleEnd ?? train.next : nil
  }

  package func powerCycle() {
    registers.reset()
    train.stop()
    singleEnd = nil
    readOutputs = 0
    gain = .mG1300
  }

  package func advance(to time: Timestamp) {
    if let end = singleEnd, end <= time {
      singleEnd = nil
      registers.change(map.mode) { $0.mode(.idleToo) }
      take(at: end)
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    let value = registers[register]
    switch register {
    case map.x.address...map.y[1].address:
      readOutputs |= 1 << (register - map.x.address)
      if readOutputs & 0x3F == 0x3F { unlock() }
    case map.mode.address:
      readOutputs |= 0x40
      registers.change(map.status) { $0.lock(true) }
    default: break
    }
    if isLocked { registers.change(map.status) { $0.lock(true) } }
    return value
  }

  package func write(_ value: UInt8, to register: UInt8) {
    registers.store(value, at: register)
    guard register == map.mode.address || register == map.configurationA.address else { return }
    unlock()
    train.stop()
    singleEnd = nil
    switch registers[map.mode]({ $0.mode }) ?? .idle {
    case .continuous:
      train.start(at: now, rate: (registers[map.configurationA]({ $0.rate }) ?? .hz15).hertz)
    case .single:
      guard register == map.mode.address else { return }
      singleEnd = now + TimeSpan(seconds: 0.006 * pace)
    case .idle, .idleToo: break
    }
  }

  private var isLocked: Bool { readOutputs != 0 }

  private func unlock() {
    readOutputs = 0
    registers.change(map.status) { $0.lock(false) }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    defer { gain = registers[map.configurationB]({ $0 }) ?? .mG1300 }
    // While the outputs are locked, a new measurement is lost.
    guard !isLocked else { return }
    let field =
      switch registers[map.configurationA]({ $0.bias }) ?? .none {
      case .none: input.reading(at: time).magneticField
      case .positive: selfTestResponse
      case .negative: -selfTestResponse
      }
    put(field.x, at: map.x)
    put(field.y, at: map.y)
    put(field.z, at: map.z)
    registers.change(map.status) { $0.ready(true) }
    interrupt.append(time)
  }

  /// Stores a twelve-bit value in two output registers; -4096 if the value is outside that range.
  private func put(_ microtesla: Double, at word: RegisterRun<ReadOnly>) {
    let count = counts(microtesla, gain.countsPerMicrotesla)
    registers.put((-2048...2047).contains(count) ? count : -4096, at: word.address, .highFirst)
  }
}
