// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the BMP581. The chip is in standby after a reset. The model covers normal, forced and
/// continuous mode with their timing, the check of rate and oversampling, the recursive filter with
/// its choice of signal paths, the FIFO with watermark and subsampling, and a pulsed pin. Deep
/// standby, the user's memory and the detection of pressures outside a window are not modelled.
package final class BMP581Model: ChipModel {
  private let map = BMP581Map()
  private var registers = RegisterFile(BMP581Map())
  private let input: any SensorInput
  private let clockError: Double
  private var train: SampleTrain
  private var period = TimeSpan.zero
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  /// The end time of the running forced measurement; `nil` if none is running.
  private var conversionEnd: Timestamp?
  /// The state of the filter in counts. Without a flush the filter starts at 0, as ESPHome's
  /// component says.
  private var filtered: (temperature: Double, pressure: Double) = (0, 0)
  private var queue = BMP581Queue()
  /// The number of samples since the last sample that was kept in the FIFO.
  private var skipped = 0
  /// True once chip select has risen, which selects SPI. Before that the chip does not respond.
  private var isSelected = false
  private var interrupt = EdgeQueue()
  package private(set) var samplesTaken: UInt64 = 0

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, clockError: Double = 0) {
    self.input = input
    self.clockError = clockError
    train = SampleTrain(clockError: clockError)
  }

  package func successor(of register: UInt8) -> UInt8 {
    register == map.queueData.address ? register : register &+ 1
  }

  package var listensToSPI: Bool { isSelected }

  package func deselect() { isSelected = true }

  package func powerCycle() { reset() }

  private func reset() {
    registers.reset()
    train.stop()
    resetEnd = nil
    conversionEnd = nil
    filtered = (0, 0)
    isSelected = false
    emptyQueue()
  }

  private func emptyQueue() {
    queue.removeAll()
    skipped = 0
  }

  package func overrunQueue() {
    guard isQueued, queue.count > 0 else { return }
    queue.overrun()
  }

  private var isQueued: Bool { queue.size > 0 }

  /// The FIFO's subsampling factor N: the FIFO keeps one sample in N.
  private var step: Int { 1 << Int(registers[map.queueSelection]({ $0.subsampling }) ?? 0) }

  /// The watermark in frames. If frames contain both quantities, the watermark has only four bits
  /// (section 4.6.1).
  private var watermark: Int {
    let frames = Int(registers[map.queueConfig]({ $0.watermark }) ?? 0)
    return queue.capacity == 16 ? frames & 0x0F : frames
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    let source = registers[map.interruptSource]
    guard pin == 1, registers[map.interruptConfig]({ $0.enable }) == true,
      let next = train.next ?? conversionEnd
    else { return nil }
    if source({ $0.dataReady }) == true { return next }
    let missing = watermark - queue.count
    guard source({ $0.watermark }) == true, isQueued, missing > 0 else { return nil }
    return next + period * Int64(missing * step - skipped - 1)
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue {
    pin == 1 ? interrupt.take() : EdgeQueue()
  }

  package var isActiveLow: Bool { registers[map.interruptConfig]({ $0.activeHigh }) != true }

  package func advance(to time: Timestamp) {
    if let end = resetEnd, end <= time { reset() }
    if let end = conversionEnd, end <= time {
      conversionEnd = nil
      registers.change(map.rate) { $0.mode(.standby) }
      take(at: end, isForced: true)
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    // A read of another register ends a burst from the FIFO. The FIFO then sends an incompletely
    // read frame again.
    if register != map.queueData.address { queue.rewind() }
    switch register {
    case map.interruptStatus.address:
      defer { registers[register] = 0 }
      return registers[register]
    case map.queueCount.address: return UInt8(queue.count)
    case map.queueData.address: return queue.takeByte()
    default: return registers[register]
    }
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    switch register {
    case map.command.address where value == BMP581Map.softReset:
      train.stop()
      registers[map.interruptStatus.address] = 0
      resetEnd = now + .milliseconds(2)
    case map.signalPath.address, map.filter.address:
      // These registers can be written only in standby (Bosch's API).
      guard registers[map.rate]({ $0.mode }) == .standby else { return }
      registers.store(value, at: register)
    case map.queueSelection.address:
      registers.store(value, at: register)
      queue.size = Int((value & 1) + (value >> 1 & 1)) * 3
      emptyQueue()
    case map.rate.address, map.oversampling.address:
      guard registers[register] != value else { return }
      registers.store(value, at: register)
      // A change of the power mode empties the FIFO (SparkFun's library).
      emptyQueue()
      switchMode()
    default: registers.store(value, at: register)
    }
  }

  private func switchMode() {
    train.stop()
    conversionEnd = nil
    let rate = registers[map.rate]({ $0.rate }) ?? .hz1
    let hasPressure = registers[map.oversampling]({ $0.pressureEnable }) == true
    var temperature = registers[map.oversampling]({ $0.temperature }) ?? .x1
    var pressure = registers[map.oversampling]({ $0.pressure }) ?? .x1
    func conversion() -> TimeSpan {
      .microseconds(
        Int64(temperature.temperatureTime + (hasPressure ? pressure.pressureTime : 0)))
    }
    // If the rate leaves too little time for the measurement, the chip averages fewer values
    // (section 4.3.4). The effective oversampling is updated in standby too, because some drivers
    // read it before they start the chip (a Rust driver for SPI).
    let isValid = !hasPressure || conversion().seconds <= 1 / rate.hertz
    let mode = registers[map.rate]({ $0.mode }) ?? .standby
    if !isValid, mode == .standby || mode == .normal {
      (temperature, pressure) = rate.hertz >= 160 ? (.x1, .x1) : (.x2, .x2)
    }
    registers[map.effective.address] =
      (isValid ? 0x80 : 0) | pressure.rawValue << 3 | temperature.rawValue
    switch mode {
    case .standby: break
    case .forced: conversionEnd = now + conversion()
    case .normal:
      period = TimeSpan(seconds: 1 / rate.hertz / (1 + clockError))
      train.start(at: now, rate: rate.hertz)
    case .continuous:
      period = TimeSpan(seconds: conversion().seconds / (1 + clockError))
      train.start(at: now, rate: 1 / conversion().seconds)
    }
  }

  private func take(at time: Timestamp, isForced: Bool = false) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    let temperature = (reading.temperature * BMP581Chip.countsPerDegree).rounded()
    let pressure = (reading.pressure * BMP581Chip.countsPerKilopascal).rounded()
    let paths = registers[map.signalPath]
    let filters = registers[map.filter]
    func filter(
      _ state: Double, _ value: Double, _ filter: BMP388Map.Filter?
    ) -> Double {
      if isForced, paths({ $0.flushWhenForced }) == true { return value }
      return state + (value - state) / Double((filter ?? .off).coefficient + 1)
    }
    filtered = (
      filter(filtered.temperature, temperature, filters({ $0.temperature })),
      filter(filtered.pressure, pressure, filters({ $0.pressure }))
    )
    let hasPressure = registers[map.oversampling]({ $0.pressureEnable }) == true
    func words(filtersTemperature: Bool, filtersPressure: Bool) -> (UInt32, UInt32) {
      let pressureWord = Self.bits(filtersPressure ? filtered.pressure : pressure, 0...0xFF_FFFF)
      return (
        Self.bits(filtersTemperature ? filtered.temperature : temperature, -0x80_0000...0x7F_FFFF),
        hasPressure ? pressureWord : BMP581Queue.none
      )
    }
    let outputs = words(
      filtersTemperature: paths({ $0.outputTemperature }) == true,
      filtersPressure: paths({ $0.outputPressure }) == true)
    for index in 0..<3 as Range<UInt8> {
      let shift = 8 * UInt32(index)
      registers[map.temperatureLowest.address + index] = UInt8(
        truncatingIfNeeded: outputs.0 >> shift)
      registers[map.pressureLowest.address + index] = UInt8(truncatingIfNeeded: outputs.1 >> shift)
    }
    note(map.interruptStatus.layout.dataReady(true), at: time)
    guard isQueued else { return }
    skipped += 1
    guard skipped >= step else { return }
    skipped = 0
    let (temperatureWord, pressureWord) = words(
      filtersTemperature: paths({ $0.queueTemperature }) == true,
      filtersPressure: paths({ $0.queuePressure }) == true)
    let selection = registers[map.queueSelection]
    let isBelow = queue.count < watermark
    queue.append(
      selection({ $0.temperature }) == true ? temperatureWord : nil,
      selection({ $0.pressure }) == true ? pressureWord : nil,
      stopsWhenFull: registers[map.queueConfig]({ $0.stopsWhenFull }) == true)
    if queue.count == queue.capacity {
      note(map.interruptStatus.layout.queueFull(true), at: time)
    }
    if isBelow, queue.count >= watermark {
      note(map.interruptStatus.layout.watermark(true), at: time)
    }
  }

  /// Sets a flag of INT_STATUS and pulses the pin, if INT_SOURCE enables the event. Each event has
  /// the same bit in both registers.
  private func note(_ flag: Change, at time: Timestamp) {
    guard registers[map.interruptSource].raw & flag.mask != 0 else { return }
    registers[map.interruptStatus.address] |= flag.bits
    if registers[map.interruptConfig]({ $0.enable }) == true { interrupt.append(time) }
  }

  private static func bits(_ value: Double, _ range: ClosedRange<Double>) -> UInt32 {
    let clamped = min(max(value.isNaN ? 0 : value, range.lowerBound), range.upperBound)
    return UInt32(bitPattern: Int32(saturating: clamped.rounded())) & 0xFF_FFFF
  }
}
