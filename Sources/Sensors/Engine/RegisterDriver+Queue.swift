// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The outcome of a look at a queue.
public struct QueueLook: BitwiseCopyable {
  /// Samples that wait in it.
  public var waiting: Int
  /// True where it ran over, or is so full that a sample which arrives before it is read would push
  /// out the oldest unseen.
  public var isOverrun: Bool
  /// The moment at which the chip had told it, where more was done afterwards; `nil` where nothing
  /// was.
  public var seen: Timestamp?

  public init(waiting: Int, isOverrun: Bool = false, seen: Timestamp? = nil) {
    self.waiting = waiting
    self.isOverrun = isOverrun
    self.seen = seen
  }
}

// Samples out of a queue, and the time of the next look at it.
extension RegisterDriver where Bus: ~Copyable {
  /// True where the line announces each sample of the queue.
  @inlinable @inline(__always)
  package var announcesSamples: Bool {
    Bus.abilities.isSuperset(of: [.fifo, .dataReady]) && codes.readout.announcesSamples
  }

  /// True where the queue is read by its count: it has no watermark, or pulses announce each
  /// sample.
  @inlinable @inline(__always)
  var countsSamples: Bool {
    Chip.queueCount != 0 && (!Chip.hasWatermark || announcesSamples)
  }

  /// Takes as many samples out of the queue as batch and bus take at once.
  @inlinable
  package mutating func drainQueue(_ event: Event, at now: Timestamp, into batch: inout RawBatch)
    throws(ChipError)
  {
    guard countsSamples else { return try drainWatermarked(event, at: now, into: &batch) }
    guard event.edges == 0, announcesSamples else {
      return try drainCounted(event, at: now, into: &batch)
    }
    // Called to compare the configuration, to read the rest, or because an edge is missing?
    let isContinued = remaining > 0 || hasGap
    guard isContinued || isSilent || isOverdue else { return }
    try drainCounted(event, at: now, into: &batch)
    if !isContinued, batch.frames > 0 || !isSilent { noteSilence() }
  }

  /// Reads the count and the frames in a burst. At an edge the first one comes with the count, so
  /// that a call that comes late finds what an earlier edge told of, and all others after it.
  @inlinable
  mutating func drainCounted(
    _ event: Event, at before: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) {
    let isTold = announcesSamples && event.edges > 0
    if isTold {
      silence = 0
      // The edge of a frame that an earlier read has taken, or that was there before the queue was
      // emptied.
      let known = clock.newest.map { $0 + clock.measuredPeriod / 4 } ?? lastLook
      guard event.edgeTime > max(known, lastLook) else { return }
    }
    let isLate = remaining > 0 || hasGap
    remaining = 0
    // Losses are counted by time, which is sure between two samples.
    if hasGap, clock.isNearSample(before.advanced(by: lookSpan.halved(1))) { return }
    let size = Chip.queueFrameSize(of: self)
    let first = isTold && !isLate && bus.longestRead >= size &+ 2 ? 1 : 0
    let bytes = try readCount(and: first &* size, into: &batch)
    // On time it is the edge that says when.
    let isOnTime =
      first == 1 && bytes == size && before.elapsed(since: event.edgeTime) < clock.shortestPeriod
    let after = isOnTime ? before : now
    if !isOnTime { lookSpan = after.elapsed(since: before) }
    // A full queue drops its oldest bytes and with them the frame boundary. Three frames of room
    // keep a sample that arrives between this look and the read from crossing that line unseen.
    if bytes > Chip.queueSize(of: self) &- 3 &* size { return noteOverflow() }
    guard bytes >= size else {
      if first == 1 {
        // Not yet there, and so torn.
        hasGap = true
        flush()
      } else if let newest = clock.newest, before.elapsed(since: newest) > clock.measuredPeriod * 3
      {
        // Nothing although two samples were due: a chip that lost its supply.
        try verifyRunning()
      }
      return
    }
    let waiting = bytes / size
    // Only whole frames; the rest is read at once after.
    let frames = max(1, min(waiting, min(RawBatch.capacity, bus.longestRead) / size))
    do { try readQueue(first, frames, of: size, into: &batch) } catch {
      // The first has left the queue and is lost with the error.
      if first == 1 { hasGap = true }
      throw error
    }
    if isOnTime, batch.frames == 1 {
      stamp(&batch, after: event.edgeTime - .microseconds(1), notAfter: event.edgeTime)
      batch.newest = event.edgeTime
      return
    }
    let isKnown = isTold && !hasGap
    finish(
      &batch, frames, of: waiting, before: before, after: after,
      edge: isKnown ? event.edgeTime : nil,
      ahead: isKnown ? frames &- Int(clamping: clock.samplesElapsed(at: event.edgeTime)) : 0)
  }

  /// Reads the bytes in the queue and, from its port behind the count, so many of them.
  @inlinable @inline(__always)
  mutating func readCount(and bytes: Int, into batch: inout RawBatch) throws(ChipError) -> Int {
    var span = batch.bytes.mutableSpan
    var wanted = span._mutatingExtracting(first: bytes &+ 2)
    try bus.fetch(
      &wanted, from: Chip.queueCount, blaming: bytes > 0 ? Chip.port(of: self) : Chip.queueCount)
    let count = Int(batch.byte(0)) << 8 | Int(batch.byte(1))
    for index in 0..<bytes { batch.bytes[index] = batch.byte(index &+ 2) }
    return count
  }

  /// Reads samples `first` to `frames` out of the queue to their places, and has the chip say what
  /// they are.
  @inlinable
  mutating func readQueue(_ first: Int, _ frames: Int, of size: Int, into batch: inout RawBatch)
    throws(ChipError)
  {
    if frames > first {
      let port = Chip.port(of: self)
      var span = batch.bytes.mutableSpan
      var wanted = span._mutatingExtracting(first &* size..<frames &* size)
      try bus.fetch(&wanted, from: port, blaming: port)
    }
    batch.frames = frames
    batch.frameSize = size
    Chip.describe(&batch, of: self)
  }

  /// Reads what waits behind a watermark, whose line rose with the sample that filled it.
  @inlinable
  mutating func drainWatermarked(
    _ event: Event, at before: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) {
    let isContinued = remaining > 0
    remaining = 0
    let look = try Chip.lookAtQueue(&self)
    let after = look.seen ?? now
    lookSpan = after.elapsed(since: before)
    if look.isOverrun { return noteOverflow() }
    let watermark = codes.readout.watermark
    if !isContinued { noteLine(event, waiting: look.waiting, watermark: watermark) }
    guard look.waiting > 0 else { return }
    let size = Chip.queueFrameSize(of: self)
    let frames = max(1, min(look.waiting, min(RawBatch.capacity, bus.longestRead) / size))
    try readQueue(0, frames, of: size, into: &batch)
    // Where the edge contradicts the look, it was that of an earlier fill.
    finish(
      &batch, frames, of: look.waiting, before: before, after: after,
      edge: event.edges == 1 ? event.edgeTime : nil, ahead: batch.frames &- watermark)
    // Whatever came during a long read keeps the line up, which then rises no more: looked for at
    // once.
    if announcesSamples, frames > 1 { remaining = max(remaining, 1) }
  }

  /// Gives times to the batch that was read: `frames` of those that waited, or those before one
  /// that is none, behind which nothing can be trusted.
  @inlinable
  mutating func finish(
    _ batch: inout RawBatch, _ frames: Int, of waiting: Int, before: Timestamp, after: Timestamp,
    edge: Timestamp?, ahead: Int
  ) {
    remaining = waiting &- batch.frames
    if batch.frames > 0 {
      stampQueue(&batch, before: before, after: after, edge: edge, ahead: ahead)
    }
    guard Chip.checksFrames, batch.frames < frames else { return }
    counters.misconfigurations &+= 1
    hasGap = true
    flush()
    remaining = 0
  }

  /// The time of the next look at the queue.
  @inlinable
  package var queueWake: Wake {
    if remaining > 0 { return .after(.zero) }
    guard countsSamples else { return watermarkWake }
    // A late look to count what was lost is not the line's to call for.
    return announcesSamples && !isSilent && !hasGap ? edgeWake : countWake
  }

  /// The next look at a queue that is read by time: when it says most about the times of samples,
  /// half a period to either side.
  @inlinable
  var countWake: Wake {
    let period = clock.measuredPeriod
    // A look that would have been too near to a sample: half a period later it is not.
    if hasGap, clock.isNearSample(now.advanced(by: lookSpan.halved(1))) {
      return .after(period.halved(1))
    }
    let span = max(codes.readout.batchInterval, period) - period.halved(1)
    guard let look = clock.look(after: now.advanced(by: span), latency: lookSpan.halved(1)) else {
      return .after(span)
    }
    // Losses are counted by time, which is sure between two samples.
    return .at(hasGap ? look.advanced(by: period.halved(1)) : look)
  }

  /// Learns from a look that found `waiting` samples whether the line is wired, and counts its
  /// silences.
  @usableFromInline
  package mutating func noteLine(_ event: Event, waiting: Int, watermark: Int) {
    if event.edges > 0 {
      isWired = true
    } else if waiting >= watermark + 2 {
      // By now it should have risen.
      if isWired == true { counters.missedInterrupts += 1 }
      isWired = isWired ?? false
    }
  }

  /// The time of the next look at a queue with a watermark. Where its line is wired, a look just
  /// before it rises would keep it from rising, ever again.
  @usableFromInline
  var watermarkWake: Wake {
    let period = clock.measuredPeriod
    let fill = period * Int64(codes.readout.watermark)
    let now = self.now
    guard isWired == false else { return .onInterrupt(until: now + (fill + fill / 8 + period * 2)) }
    let look = clock.look(after: now + (fill - period / 2), latency: lookSpan / 2)
    // Losses are counted by time, which is sure between two samples.
    return .onInterrupt(until: look.map { $0 + (hasGap ? period / 2 : .zero) } ?? now + fill)
  }
}
