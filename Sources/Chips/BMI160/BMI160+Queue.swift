// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

// Samples out of the queue, with what its headers tell.
extension RegisterDriver where Chip == BMI160Chip, Bus: ~Copyable {
  /// Takes what is in the queue out of it, in one burst of whole frames.
  @usableFromInline mutating func drainQueue(_ event: Event, into batch: inout RawBatch)
    throws(ChipError)
  {
    let isLooking = chip.pause == .zero
    chip.pause = .zero
    // One byte more than a batch: it tells whether that was all.
    let prompt = codes.readout.watermark &* queueFrameSize &+ 1
    // A queue that may have run over since is counted.
    let isFresh = now.elapsed(since: event.edgeTime) < clock.measuredPeriod * 13
    if event.edges > 0, isFresh, chip.hasEdges, remaining == 0, !hasGap, prompt <= longestBurst {
      try drainBatch(event, bytes: prompt, into: &batch)
    } else {
      try drainCounted(event, learning: isLooking, into: &batch)
    }
  }

  /// The time of a running driver's next look at the queue.
  @usableFromInline var queueWake: Wake {
    if chip.pause > .zero { return .at(now.advanced(by: chip.pause)) }
    if remaining > 0 { return .after(.zero) }
    // It is not known whether the pin is wired until an edge came. A wired one is a period ahead of
    // the time-out.
    let period = clock.measuredPeriod
    let now = self.now
    if chip.hasEdges {
      return .onInterrupt(until: now.advanced(by: period, times: 2 &* codes.readout.watermark &+ 4))
    }
    let next = now.advanced(by: period, times: codes.readout.watermark &+ 1)
    let look = clock.look(after: next, latency: lookSpan / 2)
    return .onInterrupt(until: look ?? next.advanced(by: period))
  }

  private var longestBurst: Int { min(RawBatch.capacity, bus.longestRead) }

  /// At the watermark's edge the queue holds a batch, and the last frame of it was taken at the
  /// edge: nothing need be asked.
  @inline(never)
  private mutating func drainBatch(_ event: Event, bytes: Int, into batch: inout RawBatch)
    throws(ChipError)
  {
    let found = try burst(bytes, into: &batch)
    let isWhole =
      batch.frames == codes.readout.watermark && found.skipped == 0 && !found.isIncomplete
      && !found.isMisaligned
    guard batch.frames > 0 else {
      if found.skipped > 0 { hasGap = true }
      return
    }
    var left = 0
    var earliest = event.edgeTime.advanced(by: .microseconds(-1))
    var latest = event.edgeTime
    if !isWhole || found.isCutOff {
      // More came meanwhile, or it was an edge of frames that are read already.
      let again = now
      left = try readLength() / queueFrameSize
      if !isWhole {
        // Behind a broken header the burst took frames that cannot be decoded.
        let behind = left &+ (found.isMisaligned ? codes.readout.watermark &- batch.frames : 0)
        earliest = again.advanced(by: clock.longestPeriod, times: -1 &- behind)
        latest = now.advanced(by: clock.shortestPeriod, times: 0 &- behind)
      }
    }
    stampFound(&batch, found, after: earliest, notAfter: latest)
    // Below the watermark the next edge tells of them.
    if !found.isMisaligned, left >= codes.readout.watermark { remaining = left }
  }

  /// Asks how much there is, and takes it. `learning` where the call says something of the line:
  /// not where one has just been answered by a pause.
  private mutating func drainCounted(
    _ event: Event, learning: Bool, into batch: inout RawBatch
  ) throws(ChipError) {
    let size = queueFrameSize
    // What was lost is counted by time. That is sure between two samples, and a guess where one is
    // just being taken.
    if hasGap, event.edges == 0, let span = untilBetweenSamples {
      chip.pause = span
      return
    }
    let wasDrained = remaining == 0
    remaining = 0
    let before = now
    var bytes = try readLength()
    let after = now
    lookSpan = after.elapsed(since: before)
    var waiting = bytes / size
    if wasDrained, learning { noteEdges(event, waiting: waiting) }
    guard waiting > 0 else { return }
    let isFrozen = try freeze(bytes: bytes)
    if chip.pause > .zero { return }
    if isFrozen {
      bytes = try readLength()
      waiting = bytes / size
    }
    // The count covers whole frames and what tells of lost ones. Where that is more than batch or
    // bus take at once, the rest is read at once after; a frame that a read cuts off is given again
    // by the next.
    let found = try burst(
      bytes <= longestBurst ? bytes : max(1, longestBurst / size) &* size, into: &batch)
    guard batch.frames > 0 else {
      // Frames came and none was whole, or the queue told only of its losses.
      if found.skipped > 0 { hasGap = true }
      return
    }
    // The newest frame waiting was there at the count, and the one after it was not.
    let (short, long) = (clock.shortestPeriod, clock.longestPeriod)
    var earliest = before.advanced(by: long, times: -1)
    // A queue that ran over may have moved on between count and burst: then it is counted again
    // behind the burst.
    var latest = after
    var left = max(0, waiting &- batch.frames)
    // (If it was stopped, its end is that of the moment at which it was.)
    if found.skipped > 0, !isFrozen {
      let again = now
      left = try readLength() / size &+ (found.isMisaligned ? left : 0)
      earliest = again.advanced(by: long, times: -1)
      latest = now
    }
    // The frame that lifted the queue over its watermark was taken at the edge; those behind it
    // came after.
    let behindEdge = waiting &- codes.readout.watermark
    if event.edges > 0, behindEdge >= 0, found.skipped == 0, !isFrozen {
      let from = event.edgeTime.advanced(by: short, times: behindEdge)
        .advanced(by: .microseconds(-1))
      let to = event.edgeTime.advanced(by: long, times: behindEdge)
      if from <= latest, to >= earliest {
        earliest = max(earliest, from)
        latest = min(latest, to)
      }
    }
    stampFound(
      &batch, found, after: earliest.advanced(by: long, times: 0 &- left),
      notAfter: latest.advanced(by: short, times: 0 &- left))
    if isFrozen {
      // What one burst did not take is dropped.
      hasGap = true
    } else if !found.isMisaligned {
      remaining = left
      // Whatever came during a long read keeps the line up, which then rises no more: looked for at
      // once.
      if codes.readout.announcesSamples, batch.frames > 1 { remaining = max(left, 1) }
    }
  }

  /// Reads so many bytes out of the queue and sorts them.
  @inline(never)
  private mutating func burst(_ count: Int, into batch: inout RawBatch) throws(ChipError)
    -> BMI160Frames
  {
    try read(first: count, from: BMI160Map().fifoData, into: &batch)
    chip.holdsSamples = true
    let found = BMI160Frames.sort(
      &batch, bytes: count,
      header: hasGyro ? BMI160Header.gyroAndAccel : BMI160Header.accel,
      size: queueFrameSize)
    batch.frameSize = queueFrameSize
    noteFormat(&batch)
    if found.skipped > 0 { counters.overflows &+= 1 }
    if found.isIncomplete { hasGap = true }
    if found.isMisaligned {
      // Nothing behind a header that is none can be trusted: the queue is emptied. What was good
      // before it stays.
      counters.misconfigurations &+= 1
      flush()
      if batch.frames == 0 { hasGap = true }
    }
    return found
  }

  /// As `stamp`; behind a broken frame there is a gap again.
  @inline(never)
  private mutating func stampFound(
    _ batch: inout RawBatch, _ found: BMI160Frames, after earliest: Timestamp,
    notAfter latest: Timestamp
  ) {
    if batch.frames > 0 {
      stamp(&batch, skipped: found.skipped, after: earliest, notAfter: latest)
    }
    if found.isMisaligned { hasGap = true }
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
  /// `pause` where it is too early for it.
  @inline(never)
  private mutating func freeze(bytes: Int) throws(ChipError) -> Bool {
    let size = queueFrameSize
    // Full: no room for one more frame and what tells of lost ones.
    guard bytes &+ size &+ 2 > BMI160Chip.fifoSize, clock.newest != nil,
      clock.samplesElapsed(at: now) >= Int64(253 &+ bytes / size)
    else { return false }
    if let span = untilBetweenSamples {
      chip.pause = span
      return false
    }
    try bus.set(BMI160Map().fifoConfig1) { $0.fifoHeaderEn(true) }
    // Whatever happens until then, it has to run again.
    flush(hasTasks: true)
    hasGap = true
    return true
  }

  /// The time until the middle between two samples; `nil` where it is about there.
  private var untilBetweenSamples: TimeSpan? {
    guard let newest = clock.newest else { return nil }
    let period = clock.measuredPeriod.nanoseconds
    let elapsed = now.elapsed(since: newest).nanoseconds
    guard elapsed > 0 else { return nil }
    let into = elapsed % period
    // Parts of a period as shifts: it is positive.
    if into >= period >> 2, into <= (period &* 3) >> 2 { return nil }
    let middle = (into < period >> 2 ? period : period &* 3) >> 1
    return TimeSpan(nanoseconds: middle &- into)
  }

  /// Learns from a call whether the watermark's pin is wired, and whether it still works.
  private mutating func noteEdges(_ event: Event, waiting: Int) {
    if event.edges > 0 {
      chip.hasEdges = true
    } else if chip.hasEdges, waiting >= codes.readout.watermark + 2 {
      // The line was silent although the level was passed. Without it the queue is read by time
      // until an edge comes.
      counters.missedInterrupts &+= 1
      chip.hasEdges = false
    }
  }
}
