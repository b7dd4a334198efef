// SPDX-License-Identifier: Apache-2.0
package import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the LPS25H and LPS22HB. The chip is powered down after a reset. The model covers
/// continuous and single conversions, a status with overrun flags, a data-ready pin that stays high
/// until the pressure is read, the offset register, and the LPS22HB's low-pass filter.
package final class LPS2xModel: ChipModel {
  private let part: LPS2xPart
  private let older = LPS25HMap()
  private let newer = LPS22HBMap()
  private var registers: RegisterFile
  private let surroundings: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  private var interrupt = EdgeQueue()
  private var filtered: Double?

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ surroundings: any SensorInput, part: LPS2xPart, clockError: Double = 0) {
    self.surroundings = surroundings
    self.part = part
    registers = part == .lps25h ? RegisterFile(LPS25HMap()) : RegisterFile(LPS22HBMap())
    train = SampleTrain(clockError: clockError)
  }

  private var isOlder: Bool { part == .lps25h }

  /// Returns the next address. The LPS22HB uses IF_ADD_INC and ignores bit 7 of the sub-address,
  /// which Adafruit's driver sets nevertheless.
  package func successor(of register: UInt8) -> UInt8 {
    isOlder
      ? (register &+ 1) & 0x3F
      : registers[newer.control2]({ $0.addressIncrement }) == true ? register &+ 1 : register
  }

  package private(set) var samplesTaken: UInt64 = 0

  package func powerCycle() { reset() }

  private func reset() {
    train.stop()
    registers.reset()
    filtered = nil
    resetEnd = nil
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    // The pin stays active until the pressure is read, so without a read there is no further edge.
    pin == 1 && isRouted && !isReady ? train.next : nil
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue {
    pin == 1 ? interrupt.take() : EdgeQueue()
  }

  package var isActiveLow: Bool {
    isOlder
      ? registers[older.control3]({ $0.activeLow }) == true
      : registers[newer.control3]({ $0.activeLow }) == true
  }

  private var isRouted: Bool {
    isOlder
      ? registers[older.control4]({ $0.dataReady }) == true
      : registers[newer.control3]({ $0.dataReady }) == true
  }

  private var isReady: Bool {
    isOlder
      ? registers[older.status]({ $0.pressureReady }) == true
      : registers[newer.status]({ $0.pressureReady }) == true
  }

  /// The rate in Hz; 0 if the chip only makes single conversions.
  private var hertz: Double {
    guard isOlder else {
      return switch registers[newer.control1]({ $0.rate }) {
      case .hz1: 1
      case .hz10: 10
      case .hz25: 25
      case .hz50: 50
      case .hz75: 75
      case .oneShot, nil: 0
      }
    }
    guard registers[older.control1]({ $0.isActive }) == true else { return 0 }
    return switch registers[older.control1]({ $0.rate }) {
    case .hz1: 1
    case .hz7: 7
    case .hz12_5: 12.5
    case .hz25: 25
    case .oneShot, nil: 0
    }
  }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time { reset() }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    let register = register & 0x7F
    let value = registers[register]
    switch register {
    case newer.pressure[1].address:
      mark(
        older.status.layout.pressureReady(false) | older.status.layout.pressureOverrun(false),
        newer.status.layout.pressureReady(false) | newer.status.layout.pressureOverrun(false))
    case newer.temperature[1].address:
      mark(
        older.status.layout.temperatureReady(false)
          | older.status.layout.temperatureOverrun(false),
        newer.status.layout.temperatureReady(false)
          | newer.status.layout.temperatureOverrun(false))
    case newer.filterReset.address where !isOlder: filtered = nil
    default: break
    }
    return value
  }

  private func mark(_ old: Change, _ new: Change) {
    if isOlder {
      registers.change(older.status) { _ in old }
    } else {
      registers.change(newer.status) { _ in new }
    }
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    let register = register & 0x7F
    let before = hertz
    registers.store(value, at: register)
    if register == (isOlder ? older.control2.address : newer.control2.address) {
      // In both parts bit 0x80 boots, 0x04 resets, and 0x01 starts one conversion.
      if value & 0x84 != 0 {
        train.stop()
        resetEnd = now + .milliseconds(2)
      } else if value & 0x01 != 0, before == 0 {
        take(at: now)
        registers[register] &= ~0x01
      }
    } else if hertz != before {
      if hertz > 0 { train.start(at: now, rate: hertz) } else { train.stop() }
    }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = surroundings.reading(at: time)
    var pressure = reading.pressure
    if !isOlder, let filter = registers[newer.control1]({ $0.filter }), filter != .half {
      // A first-order filter with the configured bandwidth; it starts with the first value.
      let before = filtered ?? pressure
      pressure = before + (pressure - before) * min(1, 2 * .pi * filter.relativeBandwidth)
      filtered = pressure
    }
    // The chip subtracts the offset in RPDS, which is in units of 1/16 hPa.
    let low = isOlder ? older.offset.address : newer.offset.address
    let offset = Int16(bitPattern: UInt16(registers[low + 1]) << 8 | UInt16(registers[low]))
    let exact = pressure * LPS2xChip.countsPerKilopascal - Double(offset) * 256
    let counts24 = Int32(saturating: min(max(exact, -8_388_608), 8_388_607))
    for index in 0..<3 as Range<UInt8> {
      registers[newer.pressureExtraLow.address + index] = UInt8(
        truncatingIfNeeded: counts24 >> (8 * Int32(index)))
    }
    registers.put(
      counts(reading.temperature - part.zeroCountsDegrees, part.countsPerDegree),
      at: newer.temperature.address, .lowFirst)
    let (old, new) = (older.status.layout, newer.status.layout)
    if isReady {
      mark(
        old.pressureOverrun(true) | old.temperatureOverrun(true),
        new.pressureOverrun(true) | new.temperatureOverrun(true))
    } else if isRouted {
      interrupt.append(time)
    }
    mark(
      old.pressureReady(true) | old.temperatureReady(true),
      new.pressureReady(true) | new.temperatureReady(true))
  }
}
