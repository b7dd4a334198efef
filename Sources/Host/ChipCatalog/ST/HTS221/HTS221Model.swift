// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the HTS221. The chip is powered down after a reset. The model covers the calibration
/// points, continuous and single conversions, a status without overrun flags, and a data-ready pin
/// that stays high until both outputs are read.
package final class HTS221Model: ChipModel {
  private let map = HTS221Map()
  private var registers = RegisterFile(HTS221Map())
  private let input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var bootEnd: Timestamp?
  private var interrupt = EdgeQueue()

  /// Registers 0x30 to 0x3F: 32 percent at 5 counts and 73 percent at -11033, as in a real part; 20
  /// degrees at 300 counts and 45 degrees at 1925.
  private static let points: [UInt8] = [
    0x40, 0x92, 0xA0, 0x68, 0x00, 0x04, 0x05, 0x00, 0x00, 0x00, 0xE7, 0xD4, 0x2C, 0x01, 0x85, 0x07,
  ]
  /// The time from activation to the first sample. The sheet gives no time; Linux reads the sample
  /// after 50 ms.
  private static let activation = TimeSpan.milliseconds(25)
  private static let humidity = (felt: 32.0, count: 5.0, countsPerPercent: -11038.0 / 41)
  private static let temperature = (felt: 20.0, count: 300.0, countsPerDegree: 65.0)

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    train = SampleTrain(clockError: clockError)
    showPoints()
  }

  private func showPoints() {
    for index in 0..<16 { registers[0x30 + UInt8(index)] = Self.points[index] }
  }

  package func successor(of register: UInt8) -> UInt8 { (register &+ 1) & 0x3F }

  /// The chip needs the increment bit (DocID026333, section 5.1.1). A driver that leaves it out
  /// reads the first register again and again (STMems_Standard_C_drivers issue 127).
  package var needsIncrementBit: Bool { true }

  package private(set) var samplesTaken: UInt64 = 0

  package func powerCycle() {
    train.stop()
    registers.reset()
    showPoints()
    bootEnd = nil
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    // The data-ready pin stays active until both outputs are read, so without a read there is no
    // further edge.
    pin == 1 && isRouted && registers[map.status].raw == 0 ? train.next : nil
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue {
    pin == 1 ? interrupt.take() : EdgeQueue()
  }

  package var isActiveLow: Bool { registers[map.control3]({ $0.activeLow }) == true }

  private var isRouted: Bool { registers[map.control3]({ $0.dataReady }) == true }

  private var hertz: Double {
    let control = registers[map.control1]
    return control({ $0.isActive }) == true ? control({ $0.rate })?.hertz ?? 0 : 0
  }

  package func advance(to time: Timestamp) {
    if let end = bootEnd, end <= time {
      bootEnd = nil
      registers.change(map.control2) { $0.reboot(false) }
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    let value = registers[register]
    if register == map.humidity[1].address {
      registers.change(map.status) { $0.humidityReady(false) }
    } else if register == map.temperature[1].address {
      registers.change(map.status) { $0.temperatureReady(false) }
    }
    return value
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard bootEnd == nil else { return }
    let before = hertz
    registers.store(value, at: register)
    if register == map.control2.address {
      let control = registers[map.control2]
      if control({ $0.reboot }) == true { bootEnd = now + .milliseconds(2) }
      if control({ $0.oneShot }) == true {
        registers.change(map.control2) { $0.oneShot(false) }
        if registers[map.control1]({ $0.isActive }) == true, before == 0 { take(at: now) }
      }
    } else if hertz != before {
      if hertz > 0 {
        train.start(first: now + Self.activation, rate: hertz)
      } else {
        train.stop()
      }
    }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    let (humidity, temperature) = (Self.humidity, Self.temperature)
    registers.put(
      counts(
        humidity.count + (reading.humidity - humidity.felt) * humidity.countsPerPercent, 1),
      at: map.humidity.address, .lowFirst)
    registers.put(
      counts(
        temperature.count + (reading.temperature - temperature.felt)
          * temperature.countsPerDegree,
        1),
      at: map.temperature.address, .lowFirst)
    if isRouted, registers[map.status].raw == 0 { interrupt.append(time) }
    registers.change(map.status) { $0.humidityReady(true) | $0.temperatureReady(true) }
  }
}
