// SPDX-License-Identifier: Apache-2.0
internal import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the BMP388 and BMP390. The chip sleeps after a reset. The model covers trim words,
/// normal and forced mode with their timing, an error for rates that are too fast for a conversion,
/// the recursive filter, the FIFO with headers, length and watermark, and a pulsed pin.
///
/// Codes have full resolution at every oversampling; a real part has 16 bits without oversampling
/// and one bit more at each step of oversampling.
package final class BMP388Model: ChipModel {
  /// The modelled part, by its identity.
  package enum Part: UInt8, Sendable {
    case bmp388 = 0x50
    case bmp390 = 0x60
  }

  private let map = BMP388Map()
  private var registers: RegisterFile
  private let input: any SensorInput
  private let trim: BMP388Trim
  private let clockError: Double
  private var train: SampleTrain
  private var period = TimeSpan.zero
  private var now = Timestamp.zero
  private var resetEnd: Timestamp?
  /// The end time of the running forced conversion; `nil` if none is running.
  private var conversionEnd: Timestamp?
  private var filtered: (pressure: Double, temperature: Double)?
  private var queue = BMP388Queue()
  /// The number of samples since the last sample that the FIFO kept. The FIFO keeps one sample in
  /// 2^`subsampling`.
  private var skipped = 0
  private var interrupt = EdgeQueue()

  /// The trim words of a real BMP388, from the tests of elixir-sensors/bmp3xx.
  private static let trimWords: [UInt8] = [
    0x23, 0x6B, 0x58, 0x49, 0xF6, 0x5C, 0xFF, 0xCE, 0xF4, 0x23, 0x00, 0xEA, 0x63, 0x6E, 0x79, 0xF3,
    0xF6, 0xAA, 0x43, 0x12, 0xC4,
  ]

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, part: Part, clockError: Double = 0) {
    self.input = input
    self.clockError = clockError
    registers = part == .bmp388 ? RegisterFile(BMP388Map()) : RegisterFile(BMP390Map())
    train = SampleTrain(clockError: clockError)
    trim = BMP388Trim { Self.trimWords[$0] }
    reset()
  }

  package func successor(of register: UInt8) -> UInt8 {
    register == map.queueData.address ? register : register &+ 1
  }

  package private(set) var samplesTaken: UInt64 = 0

  package func powerCycle() {
    reset()
    resetEnd = nil
  }

  private func reset() {
    registers.reset()
    for (index, word) in Self.trimWords.enumerated() {
      registers[map.trimT1.address + UInt8(index)] = word
    }
    train.stop()
    conversionEnd = nil
    filtered = nil
    emptyQueue()
  }

  private func emptyQueue() {
    queue.removeAll()
    skipped = 0
  }

  package func overrunQueue() {
    guard isQueued else { return }
    queue.overrun()
  }

  private var isQueued: Bool { registers[map.queueConfig1]({ $0.enable }) == true }

  /// The FIFO's subsampling factor N: the FIFO keeps one sample in N.
  private var step: Int { 1 << Int(registers[map.queueConfig2]({ $0.subsampling }) ?? 0) }

  /// The sensor time: a 24-bit counter that runs at 25.6 kHz since power-up.
  private var time: UInt32 {
    UInt32(truncatingIfNeeded: UInt64(saturating: (now.seconds * 25_600).rounded(.down)))
      & 0xFF_FFFF
  }

  private var watermark: Int {
    Int(registers[map.watermarkHigh].raw) << 8 | Int(registers[map.watermarkLow].raw)
  }

  package func nextEdge(of pin: UInt8) -> Timestamp? {
    guard pin == 1, let next = train.next else { return nil }
    let control = registers[map.interruptControl]
    if control({ $0.dataReady }) == true { return next }
    let size = frame(nil)?.size ?? 0
    let missing = watermark - queue.length
    guard control({ $0.watermark }) == true, missing > 0, size > 0, isQueued else { return nil }
    let samples = (missing + size - 1) / size * step - skipped
    return next + period * Int64(samples - 1)
  }

  package func takeEdges(of pin: UInt8) -> EdgeQueue {
    pin == 1 ? interrupt.take() : EdgeQueue()
  }

  package var isActiveLow: Bool { registers[map.interruptControl]({ $0.activeHigh }) != true }

  package func advance(to time: Timestamp) {
    queue.beginBurst()
    if let end = resetEnd, end <= time {
      resetEnd = nil
      reset()
    }
    if let end = conversionEnd, end <= time {
      conversionEnd = nil
      take(at: end)
      registers.change(map.powerControl) { $0.mode(.sleep) }
    }
    while let next = train.takeNext(until: time) { take(at: next) }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    let value = registers[register]
    switch register {
    case map.pressureLowest.address...map.pressureHigh.address:
      registers.change(map.status) { $0.pressureReady(false) }
    case map.temperatureLowest.address...map.temperatureHigh.address:
      registers.change(map.status) { $0.temperatureReady(false) }
    case map.error.address, map.event.address, map.interruptStatus.address:
      registers[register] = 0
    case map.queueLengthLow.address: return UInt8(truncatingIfNeeded: queue.length)
    case map.queueLengthHigh.address: return UInt8(truncatingIfNeeded: queue.length >> 8)
    case map.queueData.address:
      return queue.takeByte(
        time: isQueued && registers[map.queueConfig1]({ $0.time }) == true ? time : nil)
    case map.timeLowest.address...map.timeLowest.address + 2:
      return UInt8(truncatingIfNeeded: time >> (8 * UInt32(register - map.timeLowest.address)))
    default: break
    }
    return value
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard resetEnd == nil else { return }
    switch register {
    case map.command.address: execute(value)
    case map.queueConfig1.address, map.queueConfig2.address:
      registers.store(value, at: register)
      skipped = 0
    case map.powerControl.address, map.rate.address, map.oversampling.address:
      guard registers[register] != value else { return }
      registers.store(value, at: register)
      noteChange()
      switchMode()
    case map.config.address:
      registers.store(value, at: register)
      filtered = nil
      noteChange()
    default: registers.store(value, at: register)
    }
  }

  /// Executes a command. An unknown command sets the bit `command` of ERR_REG (section 4.3.2;
  /// Bosch's driver checks that bit after a reset).
  private func execute(_ command: UInt8) {
    switch command {
    case BMP388Map.flushQueue: emptyQueue()
    case BMP388Map.softReset:
      train.stop()
      registers.change(map.status) { $0.commandReady(false) }
      resetEnd = now + .milliseconds(1)
    // No operation.
    case 0: break
    default: registers.change(map.error) { $0.command(true) }
    }
  }

  /// Adds a control frame to the FIFO that marks a change of the configuration between two samples.
  private func noteChange() {
    if train.next != nil { append(control: BMP388Queue.Header.configurationChange) }
  }

  /// Appends to the FIFO a control frame, which has one byte after its header.
  private func append(control header: UInt8) {
    guard isQueued else { return }
    var frame = BMP388Queue.Frame(header)
    frame.append(UInt8(0x01))
    queue.append(frame, stopsWhenFull: stopsWhenFull)
  }

  private var stopsWhenFull: Bool { registers[map.queueConfig1]({ $0.stopsWhenFull }) == true }

  private func switchMode() {
    train.stop()
    conversionEnd = nil
    guard let rate = registers[map.rate]({ $0 }),
      let temperature = registers[map.oversampling]({ $0.temperature }),
      let pressure = registers[map.oversampling]({ $0.pressure })
    else { return }
    let conversion = TimeSpan.microseconds(Int64(BMP388Chip.conversion(temperature, pressure)))
    switch registers[map.powerControl]({ $0.mode }) ?? .sleep {
    case .sleep: break
    case .forced, .forcedCode2: conversionEnd = now + conversion
    case .normal:
      period = TimeSpan(seconds: 1 / rate.hertz / (1 + clockError))
      if conversion.seconds < 1 / rate.hertz {
        train.start(at: now, rate: rate.hertz)
      } else {
        registers.change(map.error) { $0.configuration(true) }
        append(control: BMP388Queue.Header.error)
      }
    }
  }

  private func take(at time: Timestamp) {
    samplesTaken += 1
    let reading = input.reading(at: time)
    let temperature = nearest(reading.temperature) { self.trim.celsius($0) }
    let celsius = trim.celsius(temperature)
    // The converter's raw value for pressure decreases as the pressure rises.
    let pressure = nearest(-reading.pressure * 1000) { -self.trim.pascal($0, at: celsius) }
    let share = 1 / Double((registers[map.config]({ $0 }) ?? .off).coefficient + 1)
    let before = filtered ?? (pressure, temperature)
    filtered = (
      before.pressure + (pressure - before.pressure) * share,
      before.temperature + (temperature - before.temperature) * share
    )
    store(filtered?.pressure ?? pressure, at: map.pressureLowest.address)
    store(filtered?.temperature ?? temperature, at: map.temperatureLowest.address)
    registers.change(map.status) { $0.pressureReady(true) | $0.temperatureReady(true) }
    registers.change(map.interruptStatus) { $0.dataReady(true) }
    let control = registers[map.interruptControl]
    if control({ $0.dataReady }) == true { interrupt.append(time) }
    guard isQueued else { return }
    skipped += 1
    guard skipped >= step else { return }
    skipped = 0
    let isUnfiltered = registers[map.queueConfig2]({ $0.source }) == .unfiltered
    guard let frame = frame(isUnfiltered ? (pressure, temperature) : filtered) else { return }
    let isBelow = queue.length < watermark
    queue.append(frame, stopsWhenFull: stopsWhenFull)
    if queue.length > BMP388Queue.capacity - frame.size {
      registers.change(map.interruptStatus) { $0.queueFull(true) }
    }
    guard isBelow, queue.length >= watermark else { return }
    registers.change(map.interruptStatus) { $0.watermark(true) }
    if control({ $0.watermark }) == true { interrupt.append(time) }
  }

  /// Returns a frame of the quantities that FIFO_CONFIG_1 selects; `nil` if that register selects
  /// no quantity.
  private func frame(_ codes: (pressure: Double, temperature: Double)?) -> BMP388Queue.Frame? {
    let hasTemperature = registers[map.queueConfig1]({ $0.temperature }) == true
    let hasPressure = registers[map.queueConfig1]({ $0.pressure }) == true
    var frame: BMP388Queue.Frame
    switch (hasTemperature, hasPressure) {
    case (true, true): frame = BMP388Queue.Frame(BMP388Queue.Header.pressureAndTemperature)
    case (true, false): frame = BMP388Queue.Frame(BMP388Queue.Header.temperature)
    case (false, true): frame = BMP388Queue.Frame(BMP388Queue.Header.pressure)
    case (false, false): return nil
    }
    if hasTemperature { frame.append(Self.bits(codes?.temperature ?? 0)) }
    if hasPressure { frame.append(Self.bits(codes?.pressure ?? 0)) }
    return frame
  }

  private static func bits(_ code: Double) -> UInt32 {
    UInt32(saturating: min(max(code, 0), 0xFFFFFF))
  }

  /// Returns the 24-bit code at which the increasing function `value` is nearest to `target`,
  /// clamped to the range.
  private func nearest(_ target: Double, _ value: (Double) -> Double) -> Double {
    var low = 0
    var high = 0xFFFFFF
    // The bisection finds the first code whose value is not below the target.
    while low < high {
      let middle = (low + high) / 2
      if value(Double(middle)) < target { low = middle + 1 } else { high = middle }
    }
    let (below, above) = (Double(max(low - 1, 0)), Double(low))
    return abs(value(below) - target) <= abs(value(above) - target) ? below : above
  }

  private func store(_ code: Double, at lowest: UInt8) {
    let code = Self.bits(code)
    for index in 0..<3 as Range<UInt8> {
      registers[lowest + index] = UInt8(truncatingIfNeeded: code >> (8 * UInt32(index)))
    }
  }
}
