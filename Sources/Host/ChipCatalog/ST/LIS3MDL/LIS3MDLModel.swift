// SPDX-License-Identifier: Apache-2.0
package import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the LIS3MDL and the LSM9DS1's magnetometer. The chip is powered down after a reset.
/// The model covers samples, a status with overrun flags, a data-ready pin that stays high until
/// the outputs are read, single conversions, low power, the self-test and the temperature.
package final class LIS3MDLModel: ChipModel {
  private let map = LIS3MDLMap()
  private let part: LIS3MDLPart
  private var registers: RegisterFile
  private let input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  private var interrupt = EdgeQueue()
  /// The magnetic field that the self-test adds, in microtesla. The sheet allows 100 to 300 for X
  /// and Y, and 10 to 100 for Z. A test sets another value to model a broken chip.
  package var selfTestResponse = Vector3(200, -200, 50)

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(
    _ input: any SensorInput, part: LIS3MDLPart = .lis3mdl, clockError: Double = 0
  ) {
    self.input = input
    self.part = part
    registers =
      part == .lsm9ds1 ? RegisterFile(LSM9DS1MagnetometerMap()) : RegisterFile(LIS3MDLMap())
    train = SampleTrain(clockError: clockError)
  }

  /// A burst wraps from the last output to the first, and does not continue to the temperature (a
  /// trace of a real part in PX4 issue 12514; ST's driver reads the temperature separately). On I2C
  /// a burst advances without bit 7 of the sub-address too. The sheet requires the bit, but Linux,
  /// Zephyr (pull request 110285) and Adafruit's library read real parts without it. On SPI the MS
  /// bit is needed (modm issue 1176).
  package func successor(of register: UInt8) -> UInt8 {
    register == map.out[5].address ? map.out.address : (register &+ 1) & 0x3F
  }

  package private(set) var samplesTaken: UInt64 = 0

  package func powerCycle() {
    train.stop()
    registers.reset()
    resetEnd = nil
  }

  /// Predicts the next interrupt edge. Pin 1 is DRDY, which needs no routing. Pin 2 is INT, which
  /// is not modelled.
  package func nextEdge(of pin: UInt8) -> Timestamp? {
    guard pin == 1 else { return nil }
    // The data-ready pin stays high until the outputs are read, so without a read there is no
    // further edge.
    return registers[map.status]({ $0.dataReady }) == true ? nil : train.next
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue {
    pin == 1 ? interrupt.take() : EdgeQueue()
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
    let value = registers[register]
    let flags = map.status.layout
    switch register {
    case map.out[1].address: markRead(flags.dataReadyX(false) | flags.overrunX(false))
    case map.out[3].address: markRead(flags.dataReadyY(false) | flags.overrunY(false))
    case map.out[5].address: markRead(flags.dataReadyZ(false) | flags.overrunZ(false))
    default: break
    }
    return value
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    registers.store(value, at: register)
    switch register {
    case map.control2.address:
      let control = registers[map.control2]
      if control({ $0.softReset }) == true || control({ $0.reboot }) == true {
        train.stop()
        // The reset takes the 2 ms that Linux allows for a boot.
        resetEnd = now + .milliseconds(2)
      }
    case map.control1.address, map.control3.address:
      guard let mode = registers[map.control3]({ $0.mode }) else { return }
      switch mode {
      case .continuous, .single: train.start(at: now, rate: rate)
      case .powerDown, .powerDownAlternate: train.stop()
      }
    default: break
    }
  }

  private var rate: Double {
    // The low-power bit overrides the rate field (CTRL_REG3, bit 5).
    if registers[map.control3]({ $0.lowPower }) == true { return LIS3MDLMap.Rate.hz0_625.hertz }
    let control = registers[map.control1]
    if control({ $0.fastRate }) == true {
      return control({ $0.performance })?.fastHertz ?? 1000
    }
    return control({ $0.rate })?.hertz ?? 10
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

  /// The user's offset in counts, which the chip subtracts (DocID025715, sections 8.1 to 8.3;
  /// Adafruit's LIS3MDL library and SparkFun's LSM9DS1 library write their calibration into these
  /// registers).
  private var offset: Vector3 {
    let first = map.offset.address
    func word(_ axis: UInt8) -> Double {
      Double(registers.count(at: first + 2 * axis, .lowFirst))
    }
    return Vector3(word(0), word(1), word(2))
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    let scale = (registers[map.control2]({ $0.fullScale }) ?? .gauss4)
      .countsPerMicrotesla(of: part)
    let control = registers[map.control1]
    let stimulus = control({ $0.selfTest }) == true ? selfTestResponse : .zero
    let field = reading.magneticField + stimulus
    let isBigEndian = registers[map.control4]({ $0.bigEndian }) == true
    let order: ByteOrder = isBigEndian ? .highFirst : .lowFirst
    registers.put(field - offset / scale, scale, at: map.out.address, order)
    if control({ $0.temperatureEnable }) == true, part == .lis3mdl {
      registers.put(counts(reading.temperature - 25, 8), at: map.temperature.address, order)
    }
    let before = registers[map.status]
    if before({ $0.dataReady }) == true {
      registers.change(map.status) {
        $0.overrun(true) | $0.overrunX(true) | $0.overrunY(true) | $0.overrunZ(true)
      }
    } else {
      interrupt.append(time)
    }
    registers.change(map.status) {
      $0.dataReady(true) | $0.dataReadyX(true) | $0.dataReadyY(true) | $0.dataReadyZ(true)
    }
    if registers[map.control3]({ $0.mode }) == .single {
      registers.change(map.control3) { $0.mode(.powerDownAlternate) }
      train.stop()
    }
  }
}
