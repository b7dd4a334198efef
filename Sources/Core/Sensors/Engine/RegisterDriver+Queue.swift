// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

// Functions that read samples from a FIFO and schedule the next poll.
extension RegisterDriver where Bus: ~Copyable {
  /// True if the chip's interrupt line signals each sample in the FIFO.
  @inlinable @inline(__always)
  package var announcesSamples: Bool {
    Bus.abilities.isSuperset(of: [.fifo, .dataReady]) && codes.readout.announcesSamples
  }
}

extension RegisterDriver where Chip.Queue: CountedQueue, Bus: ~Copyable {
  /// Reads samples from a FIFO with a byte count, if samples are due.
  @inlinable
  package mutating func drainCounted(_ event: Event, at now: Timestamp, into batch: inout RawBatch)
    throws(ChipError)
  {
    guard event.edges == 0, announcesSamples else {
      return try readCounted(event, at: now, into: &batch)
    }
    // A step of the driver without an interrupt edge may be due only for verification. Such a step
    // reads the FIFO only if samples remain, after a gap, or if an edge is missing.
    let isContinued = remaining > 0 || hasGap
    guard isContinued || isSilent || isOverdue else { return }
    try readCounted(event, at: now, into: &batch)
    if !isContinued, batch.frames > 0 || !isSilent { noteSilence() }
  }

  /// Reads the FIFO's byte count and its frames in one burst. At an interrupt edge the function
  /// reads the first frame together with the count, so that a late call still finds the sample of
  /// that edge and all later samples.
  @inlinable
  mutating func readCounted(
    _ event: Event, at before: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) {
    let hasEdge = announcesSamples && event.edges > 0
    if hasEdge {
      silence = 0
      // An interrupt edge at or before the last read belongs to a frame that was already read, or
      // to a frame from before the FIFO was emptied.
      let known = clock.newest.map { $0 + clock.measuredPeriod / 4 } ?? lastPoll
      guard event.edgeTime > max(known, lastPoll) else { return }
    }
    let isLate = remaining > 0 || hasGap
    remaining = 0
    // Lost samples are counted from the elapsed time. The count is unambiguous only at a time well
    // between two samples.
    if hasGap, clock.isNearSample(before.advanced(by: pollDuration.halved(1))) { return }
    let size = Chip.Queue.frameSize(of: self)
    let first = hasEdge && !isLate && bus.longestRead >= size &+ 2 ? 1 : 0
    let bytes = try readCount(and: first &* size, into: &batch)
    // If the read is on time, the sample was taken at the interrupt edge.
    let isOnTime =
      first == 1 && bytes == size && before.elapsed(since: event.edgeTime) < clock.shortestPeriod
    let after = isOnTime ? before : now
    if !isOnTime { pollDuration = after.elapsed(since: before) }
    // A full FIFO drops its oldest bytes, so that the position of the frames is unknown. The margin
    // of three frames covers samples that arrive between the read of the count and the read of the
    // frames.
    if bytes > Chip.Queue.size(of: self) &- 3 &* size { return noteOverflow() }
    guard bytes >= size else {
      if first == 1 {
        // The FIFO frame was read before the chip had written all of it.
        hasGap = true
        beginDiscarding()
      } else if let newest = clock.newest, before.elapsed(since: newest) > clock.measuredPeriod * 3
      {
        // Two samples are overdue, so the chip may have lost its supply.
        try verifyRunning()
      }
      return
    }
    let waiting = bytes / size
    // Only complete frames are read; the rest follows in the next step, without a wait.
    let frames = max(1, min(waiting, min(RawBatch.capacity, bus.longestRead) / size))
    do { try readQueue(first, frames, of: size, into: &batch) } catch {
      // The first frame was already removed from the FIFO, so a bus error loses that frame.
      if first == 1 { hasGap = true }
      throw error
    }
    if isOnTime, batch.frames == 1 {
      stamp(&batch, after: event.edgeTime - .microseconds(1), notAfter: event.edgeTime)
      batch.newest = event.edgeTime
      return
    }
    let isKnown = hasEdge && !hasGap
    finish(
      &batch, frames, of: waiting, before: before, after: after,
      edge: isKnown ? event.edgeTime : nil,
      ahead: isKnown ? frames &- Int(clamping: clock.samplesElapsed(at: event.edgeTime)) : 0)
  }

  /// Reads the byte count of the FIFO and then `bytes` bytes from the data register after it.
  @inlinable @inline(__always)
  mutating func readCount(and bytes: Int, into batch: inout RawBatch) throws(ChipError) -> Int {
    var span = batch.bytes.mutableSpan
    var wanted = span._mutatingExtracting(first: bytes &+ 2)
    try bus.fetch(
      &wanted, from: Chip.Queue.count,
      blaming: bytes > 0 ? Chip.Queue.port(of: self) : Chip.Queue.count)
    let count = Int(batch.byte(0)) << 8 | Int(batch.byte(1))
    for index in 0..<bytes { batch.bytes[index] = batch.byte(index &+ 2) }
    return count
  }
}

extension RegisterDriver where Bus: ~Copyable {
  /// Reads the samples from index `first` up to, but not including, `frames` from the FIFO to their
  /// places in the batch. Afterwards the chip's `describe` checks the samples and completes the
  /// description of the batch.
  @inlinable
  mutating func readQueue(_ first: Int, _ frames: Int, of size: Int, into batch: inout RawBatch)
    throws(ChipError)
  {
    if frames > first {
      let port = Chip.Queue.port(of: self)
      var span = batch.bytes.mutableSpan
      var wanted = span._mutatingExtracting(first &* size..<frames &* size)
      try bus.fetch(&wanted, from: port, blaming: port)
    }
    batch.frames = frames
    batch.frameSize = size
    Chip.describe(&batch, of: self)
  }
}

extension RegisterDriver where Chip.Queue: WatermarkQueue, Bus: ~Copyable {
  /// Reads a FIFO with a watermark. The FIFO's interrupt line became active with the sample that
  /// reached the watermark.
  @inlinable
  package mutating func drainWatermarked(
    _ event: Event, at before: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) {
    let isContinued = remaining > 0
    remaining = 0
    let status = try Chip.Queue.readFillLevel(&self)
    let after = status.seen ?? now
    pollDuration = after.elapsed(since: before)
    if status.isOverrun { return noteOverflow() }
    let watermark = codes.readout.watermark
    if !isContinued { noteLine(event, waiting: status.waiting, watermark: watermark) }
    guard status.waiting > 0 else { return }
    let size = Chip.Queue.frameSize(of: self)
    let frames = max(1, min(status.waiting, min(RawBatch.capacity, bus.longestRead) / size))
    try readQueue(0, frames, of: size, into: &batch)
    // An interrupt edge that contradicts the fill level belongs to an earlier fill of the FIFO.
    finish(
      &batch, frames, of: status.waiting, before: before, after: after,
      edge: event.edges == 1 ? event.edgeTime : nil, ahead: batch.frames &- watermark)
    // Samples that arrived during a long read keep the interrupt line high, so no further edge
    // comes: poll again without waiting.
    if announcesSamples, frames > 1 { remaining = max(remaining, 1) }
  }
}

extension RegisterDriver where Bus: ~Copyable {
  /// Sets the timestamps of the batch, whose `frames` frames are the first of `waiting` in the
  /// FIFO. Frames after an invalid frame are dropped.
  @inlinable
  mutating func finish(
    _ batch: inout RawBatch, _ frames: Int, of waiting: Int, before: Timestamp, after: Timestamp,
    edge: Timestamp?, ahead: Int
  ) {
    remaining = waiting &- batch.frames
    if batch.frames > 0 {
      stampQueue(&batch, before: before, after: after, edge: edge, ahead: ahead)
    }
    guard Chip.Queue.checksFrames, batch.frames < frames else { return }
    counters.misconfigurations &+= 1
    hasGap = true
    beginDiscarding()
    remaining = 0
  }

  /// The time of the next poll of a FIFO with a byte count. If the FIFO is read at intervals, this
  /// is the time, within half a period, at which a poll narrows the possible sample times the most.
  @inlinable
  package var nextCountPoll: NextStep {
    if remaining > 0 { return .after(.zero) }
    // A delayed poll that counts lost samples must not be triggered by the interrupt line.
    if announcesSamples, !isSilent, !hasGap { return nextEdgeWait }
    let period = clock.measuredPeriod
    // A poll now would be too close to a sample to count losses, so poll half a period later.
    if hasGap, clock.isNearSample(now.advanced(by: pollDuration.halved(1))) {
      return .after(period.halved(1))
    }
    let span = max(codes.readout.batchInterval, period) - period.halved(1)
    guard let poll = clock.pollTime(after: now.advanced(by: span), latency: pollDuration.halved(1))
    else {
      return .after(span)
    }
    // Lost samples are counted from the elapsed time. The count is unambiguous only at a time well
    // between two samples.
    return .at(hasGap ? poll.advanced(by: period.halved(1)) : poll)
  }

  /// Uses a poll that found `waiting` samples to determine whether the interrupt line is wired, and
  /// counts missed interrupts.
  @usableFromInline
  package mutating func noteLine(_ event: Event, waiting: Int, watermark: Int) {
    if event.edges > 0 {
      isWired = true
    } else if waiting >= watermark + 2 {
      // The interrupt line should have become active before this poll.
      if isWired == true { counters.missedInterrupts += 1 }
      isWired = isWired ?? false
    }
  }

  /// The time of the next poll of a FIFO with a watermark. If the FIFO's line is wired, no poll
  /// comes just before the watermark, because such a poll would prevent the line from ever becoming
  /// active.
  @usableFromInline
  package var nextWatermarkPoll: NextStep {
    if remaining > 0 { return .after(.zero) }
    let period = clock.measuredPeriod
    let fill = period * Int64(codes.readout.watermark)
    let now = self.now
    guard isWired == false else { return .onInterrupt(until: now + (fill + fill / 8 + period * 2)) }
    let poll = clock.pollTime(after: now + (fill - period / 2), latency: pollDuration / 2)
    // Lost samples are counted from the elapsed time. The count is unambiguous only at a time well
    // between two samples.
    return .onInterrupt(until: poll.map { $0 + (hasGap ? period / 2 : .zero) } ?? now + fill)
  }
}
