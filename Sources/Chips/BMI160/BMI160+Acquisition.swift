// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

// How samples leave the chip, one extension member per way.
extension BMI160 where Bus: ~Copyable {
  /// Takes what is in the queue out of it, in one burst of whole frames.
  mutating func drainQueue(_ event: Event, into batch: inout RawBatch) throws(ChipError) {
    let map = BMI160Map()
    let wasDrained = remaining == 0
    remaining = 0
    var count: InlineArray<2, UInt8> = [0, 0]
    var countSpan = count.mutableSpan
    let before = bus.now
    try bus.read(&countSpan, from: map.fifoLength0)
    let after = bus.now
    let size = BMI160Facts.queueFrameSize
    let bytes = Self.queueLength(count)
    guard bytes <= BMI160Facts.fifoSize else {
      // Nobody drives the line: a chip that lost its supply has forgotten that it is on SPI.
      throw .rejected(register: map.fifoLength1.address, wrote: 0x04, readBack: count[1])
    }
    let waiting = bytes / size
    if wasDrained { noteEdges(event, waiting: waiting) }
    guard waiting > 0 else { return }
    // The count covers whole frames and what tells of lost ones. Where that is more than batch or bus take at once,
    // the rest is read at once after; a frame that a read cuts off is given again by the next.
    let limit = min(RawBatch.capacity, bus.longestRead)
    let wanted = bytes <= limit ? bytes : max(1, limit / size) * size
    var span = batch.bytes.mutableSpan
    // The standard library's 6.3 name of what was `extracting(first:)`; SE-0467 is to drop the underscore.
    var part = span._mutatingExtracting(first: wanted)
    try bus.read(&part, from: map.fifoData)
    let found = BMI160Frames.sort(&batch, bytes: wanted)
    batch.frameSize = size
    noteFormat(&batch)
    if found.skipped > 0 { health.overflows += 1 }
    if found.isIncomplete { hasGap = true }
    if found.isMisaligned {
      // Nothing behind a header that is none can be trusted: the queue is emptied. What was good before it stays.
      health.misconfigurations += 1
      phase = .resynchronise
    }
    defer { if found.isMisaligned { hasGap = true } }
    guard batch.frames > 0 else {
      // Frames came and none was whole, or the queue told only of its losses.
      if found.skipped > 0 { hasGap = true }
      return
    }
    // The newest frame waiting was there at the count, and the one after it was not.
    let period = clock.measuredPeriod
    var earliest = before - period
    // A queue that ran over may have moved on between count and burst: then it is counted again behind the burst.
    var latest = after
    var left = max(0, waiting - batch.frames)
    if found.skipped > 0 {
      let again = bus.now
      var secondSpan = count.mutableSpan
      try bus.read(&secondSpan, from: map.fifoLength0)
      left = Self.queueLength(count) / size
      earliest = again - period
      latest = bus.now
    }
    // The frame that lifted the queue over its watermark was taken at the edge; those behind it came after.
    let behindEdge = Int64(waiting - configuration.batch)
    let atEdge = event.edgeTime + period * behindEdge
    let doubt = TimeSpan.microseconds(1) + period * behindEdge / 20
    if event.edges > 0, behindEdge >= 0, found.skipped == 0, atEdge > earliest - period / 8,
      atEdge - doubt <= after
    {
      earliest = atEdge - doubt
      latest = min(atEdge + period * behindEdge / 20, after)
    }
    let behind = period * Int64(left)
    stamp(
      &batch, skipped: found.skipped, after: earliest - behind, notAfter: latest - behind)
    if !found.isMisaligned { remaining = left }
  }

  private static func queueLength(_ count: InlineArray<2, UInt8>) -> Int {
    let mask = BMI160Map().fifoLength1.layout.fifoByteCounter.mask
    return Int(count[1] & mask) << 8 | Int(count[0])
  }

  /// Learns from a call whether the watermark's pin is wired, and whether it still works.
  private mutating func noteEdges(_ event: Event, waiting: Int) {
    if event.edges > 0 {
      hasEdges = true
    } else if hasEdges, waiting >= configuration.batch + 2 {
      // The line was silent although the level was passed. Without it the queue is read by time until an edge comes.
      health.missedInterrupts += 1
      hasEdges = false
    }
  }

  /// Answers a data-ready edge: the registers hold the newest sample, and it was taken at the edge.
  mutating func readOnEdge(_ event: Event, into batch: inout RawBatch) throws(ChipError) {
    guard event.edges > 0 else {
      // A timeout: the line may be dead, the samples are not.
      health.missedInterrupts += 1
      try readIfReady(into: &batch)
      return
    }
    try readRegisters(into: &batch)
    if event.edges > 1 { hasGap = true }
    stamp(
      &batch, skipped: 0, after: event.edgeTime - .microseconds(1), notAfter: event.edgeTime)
    batch.newest = event.edgeTime
  }

  /// Reads the status, and the registers if a sample is new since the last look.
  mutating func readIfReady(into batch: inout RawBatch) throws(ChipError) {
    let before = bus.now
    let status = try bus.read(BMI160Map().status)
    let after = bus.now
    defer { lastLook = before }
    guard status({ $0.drdyAcc }) == true, status({ $0.drdyGyr }) == true else { return }
    try readRegisters(into: &batch)
    if clock.samplesElapsed(at: after) > 1 { hasGap = true }
    let earliest = max(lastLook, before - clock.measuredPeriod)
    stamp(&batch, skipped: 0, after: earliest, notAfter: after)
  }

  /// Gyroscope, accelerometer and temperature, in one burst that cannot fall between two samples.
  private mutating func readRegisters(into batch: inout RawBatch) throws(ChipError) {
    var span = batch.bytes.mutableSpan
    var part = span._mutatingExtracting(first: BMI160Facts.registerFrameSize)
    let map = BMI160Map()
    try bus.read(&part, from: map.gyrXLow)
    // A temperature that was measured is never "none" again, unless the chip was reset: then these are no samples.
    let hadTemperature = temperature[1] != 0x80 || temperature[0] != 0x00
    temperature = [batch.bytes[20], batch.bytes[21]]
    if hadTemperature, temperature[1] == 0x80, temperature[0] == 0x00 {
      throw .rejected(register: map.temperature1.address, wrote: 0, readBack: 0x80)
    }
    // Without the magnetometer its flags are clear; set, nobody drives the line, as a chip on SPI that was reset.
    let status = Contents<BMI160Map.Status>(raw: batch.bytes[15])
    if status({ $0.drdyMag }) == true, status({ $0.magManOp }) == true {
      throw .rejected(register: map.status.address, wrote: 0, readBack: status.raw)
    }
    batch.frames = 1
    batch.frameSize = BMI160Facts.registerFrameSize
    noteFormat(&batch)
  }

  private func noteFormat(_ batch: inout RawBatch) {
    batch.format[BMI160Decoder.Format.accelRange] = configuration.accelRange.rawValue
    batch.format[BMI160Decoder.Format.gyroRange] = configuration.gyroRange.rawValue
    batch.format[BMI160Decoder.Format.temperatureLow] = temperature[0]
    batch.format[BMI160Decoder.Format.temperatureHigh] = temperature[1]
  }

  /// Gives the batch its times and says how many samples are missing before it: as many as the chip says, unless
  /// something else was lost too.
  private mutating func stamp(
    _ batch: inout RawBatch, skipped: Int, after earliest: Timestamp, notAfter latest: Timestamp
  ) {
    let frames = Int64(batch.frames)
    var lost = Int64(skipped)
    // A count of skipped frames that is at its end says "at least".
    if hasGap || skipped >= 255, clock.newest != nil {
      let middle = earliest + (latest - earliest) / 2
      lost = max(lost, clock.samplesElapsed(at: middle) - frames)
    }
    hasGap = false
    batch.missing = UInt32(clamping: lost)
    health.missing += UInt64(lost)
    let (newest, spacing) = clock.observe(frames + lost, after: earliest, notAfter: latest)
    batch.newest = newest
    batch.period = spacing
    health.received += UInt64(frames)
  }
}
