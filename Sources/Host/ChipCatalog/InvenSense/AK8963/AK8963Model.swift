// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the AK8963 and AK09916. The chip is powered down after a reset. The model covers
/// continuous and single measurement, data that is held from the read of its first word until the
/// read of ST2, overrun, overflow, the self-test and the factory adjustments.
package final class AK8963Model: ChipModel {
  private let part: AK8963Part
  private let first = AK8963Map()
  private let second = AK09916Map()
  private var registers: RegisterFile
  var input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  /// True while the data registers are held, from the read of the first data byte to the read of
  /// ST2. Measurements in between are lost.
  private var isBeingRead = false
  /// The field of the self-test's coil, in microtesla. The sheets allow -30 to 30 for x and y; for
  /// z the sheets allow -480 to -120 (AK8963) or -150 to -30 (AK09916). A test sets another value
  /// to model a broken chip.
  package var selfTestField = Vector3(4, -3, -140)
  /// Factory adjustments that are typical of real parts.
  static let adjustments: [UInt8] = [176, 178, 166]

  package private(set) var samplesTaken: UInt64 = 0

  /// Creates the part with this identity (0x48 AK8963, 0x09 AK09916), whose oscillator has the
  /// relative error `clockError`.
  package init(_ input: any SensorInput, identity: UInt8, clockError: Double = 0) {
    part = AK8963Part(identity: identity) ?? .ak8963
    registers = part == .ak8963 ? RegisterFile(AK8963Map()) : RegisterFile(AK09916Map())
    self.input = input
    train = SampleTrain(clockError: clockError)
  }

  package func successor(of register: UInt8) -> UInt8 {
    switch (part, register) {
    case (.ak8963, 0x0C): 0x00
    case (.ak8963, 0x12): 0x10
    case (.ak09916, 0x18): 0x00
    case (.ak09916, 0x32): 0x30
    default: register &+ 1
    }
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? { nil }
  package func takeEdges(of pin: UInt8) -> EdgeQueue { EdgeQueue() }

  package func powerCycle() { reset() }

  private func reset() {
    train.stop()
    registers.reset()
    resetEnd = nil
    isBeingRead = false
  }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time { reset() }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  private var status: UInt8 { part == .ak8963 ? first.status1.address : second.status1.address }
  private var data: UInt8 { status + 1 }
  private var status2: UInt8 { part == .ak8963 ? first.status2.address : second.status2.address }

  package func read(_ register: UInt8) -> UInt8 {
    let value = registers[register]
    switch register {
    case status2:
      isBeingRead = false
      registers[status] = 0
    case data..<status2:
      isBeingRead = true
      registers[status] = 0
    case first.adjustX.address...first.adjustZ.address where part == .ak8963:
      return mode == .fuseROM ? Self.adjustments[Int(register - first.adjustX.address)] : 0
    default: break
    }
    return value
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    registers.store(value, at: register)
    switch (part, register) {
    case (.ak8963, first.control2.address), (.ak09916, second.control3.address):
      if value & 1 != 0 {
        train.stop()
        resetEnd = now + .microseconds(300)
      }
    case (.ak8963, first.control1.address), (.ak09916, second.control2.address): begin()
    default: break
    }
  }

  private var mode: AK8963Map.Mode? {
    part == .ak8963 ? registers[first.control1]({ $0.mode }) : nil
  }

  private var laterMode: AK09916Map.Mode? {
    part == .ak09916 ? registers[second.control2]({ $0 }) : nil
  }

  /// Starts sampling at the mode's rate. A measurement takes 7.2 ms.
  private func begin() {
    switch (mode, laterMode) {
    case (.hz8, _): train.start(at: now, rate: 8)
    case (_, .hz10): train.start(at: now, rate: 10)
    case (_, .hz20): train.start(at: now, rate: 20)
    case (_, .hz50): train.start(at: now, rate: 50)
    case (.hz100, _), (_, .hz100): train.start(at: now, rate: 100)
    case _ where isSingle: train.start(at: now, rate: 1 / 0.0072)
    default: train.stop()
    }
  }

  private var isSelfTest: Bool {
    part == .ak8963
      ? mode == .selfTest && registers[first.selfTestControl]({ $0 }) == true
      : laterMode == .selfTest
  }

  private var isSingle: Bool {
    mode == .single || mode == .selfTest || laterMode == .single || laterMode == .selfTest
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let field = isSelfTest ? selfTestField : input.reading(at: time).magneticField
    let isWide = part == .ak09916 || registers[first.control1]({ $0.isWide }) == true
    if isSingle {
      train.stop()
      registers[part == .ak8963 ? first.control1.address : second.control2.address] &=
        part == .ak8963 ? 0x10 : 0
    }
    if isBeingRead {
      registers[status] |= 0b10
      return
    }
    registers[status] = registers[status] & 1 != 0 ? 0b11 : 0b01
    store(field.x, 0, isWide)
    store(field.y, 1, isWide)
    store(field.z, 2, isWide)
    let isOver = abs(field.x) + abs(field.y) + abs(field.z) >= 4912
    registers[status2] = (isOver ? 0b1000 : 0) | (part == .ak8963 && isWide ? 0b1_0000 : 0)
  }

  private func store(_ field: Double, _ axis: UInt8, _ isWide: Bool) {
    let adjustment = part == .ak8963 ? Double(Self.adjustments[Int(axis)]) : 128
    let limit: Int16 = !isWide ? 8190 : part == .ak8963 ? 32760 : 32752
    let count = counts(field, 256 / (adjustment + 128) / (isWide ? 0.15 : 0.6))
    registers.put(min(max(count, -limit), limit), at: data + 2 * axis, .lowFirst)
  }
}
