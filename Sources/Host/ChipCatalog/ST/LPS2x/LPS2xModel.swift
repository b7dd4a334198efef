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
  private let input: any SensorInput
  private var train: SampleTrain
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  private var interrupt = EdgeQueue()
  private var filtered: Double?
  private var outputs = LPS2xOutputs()
  /// The end time of the running single conversion; `nil` if none is running.
  private var conversionEnd: Timestamp?

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, part: LPS2xPart, clockError: Double = 0) {
    self.input = input
    self.part = part
    registers = part == .lps25h ? RegisterFile(LPS25HMap()) : RegisterFile(LPS22HBMap())
    train = SampleTrain(clockError: clockError)
  }

  private var isOlder: Bool { part == .lps25h }

  /// Returns the next address. The LPS22HB uses IF_ADD_INC and ignores bit 7 of the sub-address,
  /// which Adafruit's driver sets nevertheless.
  package func successor(of register: UInt8) -> UInt8 {
    if isQueued, register & 0x3F == LPS2xOutputs.last { return LPS2xOutputs.first }
    return isOlder
      ? (register &+ 1) & 0x3F
      : registers[newer.control2]({ $0.addressIncrement }) == true ? register &+ 1 : register
  }

  /// The LPS25H advances the address only with bit 7 of the sub-address; the LPS22HB does not need
  /// that bit. (DocID023722, section 5.1.1: "in order to read multiple bytes, it is necessary to
  /// assert the most significant bit of the sub-address"; a driver without that bit reads the first
  /// register again and again, STMems_Standard_C_drivers issue 127.)
  package var needsIncrementBit: Bool { isOlder }

  /// True if the FIFO is enabled in a mode other than bypass.
  private var isQueued: Bool {
    isOlder
      ? registers[older.control2]({ $0.queueEnable }) == true
        && registers[older.queueControl]({ $0.mode }) != 0
      : registers[newer.control2]({ $0.queueEnable }) == true
        && registers[newer.queueControl]({ $0.mode }) != 0
  }

  /// True in the mode in which the FIFO stops when it is full.
  private var stopsWhenFull: Bool {
    (isOlder
      ? registers[older.queueControl]({ $0.mode }) : registers[newer.queueControl]({ $0.mode }))
      == 1
  }

  private var updatesInBlocks: Bool {
    isOlder
      ? registers[older.control1]({ $0.blockUpdate }) == true
      : registers[newer.control1]({ $0.blockUpdate }) == true
  }

  /// The watermark and the level of the FIFO, as FIFO_STATUS shows them.
  private var queueStatus: UInt8 {
    let level = outputs.level
    let watermark = Int(
      (isOlder
        ? registers[older.queueControl]({ $0.watermark })
        : registers[newer.queueControl]({ $0.watermark })) ?? 0)
    let isReached: UInt8 = watermark > 0 && level >= watermark ? 0x80 : 0
    guard isOlder else { return isReached | (outputs.hasOverrun ? 0x40 : 0) | UInt8(level) }
    let isFull: UInt8 = level == LPS2xOutputs.capacity ? 0x40 : 0
    return isReached | isFull | (level == 0 ? 0x20 : 0) | UInt8(min(level, 31))
  }

  package private(set) var samplesTaken: UInt64 = 0

  package func powerCycle() { reset() }

  private func reset() {
    train.stop()
    registers.reset()
    filtered = nil
    resetEnd = nil
    conversionEnd = nil
    outputs = LPS2xOutputs()
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    // The data-ready pin stays active until the pressure is read, so without a read there is no
    // further edge.
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

  /// The output rate in Hz; 0 if the chip only makes single conversions.
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
    if let end = conversionEnd, end <= time {
      conversionEnd = nil
      take(at: end)
      let control = isOlder ? older.control2.address : newer.control2.address
      registers[control] &= ~0x01
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    let register = register & 0x7F
    if register == (isOlder ? older.queueStatus.address : newer.queueStatus.address), isQueued {
      return queueStatus
    }
    guard (LPS2xOutputs.first...LPS2xOutputs.last).contains(register) else {
      if register == newer.filterReset.address, !isOlder { filtered = nil }
      return registers[register]
    }
    let value = outputs.read(
      register, isQueued: isQueued, isHolding: updatesInBlocks, of: &registers)
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
    if !isQueued { outputs.removeAll() }
    if register == (isOlder ? older.control2.address : newer.control2.address) {
      // In both parts bit 0x80 boots, 0x04 resets, and 0x01 starts one conversion.
      if value & 0x84 != 0 {
        train.stop()
        resetEnd = now + .milliseconds(2)
      } else if value & 0x01 != 0, before == 0 {
        conversionEnd = now + conversion
      }
    } else if hertz != before {
      if hertz > 0 { train.start(at: now, rate: hertz) } else { train.stop() }
    }
  }

  /// The duration of a single conversion. For the LPS25H it follows from the numbers of averages in
  /// RES_CONF (AN4450, section 6.2; NuttX's driver has the same formula). For the LPS22HB no sheet
  /// gives the duration, so the model uses the period of the fastest rate.
  private var conversion: TimeSpan {
    guard isOlder else { return TimeSpan(seconds: 1.0 / 75) }
    let resolution = registers[older.resolution]
    let temperature = (8 as Int64) << Int64(resolution({ $0.temperatureAverage }) ?? 0)
    let pressure = (8 as Int64) << (2 * Int64(resolution({ $0.pressureAverage }) ?? 0))
    return .microseconds(62 * (pressure + temperature) + 975)
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    var pressure = reading.pressure
    if !isOlder, let filter = registers[newer.control1]({ $0.filter }), filter != .half {
      // A first-order filter with the configured bandwidth; the filter starts with the first
      // measured value.
      let before = filtered ?? pressure
      pressure = before + (pressure - before) * min(1, 2 * .pi * filter.relativeBandwidth)
      filtered = pressure
    }
    // The chip subtracts the offset in RPDS, which is in units of 1/16 hPa.
    let low = isOlder ? older.offset.address : newer.offset.address
    let offset = registers.count(at: low, .lowFirst)
    let exact = pressure * LPS2xChip.countsPerKilopascal - Double(offset) * 256
    let counts24 = Int32(saturating: min(max(exact, -8_388_608), 8_388_607))
    let degrees = counts(reading.temperature - part.zeroCountsDegrees, part.countsPerDegree)
    let frame: LPS2xOutputs.Frame = [
      UInt8(truncatingIfNeeded: counts24), UInt8(truncatingIfNeeded: counts24 >> 8),
      UInt8(truncatingIfNeeded: counts24 >> 16), UInt8(truncatingIfNeeded: degrees),
      UInt8(truncatingIfNeeded: degrees >> 8),
    ]
    outputs.take(frame, isQueued: isQueued, stopsWhenFull: stopsWhenFull, in: &registers)
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
