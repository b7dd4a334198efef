// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The driver for the BMP388 and BMP390, barometers and thermometers with a FIFO and an interrupt
/// pin.
public typealias BMP388<Bus: ChipBus> = RegisterDriver<BMP388Chip, Bus>

/// The chip-specific parts of the driver.
public struct BMP388Chip: SampledChip {
  public typealias Decoder = BMP388Decoder

  /// The trim words, registers 0x31 to 0x45, in the order of a batch's format.
  var trim = InlineArray<40, UInt8>(repeating: 0)
  /// The time of the next poll of the FIFO if the interrupt pin gives no earlier edge.
  var nextPoll = Timestamp.zero

  public init() {}

  public static var channels: ChannelSet { [.pressure, .temperature] }

  public enum StartStep: UInt8, ChipStep { case identity, reset, resetOver, trim, configuration }

  public static func start(
    _ driver: inout BMP388<some ChipBus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = BMP388Map()
    switch step {
    case .identity: return .identify(by: map.chipID)
    case .reset: return .write(map.command, wait: reset) { $0.value(BMP388Map.softReset) }
    case .resetOver: return .poll(map.status, each: reset, times: 20) { $0.commandReady(true) }
    case .trim:
      try readTrim(&driver)
      return .next
    case .configuration: return .configure()
    }
  }

  /// The start-up time in microseconds (section 1).
  private static var reset: UInt32 { 2000 }

  private static func readTrim(_ driver: inout BMP388<some ChipBus>) throws(ChipError) {
    let first = BMP388Map().trimT1.first
    let bytes: InlineArray<21, UInt8> = try driver.bus.bytes(from: first)
    var isEmpty = bytes[0] == 0x00 || bytes[0] == 0xFF
    for index in 0..<trimSize {
      driver.chip.trim[index] = bytes[index]
      isEmpty = isEmpty && bytes[index] == bytes[0]
    }
    // The chip's data cannot be decoded without trim words.
    if isEmpty { throw .identity(found: bytes[0], register: first.address) }
  }

  /// The interval between the verifications of two configuration registers. Of every six
  /// consecutive registers at least one differs from its reset value, so a reset is detected within
  /// 216 ms.
  public static var verification: Verification {
    Verification(every: .milliseconds(36), runningRow: 8, catchesUp: true)
  }

  /// Discards FIFO samples that were taken with earlier settings.
  public static func discardOldSamples(
    _ driver: inout BMP388<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    if driver.acquires(.fifo) {
      try driver.emptyQueue()
    } else {
      _ = try readSample(&driver, into: &batch)
    }
  }

  public enum Queue: ChipQueue {
    public static func port(of driver: borrowing BMP388<some ChipBus>) -> UInt8 {
      BMP388Map().queueData.address
    }

    public static func frameSize(of driver: borrowing BMP388<some ChipBus>) -> Int {
      queueFrameSize
    }

    public static func drain(
      _ driver: inout BMP388<some ChipBus>, _ event: Event, at now: Timestamp,
      into batch: inout RawBatch
    ) throws(ChipError) { try driver.drainQueue(event, into: &batch) }

    public static func nextStep(_ driver: borrowing BMP388<some ChipBus>) -> NextStep {
      if driver.remaining > 0 { return .after(.zero) }
      return .onInterrupt(
        until: min(driver.chip.nextPoll, driver.lastStep.advanced(by: longestWait(driver))))
    }
  }

  /// Reads the status and the following six bytes in one burst. The chip has no overrun flag: lost
  /// samples are counted from the elapsed time.
  public static func readSample(
    _ driver: inout BMP388<some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) -> SampleStatus {
    let status = try driver.readFrame(
      of: frameSize, after: BMP388Map().status, into: &batch)
    batch.format = driver.chip.trim
    return SampleStatus(
      isReady: status({ $0.pressureReady }) == true && status({ $0.temperatureReady }) == true,
      isOverrun: true)
  }

  public static func sleep(_ driver: inout BMP388<some ChipBus>) throws(ChipError) {
    try driver.bus.set(BMP388Map().powerControl) { $0.mode(.sleep) }
  }
}

extension RegisterDriver where Chip == BMP388Chip, Bus: ~Copyable {
  mutating func emptyQueue() throws(ChipError) {
    try bus.set(BMP388Map().command) { $0.value(BMP388Map.flushQueue) }
    scheduleNextPoll()
  }

  /// Schedules a poll for one period after the expected edge of the pin.
  private mutating func scheduleNextPoll() {
    let next = now.advanced(by: clock.measuredPeriod, times: codes.readout.watermark &+ 1)
    chip.nextPoll = clock.pollTime(after: next, latency: pollDuration / 2) ?? next
  }

  /// Reads as many frames from the FIFO as the batch and the bus allow at once.
  mutating func drainQueue(_ event: Event, into batch: inout RawBatch) throws(ChipError) {
    let before = now
    guard event.edges > 0 || remaining > 0 || before >= chip.nextPoll else { return }
    remaining = 0
    // Lost samples are counted from the elapsed time. The count is unambiguous only at a time well
    // between two samples.
    if hasGap, clock.isNearSample(before + pollDuration / 2) {
      chip.nextPoll = before + clock.measuredPeriod / 4
      return
    }
    let length: InlineArray<2, UInt8> = try bus.bytes(from: BMP388Map().queueLengthLow)
    let after = now
    pollDuration = after - before
    let size = BMP388Chip.queueFrameSize
    let bytes = Int(length[1] & 1) << 8 | Int(length[0])
    // A full FIFO drops its oldest frames without setting a flag. The margin of two frames covers
    // samples that arrive between the read of the fill level and the read of the frames.
    if bytes > BMP388Chip.queueSize - 2 * size { return noteOverflow() }
    let waiting = bytes / size
    guard waiting > 0 else {
      scheduleNextPoll()
      // Two samples of the FIFO are overdue, so the chip may have lost its supply.
      if let newest = clock.newest, before - newest > clock.measuredPeriod * 3 {
        try verifyRunning()
      }
      return
    }
    let frames = max(1, min(waiting, min(RawBatch.capacity, bus.longestRead) / size))
    try read(first: frames * size, from: BMP388Map().queueData, into: &batch)
    for frame in 0..<frames where batch.bytes[frame * size] != BMP388Chip.queueHeader {
      // The frame does not hold pressure and temperature, which can happen after an interrupted
      // read.
      return noteOverflow()
    }
    batch.frames = frames
    batch.frameSize = size
    batch.format = chip.trim
    remaining = waiting - frames
    // The sample of frame number `batch` was taken at the interrupt pin's edge. An edge that
    // contradicts the fill level belongs to an earlier fill.
    stampQueue(
      &batch, before: before, after: after, edge: event.edges == 1 ? event.edgeTime : nil,
      ahead: frames - codes.readout.watermark)
    scheduleNextPoll()
  }
}

/// Decodes the family's frames to physical values, with the trim words in the batch.
public struct BMP388Decoder: FrameDecoder {
  public typealias Codes = BMP388Configuration

  private let trim: BMP388Trim

  public init(_ batch: borrowing RawBatch) { trim = BMP388Trim { batch.format[$0] } }

  /// The operating ranges of BST-BMP388-DS001 and BST-BMP390-DS002, table 2, which are also the
  /// limits in Bosch's BMP3 driver.
  @inlinable
  public static func limits(of channel: Channel, of part: BMP388Part) -> ClosedRange<Scalar>? {
    switch channel {
    case .temperature: -40...85
    case .pressure: 30...125
    default: nil
    }
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    let start = frame * batch.frameSize
    // A FIFO frame starts with a header, and the temperature comes before the pressure.
    let isQueued = batch.frameSize == BMP388Chip.queueFrameSize
    let temperatureWord = Self.word(batch, start + (isQueued ? 1 : 3))
    let pressureWord = Self.word(batch, start + (isQueued ? 4 : 0))
    var reading = ChipReading()
    // The data registers hold this code until the first conversion ends.
    if temperatureWord == Self.reset || pressureWord == Self.reset {
      reading.reject([.pressure, .temperature], .noData)
      return reading
    }
    let temperature = trim.celsius(Scalar(temperatureWord))
    reading.add(
      .temperature, temperature, within: Self.limits(of: .temperature, of: .expected),
      code: temperatureWord, ones: Self.ones, with: .pressure)
    guard reading.invalid.isEmpty else { return reading }
    reading.add(
      .pressure, trim.pascal(Scalar(pressureWord), at: temperature) / 1000,
      within: Self.limits(of: .pressure, of: .expected), code: pressureWord, ones: Self.ones)
    return reading
  }

  /// The converter's largest code of pressure and temperature, and the code of both after a reset.
  private static var ones: Int { 0xFFFFFF }
  private static var reset: Int { 0x800000 }

  /// Returns an unsigned 24-bit number.
  private static func word(_ batch: borrowing RawBatch, _ start: Int) -> Int {
    Int(batch.byte(start + 2)) << 16 | Int(batch.byte(start + 1)) << 8 | Int(batch.byte(start))
  }
}

/// The trim words of one part and the compensation formula that uses them: Bosch's floating-point
/// formula (BST-BMP388-DS001, section 9). Arbitrary words and codes give a number without a trap.
public struct BMP388Trim: Sendable {
  private let t: InlineArray<3, Scalar>
  private let p: InlineArray<11, Scalar>

  /// Decodes the trim words. `byte` returns the byte at a position; position 0 is register 0x31.
  public init(_ byte: (Int) -> UInt8) {
    func word(_ index: Int) -> Int { Int(byte(index + 1)) << 8 | Int(byte(index)) }
    func signed(_ index: Int) -> Int { Int(Int16(truncatingIfNeeded: word(index))) }
    func small(_ index: Int) -> Int { Int(Int8(bitPattern: byte(index))) }
    /// Returns `value` divided by 2 to the power of `bits`.
    func part(_ value: Int, _ bits: Int) -> Scalar {
      Scalar(value) * Scalar(sign: .plus, exponent: -bits, significand: 1)
    }
    t = [part(word(0), -8), part(word(2), 30), part(small(4), 48)]
    p = [
      part(signed(5) - 16_384, 20), part(signed(7) - 16_384, 29), part(small(9), 32),
      part(small(10), 37), part(word(11), -3), part(word(13), 6), part(small(15), 8),
      part(small(16), 15), part(signed(17), 48), part(small(19), 48), part(small(20), 65),
    ]
  }

  /// Returns the temperature in degrees Celsius, which the pressure formula needs.
  public func celsius(_ code: Scalar) -> Scalar {
    let above = code - t[0]
    return above * t[1] + above * above * t[2]
  }

  /// Returns the pressure in pascals at the given temperature.
  public func pascal(_ code: Scalar, at celsius: Scalar) -> Scalar {
    func cubic(_ a: Scalar, _ b: Scalar, _ c: Scalar, _ d: Scalar) -> Scalar {
      a + celsius * (b + celsius * (c + celsius * d))
    }
    let linear = code * cubic(p[0], p[1], p[2], p[3])
    let bend = code * code * (p[8] + p[9] * celsius) + code * code * code * p[10]
    return cubic(p[4], p[5], p[6], p[7]) + linear + bend
  }
}
