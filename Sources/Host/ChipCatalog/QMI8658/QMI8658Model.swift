// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the QMI8658A and QMI8658C. Both sensors are off after a reset. The model covers
/// samples, their lock, the commands for offsets, the data-ready pulses on INT2 (pin 1 of the
/// model), the byte order, the address increment and the self-test. The FIFO, the filters and the
/// detections are not modelled.
package final class QMI8658Model: ChipModel {
  private let map = QMI8658Map()
  private var registers = RegisterFile(QMI8658Map())
  private let input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  /// The times at which the running command and the running self-test end.
  private var commandEnd: Timestamp?
  private var trialEnd: Timestamp?
  /// The time at which a requested lock of the sample takes effect.
  private var lockStart: Timestamp?
  private var accelOffset = Vector3.zero
  private var gyroOffset = Vector3.zero
  private var interrupt = EdgeQueue()
  /// The responses to the self-test in g and degrees per second. The lowest valid responses in the
  /// sheet are 0.2 and 300. A test sets other values to model a broken chip.
  package var accelResponse = Vector3(0.4, -0.45, 0.5)
  package var gyroResponse = Vector3(500, -450, 600)
  package private(set) var samplesTaken: UInt64 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    train = SampleTrain(clockError: clockError)
  }

  package func successor(of register: UInt8) -> UInt8 {
    registers[map.interface]({ $0.addressIncrement }) == true && register != map.queueData.address
      ? (register &+ 1) & 0x7F : register
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue {
    pin == 1 ? interrupt.take() : EdgeQueue()
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    pin == 1 && isPulsing && !isLocked ? train.next : nil
  }

  private var isPulsing: Bool {
    registers[map.interface]({ $0.pin2Enable }) == true
      && registers[map.sensors]({ $0.dataReadyDisable }) != true
  }

  private var isLocked: Bool { registers[map.interruptStatus]({ $0.locked }) == true }

  private var hasGyro: Bool { registers[map.sensors]({ $0.gyroEnable }) == true }

  private var hasAccel: Bool { registers[map.sensors]({ $0.accelEnable }) == true }

  package func powerCycle() { resetAll() }

  private func resetAll() {
    train.stop()
    registers.reset()
    resetEnd = nil
    commandEnd = nil
    trialEnd = nil
    lockStart = nil
    accelOffset = .zero
    gyroOffset = .zero
  }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time { resetAll() }
    if let end = commandEnd, end <= time {
      commandEnd = nil
      registers.change(map.interruptStatus) { $0.commandDone(true) }
    }
    if let end = trialEnd, end <= time {
      trialEnd = nil
      registers.change(map.interruptStatus) { $0.available(true) }
    }
    while let next = train.takeNext(until: time) {
      lock(by: next)
      take(at: next)
    }
    lock(by: time)
    now = time
  }

  /// Locks the sample once a requested lock takes effect.
  private func lock(by time: Timestamp) {
    guard let start = lockStart, start <= time else { return }
    lockStart = nil
    registers.change(map.interruptStatus) { $0.locked(true) }
  }

  package func read(_ register: UInt8) -> UInt8 {
    let register = register & 0x7F
    switch register {
    case map.interruptStatus.address:
      let status = registers[map.interruptStatus]
      if status({ $0.available }) == true, registers[map.sensors]({ $0.lockEnable }) == true,
        !isLocked, lockStart == nil
      {
        // The lock takes 12 us, or 0.1 ms with the accelerometer alone (tables 40 and 41).
        lockStart = now + .microseconds(hasGyro ? 12 : 100)
      }
      return status.raw
    case map.status.address, map.events.address:
      defer { registers[register] = 0 }
      return registers[register]
    case map.temperature.address...map.gyro[5].address:
      // The byte order of CTRL1 has no effect: drivers that write 0x60 (Waveshare's examples) and
      // 0x40 both read the low byte first from real parts.
      defer { release(at: register) }
      return registers[register]
    default: return registers[register]
    }
  }

  /// Releases the lock after the last byte of the enabled sensors.
  private func release(at register: UInt8) {
    guard register == (hasGyro ? map.gyro : map.accel)[5].address else { return }
    guard registers[map.sensors]({ $0.lockEnable }) != true || isLocked else { return }
    registers.change(map.interruptStatus) { $0.locked(false) | $0.available(false) }
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    let register = register & 0x7F
    registers.store(value, at: register)
    switch register {
    case map.reset.address where value == QMI8658Map.softReset:
      train.stop()
      registers[map.resetResult.address] = 0
      resetEnd = now + .milliseconds(15)
    case map.command.address: execute(value)
    case map.sensors.address, map.accelConfig.address, map.gyroConfig.address: switchSensors()
    default: break
    }
  }

  /// Executes a command. CmdDone stays set until the host acknowledges it.
  private func execute(_ value: UInt8) {
    guard value != QMI8658Map.Command.acknowledge.rawValue else {
      registers.change(map.interruptStatus) { $0.commandDone(false) }
      return
    }
    registers[map.resetResult.address] = 0
    func word(_ index: UInt8) -> Double {
      let low = UInt16(registers[map.parameters.address + 2 * index])
      let high = UInt16(registers[map.parameters.address + 2 * index + 1])
      return Double(Int16(bitPattern: high << 8 | low))
    }
    let words = Vector3(word(0), word(1), word(2))
    switch QMI8658Map.Command(rawValue: value) {
    // The accelerometer's offset words have 12 fractional bits, and the gyroscope's have 5 (section
    // 5.10.6).
    case .accelOffset: accelOffset = words / 4096
    case .gyroOffset: gyroOffset = words * radians(fromDegrees: 1) / 32
    default: break
    }
    commandEnd = now + .microseconds(300)
  }

  private func switchSensors() {
    train.stop()
    trialEnd = nil
    guard hasAccel || hasGyro else {
      trySelfTest()
      return
    }
    registers[map.resetResult.address] = 0
    lockStart = nil
    registers.change(map.interruptStatus) { $0.locked(false) | $0.available(false) }
    let code =
      hasGyro ? registers[map.gyroConfig]({ $0.rate }) : registers[map.accelConfig]({ $0.rate })
    // While the gyroscope is off, the rates derive from an oscillator, which gives 1000 Hz instead
    // of 896.8 Hz.
    let rate = code ?? .hz28_025
    let isSlow = rate.rawValue < QMI8658Map.Rate.low128.rawValue
    let hertz = hasGyro || !isSlow ? rate.hertz : rate.hertz * 1000 / 896.8
    train.start(first: now + .milliseconds(hasGyro ? 150 : 3), rate: hertz)
  }

  /// Starts or ends a self-test.
  private func trySelfTest() {
    let accel = registers[map.accelConfig]({ $0.selfTest }) == true
    let gyro = registers[map.gyroConfig]({ $0.selfTest }) == true
    guard accel || gyro else {
      registers.change(map.interruptStatus) { $0.available(false) }
      return
    }
    let rate = (registers[map.accelConfig]({ $0.rate }) ?? .hz896_8).hertz
    if accel {
      registers.put(accelResponse, 2048, at: map.response.address, .lowFirst)
      trialEnd = now + TimeSpan(seconds: 25 / rate)
    } else {
      registers.put(gyroResponse, 16, at: map.response.address, .lowFirst)
      trialEnd = now + .milliseconds(400)
    }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    // While a sample is locked, a new sample is dropped (section 13.2.3).
    guard !isLocked else { return }
    let reading = input.reading(at: time)
    registers.put(counts(reading.temperature, 256), at: map.temperature.address, .lowFirst)
    if hasAccel {
      let scale = 1 / (registers[map.accelConfig]({ $0.range }) ?? .g2).gPerCount
      registers.put(
        reading.specificForce + accelOffset, scale, at: map.accel.address, .lowFirst)
    }
    if hasGyro {
      let scale = 1 / (registers[map.gyroConfig]({ $0.range }) ?? .dps16).radiansPerCount
      registers.put(reading.rotationRate + gyroOffset, scale, at: map.gyro.address, .lowFirst)
    }
    for index in 0..<3 as Range<UInt8> {
      registers[map.time.address + index] = UInt8(
        truncatingIfNeeded: samplesTaken >> (8 * UInt64(index)))
    }
    let (hasAccel, hasGyro) = (hasAccel, hasGyro)
    registers.change(map.status) { $0.accelReady(hasAccel) | $0.gyroReady(hasGyro) }
    registers.change(map.interruptStatus) { $0.available(true) }
    if isPulsing { interrupt.append(time) }
  }
}
