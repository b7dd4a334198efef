// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

// Samples out of the queue, with what its headers tell.
extension BMI160Chip {
  /// Takes what is in the queue out of it, in one burst of whole frames.
  public static func drainQueue(
    _ driver: inout BMI160<some ChipBus>, _ event: Event, at now: Timestamp,
    into batch: inout RawBatch
  ) throws(ChipError) {
    try driver.drain(event, at: now, into: &batch)
    // What a queue that is to be emptied still holds is lost.
    if !driver.isRunning { driver.hasGap = true }
  }
}

extension RegisterDriver where Chip == BMI160Chip, Bus: ~Copyable {
  mutating func drain(_ event: Event, at now: Timestamp, into batch: inout RawBatch)
    throws(ChipError)
  {
    let isLooking = !chip.isWaiting
    chip.isWaiting = false
    // One byte more than a batch: it tells whether that was all.
    let prompt = codes.readout.watermark &* queueFrameSize &+ 1
    // A queue that may have run over since is counted.
    let isFresh = now.elapsed(since: event.edgeTime) < clock.measuredPeriod * 13
    if event.edges > 0, isFresh, isWired == true, remaining == 0, !hasGap, prompt <= longestBurst {
      try drainBatch(event, bytes: prompt, into: &batch)
    } else {
      try drainCounted(event, learning: isLooking, into: &batch)
    }
  }

  private var longestBurst: Int { min(RawBatch.capacity, bus.longestRead) }

  /// At the watermark's edge the queue holds a batch, and the last frame of it was taken at the
  /// edge: nothing need be asked.
  @inline(never)
  private mutating func drainBatch(_ event: Event, bytes: Int, into batch: inout RawBatch)
    throws(ChipError)
  {
    let watermark = codes.readout.watermark
    let found = try burst(bytes, into: &batch)
    guard batch.frames > 0 else { return }
    let isWhole = batch.frames == watermark && found.isWhole
    var left = 0
    var earliest = event.edgeTime.advanced(by: .microseconds(-1))
    var latest = event.edgeTime
    if !isWhole || found.isCutOff {
      // More came meanwhile, or it was an edge of frames that are read already.
      let again = now
      left = try countAgain()
      if !isWhole {
        // Behind a broken header the burst took frames that cannot be decoded.
        let behind = left &+ (found.isMisaligned ? watermark &- batch.frames : 0)
        earliest = again.advanced(by: clock.longestPeriod, times: -1 &- behind)
        latest = now.advanced(by: clock.shortestPeriod, times: 0 &- behind)
      }
    }
    stamp(&batch, skipped: found.skipped, after: earliest, notAfter: latest)
    // Below the watermark the next edge tells of them.
    if isRunning, left >= watermark { remaining = left }
  }

  /// Asks how much there is, and takes it. `learning` where the call says something of the line:
  /// not where one has just been put off.
  private mutating func drainCounted(
    _ event: Event, learning: Bool, into batch: inout RawBatch
  ) throws(ChipError) {
    let size = queueFrameSize
    let watermark = codes.readout.watermark
    var before = now
    // What was lost is counted by time. That is sure between two samples, and a guess where one is
    // just being taken.
    chip.isWaiting = hasGap && event.edges == 0 && clock.isNearSample(before)
    if chip.isWaiting { return }
    let wasDrained = remaining == 0
    remaining = 0
    var bytes = try readLength()
    var after = now
    lookSpan = after.elapsed(since: before)
    if wasDrained, learning { noteLine(event, waiting: bytes / size, watermark: watermark) }
    guard bytes >= size else { return }
    let isFrozen = try freeze(bytes: bytes)
    if chip.isWaiting { return }
    if isFrozen { bytes = try readLength() }
    // The count covers whole frames and what tells of lost ones. Where that is more than batch or
    // bus take at once, the rest is read at once after; a frame that a read cuts off is given again
    // by the next.
    let found = try burst(
      bytes <= longestBurst ? bytes : max(1, longestBurst / size) &* size, into: &batch)
    guard batch.frames > 0 else { return }
    remaining = max(0, bytes / size &- batch.frames)
    // A queue that ran over may have moved on between count and burst: it is counted again behind
    // the burst. (If it was stopped, its end is that of the moment at which it was.)
    if found.skipped > 0, !isFrozen {
      before = now
      remaining = try countAgain() &+ (found.isMisaligned ? remaining : 0)
      after = now
    }
    // The frame that lifted the queue over its watermark was taken at the edge; those behind it
    // came after.
    let isTold = event.edges > 0 && bytes / size >= watermark && found.skipped == 0 && !isFrozen
    stampQueue(
      &batch, skipped: found.skipped, before: before, after: after,
      edge: isTold ? event.edgeTime : nil, ahead: batch.frames &- watermark)
    if !isRunning {
      remaining = 0
    } else if announcesSamples, batch.frames > 1 {
      // Whatever came during a long read keeps the line up, which then rises no more: looked for at
      // once.
      remaining = max(remaining, 1)
    }
  }

  /// Counts the frames in the queue once more; if that fails, those that were read are lost.
  private mutating func countAgain() throws(ChipError) -> Int {
    do { return try readLength() / queueFrameSize } catch {
      hasGap = true
      throw error
    }
  }

  /// Reads so many bytes out of the queue and sorts them.
  @inline(never)
  private mutating func burst(_ count: Int, into batch: inout RawBatch) throws(ChipError)
    -> BMI160Frames
  {
    try read(first: count, from: BMI160Map().fifoData, into: &batch)
    let found = BMI160Frames.sort(
      &batch, bytes: count, header: hasGyro ? BMI160Header.gyroAndAccel : BMI160Header.accel,
      size: queueFrameSize)
    batch.frameSize = queueFrameSize
    noteFormat(&batch)
    if found.skipped > 0 { counters.overflows &+= 1 }
    if found.isMisaligned {
      // Nothing behind a header that is none can be trusted: the queue is emptied. What was good
      // before it stays.
      counters.misconfigurations &+= 1
      flush()
    }
    if found.isIncomplete || batch.frames == 0 && !found.isWhole { hasGap = true }
    return found
  }

  /// Bytes in the queue.
  private mutating func readLength() throws(ChipError) -> Int {
    let map = BMI160Map()
    let count: InlineArray<2, UInt8> = try bus.bytes(from: map.fifoLength0)
    let bytes = Int(count[1] & map.fifoLength1.layout.mask) << 8 | Int(count[0])
    guard bytes <= BMI160Chip.fifoSize else {
      // The line is not driven: a chip that lost its supply has forgotten that it is on SPI.
      throw .rejected(register: map.fifoLength1.address, wrote: 0x04, readBack: count[1])
    }
    return bytes
  }

  /// The chip counts up to 255 lost frames. Where there may be more, the queue is stopped between
  /// two samples, so that time tells how many were taken until then. Says whether it was; sets
  /// `isWaiting` where it is too early for it.
  @inline(never)
  private mutating func freeze(bytes: Int) throws(ChipError) -> Bool {
    let size = queueFrameSize
    // Full: no room for one more frame and what tells of lost ones.
    guard bytes &+ size &+ 2 > BMI160Chip.fifoSize, clock.newest != nil,
      clock.samplesElapsed(at: now) >= Int64(253 &+ bytes / size)
    else { return false }
    chip.isWaiting = clock.isNearSample(now)
    if chip.isWaiting { return false }
    try bus.set(BMI160Map().fifoConfig1) { $0.fifoHeaderEn(true) }
    // Whatever happens until then, it has to run again.
    flush(hasTasks: true)
    hasGap = true
    return true
  }
}
