// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

// Functions that read samples and assign their timestamps.
extension RegisterDriver where Bus: ~Copyable {
  /// Returns true if the driver uses this acquisition mode. The result is constant if the
  /// connection allows only one mode.
  @inlinable @inline(__always)
  package func acquires(_ way: Acquisition) -> Bool { Bus.acquires(way, of: codes.acquisition) }

  /// Reads a frame of `size` bytes starting at `register`, and writes the batch's format.
  @inlinable
  package mutating func readFrame<Layout, Access: ReadableAccess>(
    of size: Int, from register: Register<Layout, Access>, into batch: inout RawBatch
  ) throws(ChipError) {
    try read(first: size, from: register, into: &batch)
    batch.frames = 1
    batch.frameSize = size
    Chip.describe(&batch, of: self)
  }

  /// Reads a status register and, in the same burst, the frame of `size` bytes that follows it.
  /// Returns the status.
  @inlinable
  package mutating func readFrame<Layout, Access: ReadableAccess>(
    of size: Int, after status: Register<Layout, Access>, into batch: inout RawBatch
  ) throws(ChipError) -> Contents<Layout> {
    try read(first: size &+ 1, from: status, into: &batch)
    let contents = status.contents(batch.byte(0))
    for index in 0..<size { batch.bytes[index] = batch.byte(index &+ 1) }
    batch.frameSize = size
    return contents
  }

  /// Reads `count` bytes starting at `register`, or from the FIFO, to the start of `batch`.
  @inlinable @inline(__always)
  package mutating func read<Layout, Access: ReadableAccess>(
    first count: Int, from register: Register<Layout, Access>, into batch: inout RawBatch
  ) throws(ChipError) {
    var span = batch.bytes.mutableSpan
    // `_mutatingExtracting` is the standard library's 6.3 name for `extracting(first:)`; SE-0467
    // removes the underscore.
    var part = span._mutatingExtracting(first: count)
    try bus.read(&part, from: register)
  }

  /// Reads bytes from the FIFO to `places` in `batch`.
  @inlinable @inline(__always)
  package mutating func read<Layout, Access: ReadableAccess>(
    _ places: Range<Int>, from register: Register<Layout, Access>, into batch: inout RawBatch
  ) throws(ChipError) {
    var span = batch.bytes.mutableSpan
    var part = span._mutatingExtracting(places)
    try bus.read(&part, from: register)
  }

  /// Returns the time of the next step. Detections that no interrupt line signals are polled every
  /// `interval`.
  @inlinable @inline(__always)
  package func nextStep(detecting interval: TimeSpan = .seconds(1)) -> NextStep {
    if acquires(.fifo) { return Chip.Queue.nextStep(self) }
    return acquires(.detections) ? .onInterrupt(until: lastStep + interval) : nextPoll
  }

  /// Counts a sample that came without an interrupt edge.
  @inlinable
  package mutating func noteSilence() {
    counters.missedInterrupts &+= 1
    if Bus.abilities.contains(.polling) { silence = min(silence &+ 1, Self.longestSilence) }
  }

  /// The number of consecutive samples without an interrupt edge after which the chip is polled.
  /// Without polling, reads would come several periods late and could not determine how many
  /// samples were lost.
  @inlinable
  static var longestSilence: Int { 3 }

  /// True if polling replaces the interrupt line until the line's next edge, because too many
  /// samples came without an edge and the driver can poll.
  @inlinable
  package var isSilent: Bool {
    Bus.abilities.contains(.polling) && silence == Self.longestSilence
  }

  /// True if a sample should have activated the interrupt pin half a period ago.
  @inlinable
  package var isOverdue: Bool {
    let period = clock.measuredPeriod
    return now >= (clock.next ?? lastPoll.advanced(by: period)).advanced(by: period / 2)
  }

  /// The driver's next step for a chip with a data-ready line: at the next edge, or a timeout after
  /// four periods.
  @inlinable
  package var nextEdgeWait: NextStep {
    let timeout = max(clock.measuredPeriod * 4, .milliseconds(20))
    return .onInterrupt(until: lastStep.advanced(by: min(timeout, Chip.longestWait(self))))
  }

  /// The driver's next step for a chip whose output registers are read.
  @inlinable
  package var nextPoll: NextStep {
    let period = clock.measuredPeriod
    if acquires(.dataReady), !isSilent {
      // An interrupt line that stays high until it is read gives no further edge, so the postponed
      // sample is polled.
      let isPutOff = Bus.abilities.contains(.polling) && hasGap
      return isPutOff ? .onInterrupt(until: now.advanced(by: period.halved(1))) : nextEdgeWait
    }
    let longest = Chip.longestWait(self)
    // If the sample was not ready, the chip is polled every eighth of a period.
    let now = self.now
    if let poll = clock.pollTime(counters.received), poll > now {
      return .at(min(poll, now.advanced(by: longest)))
    }
    return .after(min(period / 8, longest))
  }

  /// The longest time from a sample to its interrupt edge.
  @inlinable
  package static var interruptLatency: TimeSpan { .microseconds(50) }

  /// Sets the timestamps of the batch: its newest frame was taken after `earliest` and not after
  /// `latest`. The chip reported that `skipped` samples were lost before the first frame. If there
  /// is a gap, the number of lost samples is computed from the elapsed time.
  @inlinable
  package mutating func stamp(
    _ batch: inout RawBatch, skipped: Int = 0, after earliest: Timestamp,
    notAfter latest: Timestamp
  ) {
    clock.stamp(
      &batch, skipped: skipped, after: earliest, notAfter: latest, hasGap: &hasGap,
      health: &counters)
  }

  /// Sets the timestamps of frames from a FIFO in which `remaining` frames are left. The fill level
  /// was read between `before` and `after`: the newest counted frame was present at that time, and
  /// the frame after it was not. `edge`, if consistent with these times, is the time of the sample
  /// `ahead` places before the newest frame.
  @inlinable
  package mutating func stampQueue(
    _ batch: inout RawBatch, skipped: Int = 0, before: Timestamp, after: Timestamp,
    edge: Timestamp?, ahead: Int
  ) {
    let (shortest, longest) = (clock.shortestPeriod, clock.longestPeriod)
    // Time spans from the poll are short, so their sums cannot overflow.
    let left = Int64(truncatingIfNeeded: remaining)
    var earliest = longest * (-1 &- left)
    var latest = after.elapsed(since: before) - shortest * left
    if let edge {
      let (short, long) = (shortest * Int64(ahead), longest * Int64(ahead))
      let time = edge - before
      let from = time + min(short, long) - .microseconds(1)
      let to = time + max(short, long)
      if from <= latest, to >= earliest {
        earliest = max(earliest, from)
        latest = min(latest, to)
      }
    }
    stamp(
      &batch, skipped: skipped, after: before.advanced(by: earliest),
      notAfter: before.advanced(by: latest))
  }
}

extension RegisterDriver where Chip: SampledChip, Bus: ~Copyable {
  /// Does the work other than sampling that is due, then reads the available samples.
  @inlinable @inline(__always)
  package mutating func readSamples(_ event: Event, into batch: inout RawBatch) throws(ChipError) {
    var now = self.now
    if try Chip.doPeriodicWork(&self, event, at: now, into: &batch) { now = self.now }
    if acquires(.fifo) {
      try Chip.Queue.drain(&self, event, at: now, into: &batch)
    } else if !acquires(.detections) {
      try readRegisters(event, at: now, into: &batch)
    }
  }

  /// Reads a sample that is due or that an interrupt edge has signalled.
  @inlinable
  package mutating func readRegisters(
    _ event: Event, at now: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) {
    guard acquires(.dataReady) else {
      try readIfReady(into: &batch)
      // Four periods without a sample have passed, so the chip may have lost its supply.
      if batch.frames == 0, let newest = clock.newest,
        lastPoll.elapsed(since: newest) > clock.measuredPeriod * 4
      {
        try verifyRunning()
      }
      return
    }
    if event.edges > 0 {
      silence = 0
      try readOnEdge(event, at: now, into: &batch)
      return
    }
    // After a failed read a pin that stays high gives no further edge, and the interrupt line may
    // be broken, so the chip is polled.
    let isExpected = !hasGap
    try readIfReady(into: &batch)
    // A sample that was due is missing, so verify that the chip still runs.
    if batch.frames == 0 { return try verifyRunning() }
    if isExpected { noteSilence() }
  }

  @inlinable
  mutating func readOnEdge(_ event: Event, at before: Timestamp, into batch: inout RawBatch)
    throws(ChipError)
  {
    let period = clock.measuredPeriod
    let known = clock.newest.map { $0.advanced(by: period.halved(2)) } ?? lastPoll
    // An earlier poll already read the sample of this interrupt edge.
    guard event.edgeTime > max(known, lastPoll) else { return try readIfReady(into: &batch) }
    if Bus.abilities.contains(.polling), before.elapsed(since: event.edgeTime) > period * 7 / 8 {
      // The read is so late that a newer sample has replaced the sample of this interrupt edge. A
      // poll determines when the newer sample was taken. But the result of a poll is ambiguous
      // close to the time of a further sample, so wait for half a period or the next edge.
      hasGap = true
      return clock.isNearSample(before) ? () : try readIfReady(into: &batch)
    }
    hasEdge = true
    defer { hasEdge = false }
    let status = try Chip.readSample(&self, into: &batch)
    guard status.isReady else {
      batch.frames = 0
      return
    }
    batch.frames = 1
    if event.edges > 1 || status.isOverrun { hasGap = true }
    stamp(
      &batch, after: event.edgeTime.advanced(by: Self.interruptLatency, times: -1),
      notAfter: event.edgeTime)
    batch.newest = event.edgeTime
  }

  @inlinable
  package mutating func readIfReady(into batch: inout RawBatch) throws(ChipError) {
    let before = now
    let status = try Chip.readSample(&self, into: &batch)
    let after = status.seen ?? now
    defer { lastPoll = before }
    guard status.isReady else { return }
    batch.frames = 1
    if status.isOverrun { hasGap = true }
    stamp(
      &batch, after: max(lastPoll, before.advanced(by: clock.longestPeriod, times: -1)),
      notAfter: after)
  }
}
