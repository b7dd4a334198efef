// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

// How samples leave the chip, one extension member per way.
extension RegisterDriver where Chip == LSM6DS3Chip, Bus: ~Copyable {
  /// Empties the queue and lets it fill anew: only bypass forgets what waits, and the place in the
  /// pattern.
  @inline(never)
  mutating func restartQueue() throws(ChipError) {
    try bus.write(configuration.queueStopped)
    try bus.write(configuration.queueRunning)
  }

  /// Takes as many whole sets out of the queue as batch and bus take at once.
  @usableFromInline mutating func drainQueue(_ event: Event, into batch: inout RawBatch)
    throws(ChipError)
  {
    let map = LSM6DS3Map()
    let isContinued = remaining > 0
    remaining = 0
    let before = now
    let status: InlineArray<4, UInt8> = try bus.bytes(from: map.fifoStatus1)
    let after = now
    lookSpan = after - before
    let flags = map.fifoStatus2.contents(status[1])
    var words = Int(status[1] & family.countHighMask) << 8 | Int(status[0])
    let set = configuration.setWords
    // The flags come first: a queue that is exactly full counts 0. Three sets of room keep a sample
    // that arrives between this look and the read from pushing out the oldest one unseen.
    if flags({ $0.fifoOverRun }) == true || flags({ $0.fifoFull }) == true
      || words > family.queueWords - 3 * set
    {
      return noteOverflow()
    }
    words -= try realign(pattern: Int(status[3] & 0x03) << 8 | Int(status[2]), words)
    let waiting = words / set
    if !isContinued {
      chip.isWired = noteLine(
        chip.isWired, event, waiting: waiting, watermark: configuration.readout.watermark)
    }
    guard waiting > 0 else { return }
    // Only whole sets; the rest is read at once after.
    let size = set * 2
    let frames = max(1, min(waiting, min(RawBatch.capacity, bus.longestRead) / size))
    try readFrames(frames, of: size, from: map.fifoDataOut.first, into: &batch)
    remaining = waiting - frames
    // The line rose with set number `watermark`. Where that contradicts the look, the edge was that
    // of an earlier fill.
    stampQueue(
      &batch, before: before, after: after, edge: event.edges == 1 ? event.edgeTime : nil,
      ahead: frames - configuration.readout.watermark)
    // Whatever came during a long read keeps the line up, which then rises no more: looked for at
    // once.
    if announcesSets, frames > 1 { remaining = max(remaining, 1) }
  }

  /// Takes the rest of a broken set out of the queue and returns how many words that were. The
  /// pattern is the next word's place in its set.
  private mutating func realign(pattern: Int, _ words: Int) throws(ChipError) -> Int {
    let map = LSM6DS3Map()
    let set = configuration.setWords
    guard words > 0, pattern != 0 else { return 0 }
    hasGap = true
    guard pattern < set else {
      // Sets of another make: the queue is not as it was configured.
      throw .rejected(
        register: map.fifoStatus3.address, wrote: UInt8(set - 1),
        readBack: UInt8(truncatingIfNeeded: pattern))
    }
    let excess = min(words, set - pattern)
    var rest = InlineArray<12, UInt8>(repeating: 0)
    var whole = rest.mutableSpan
    // The standard library's 6.3 name of what was `extracting(first:)`; SE-0467 is to drop the
    // underscore.
    var wanted = whole._mutatingExtracting(first: excess * 2)
    try bus.read(&wanted, from: map.fifoDataOut.first)
    return excess
  }

  /// Answers a data-ready edge: the registers hold the newest sample, and it was taken at the edge.
  @usableFromInline mutating func readOnEdge(_ event: Event, into batch: inout RawBatch)
    throws(ChipError)
  {
    guard event.edges > 0 else {
      // A timeout: the line may be dead, the samples are not.
      counters.missedInterrupts += 1
      try readIfReady(into: &batch)
      return
    }
    let known = clock.newest.map { $0 + clock.measuredPeriod / 4 } ?? lastLook
    if event.edgeTime <= max(known, lastLook) {
      // The edge of a sample that an earlier look already found.
      try readIfReady(into: &batch)
      return
    }
    try readBurst(into: &batch)
    if event.edges > 1 || missesEdges(event.edgeTime) { hasGap = true }
    stamp(&batch, after: event.edgeTime - .microseconds(1), notAfter: event.edgeTime)
    batch.newest = event.edgeTime
  }

  /// A line that stays up until a read does not rise for what was taken meanwhile.
  private func missesEdges(_ time: Timestamp) -> Bool {
    family == .lsm6ds3 && clock.samplesElapsed(at: time) > 1
  }

  /// Temperature, gyroscope and accelerometer, or the accelerometer alone, in one transaction.
  mutating func readBurst(into batch: inout RawBatch) throws(ChipError) {
    let map = LSM6DS3Map()
    if configuration.isAccelAlone {
      try readFrames(1, of: LSM6DS3Chip.accelSize, from: map.outXl.first, into: &batch)
    } else {
      try readFrames(1, of: LSM6DS3Chip.burstSize, from: map.outTemp.first, into: &batch)
    }
  }

  private mutating func readFrames(
    _ frames: Int, of size: Int, from register: Register<WholeByte, some ReadableAccess>,
    into batch: inout RawBatch
  ) throws(ChipError) {
    try read(first: frames * size, from: register, into: &batch)
    batch.frames = frames
    batch.frameSize = size
    batch.format[LSM6DS3Decoder.Format.accelFullScale] = configuration.accelFullScale.rawValue
    batch.format[LSM6DS3Decoder.Format.gyroFullScale] = configuration.gyroFullScale.rawValue
    batch.format[LSM6DS3Decoder.Format.family] = family.rawValue
    if announcesSets {
      batch.format[LSM6DS3Decoder.Format.isTemperatureBeside] = 1
      batch.format[LSM6DS3Decoder.Format.temperatureLow] = chip.temperature[0]
      batch.format[LSM6DS3Decoder.Format.temperatureHigh] = chip.temperature[1]
    }
  }

  /// True where the queue's line announces each set. They lack the temperature, which is read
  /// beside them.
  @inline(__always)
  var announcesSets: Bool {
    Bus.abilities.isSuperset(of: [.fifo, .dataReady]) && codes.readout.announcesSamples
  }

  mutating func readTemperature() throws(ChipError) {
    chip.temperature = try bus.bytes(from: LSM6DS3Map().outTemp.first)
  }
}

/// Physical values of the family's frames. A frame is a burst of registers, or the same without the
/// temperature: a set of the queue; or the accelerometer alone. Its size says which.
public struct LSM6DS3Decoder: FrameDecoder {
  public typealias Codes = LSM6DS3Configuration

  /// The places in a batch of the codes that its decoding needs.
  enum Format {
    static var accelFullScale: Int { 0 }
    static var gyroFullScale: Int { 1 }
    static var family: Int { 2 }
    /// The place of the flag that the newest temperature travels here, low byte first, and not in
    /// the frames.
    static var isTemperatureBeside: Int { 3 }
    static var temperatureLow: Int { 4 }
    static var temperatureHigh: Int { 5 }
  }

  private let gPerCount: Scalar
  private let radiansPerCount: Scalar
  private let countsPerDegree: Scalar
  private let hasTemperature: Bool
  private let isTemperatureBeside: Bool
  private let isAccelAlone: Bool

  public init(_ batch: borrowing RawBatch) { self.init(batch, within: .all) }

  @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: LSM6DS3Configuration, with abilities: DriverAbilities
  ) { self.init(batch, within: abilities) }

  /// A set of the queue has no temperature, and but for low power there is a gyroscope.
  @inline(__always)
  private init(_ batch: borrowing RawBatch, within abilities: DriverAbilities) {
    let accel = LSM6DS3Map.AccelFullScale(rawValue: batch.format[Format.accelFullScale]) ?? .g2
    let gyro = LSM6DS3Map.GyroFullScale(rawValue: batch.format[Format.gyroFullScale]) ?? .dps245
    let family = LSM6DS3Family(rawValue: batch.format[Format.family]) ?? .lsm6ds3trc
    gPerCount = accel.gPerCount
    radiansPerCount = radians(fromDegrees: gyro.degreesPerSecondPerCount)
    countsPerDegree = family.countsPerDegree
    hasTemperature =
      !abilities.isDisjoint(with: [.dataReady, .polling])
      && batch.frameSize == LSM6DS3Chip.burstSize
    isTemperatureBeside =
      abilities.isSuperset(of: [.fifo, .dataReady])
      && batch.format[Format.isTemperatureBeside] != 0
    isAccelAlone =
      abilities.contains(.lowPower) && batch.frameSize == LSM6DS3Chip.accelSize
  }

  @inline(__always)
  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .acceleration)
    var offset = 0
    if hasTemperature {
      reading.channels.insert(.temperature)
      reading.temperature = 25 + Scalar(Int(batch.littleEndian(frame, 0))) / countsPerDegree
      offset = 2
    } else if isTemperatureBeside {
      let counts = Int16(
        bitPattern: UInt16(batch.format[Format.temperatureHigh]) << 8
          | UInt16(batch.format[Format.temperatureLow]))
      reading.channels.insert(.temperature)
      reading.temperature = 25 + Scalar(Int(counts)) / countsPerDegree
    }
    if !isAccelAlone {
      // The gyroscope comes first, in the registers as in the queue.
      reading.channels.insert(.rotationRate)
      reading.rotationRate = vector(batch, frame, offset, radiansPerCount)
      offset += 6
    }
    reading.specificForce = vector(batch, frame, offset, gPerCount)
    return reading
  }

  private func vector(
    _ batch: borrowing RawBatch, _ frame: Int, _ offset: Int, _ unit: Scalar
  ) -> Vector3 {
    batch.littleEndianVector(frame, offset) * unit
  }
}
