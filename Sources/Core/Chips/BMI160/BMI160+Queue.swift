// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

// Reads FIFO samples and interprets their headers.
extension BMI160Chip {
  public enum Queue: ChipQueue {
    public static func port(of driver: borrowing BMI160<some ChipBus>) -> UInt8 {
      BMI160Map().fifoData.address
    }

    public static func frameSize(of driver: borrowing BMI160<some ChipBus>) -> Int {
      driver.queueFrameSize
    }

    @inlinable
    public static var losesAlignment: Bool { true }

    /// Reads the chip's FIFO in one burst of whole frames.
    public static func drain(
      _ driver: inout BMI160<some ChipBus>, _ event: Event, at now: Timestamp,
      into batch: inout RawBatch
    ) throws(ChipError) {
      try driver.drain(event, at: now, into: &batch)
      // If the driver is not running, the FIFO is cleared after this read, and samples taken in
      // between are lost.
      if !driver.isRunning { driver.hasGap = true }
    }

    public static func nextStep(_ driver: borrowing BMI160<some ChipBus>) -> NextStep {
      driver.chip.isWaiting
        ? .after(driver.clock.measuredPeriod.halved(1)) : driver.nextWatermarkPoll
    }
  }
}

extension RegisterDriver where Chip == BMI160Chip, Bus: ~Copyable {
  mutating func drain(_ event: Event, at now: Timestamp, into batch: inout RawBatch)
    throws(ChipError)
  {
    let isPolling = !chip.isWaiting
    chip.isWaiting = false
    // The read requests one byte more than a batch: if that byte is not a frame header, the FIFO is
    // empty after the batch.
    let prompt = codes.readout.watermark &* queueFrameSize &+ 1
    // If more than 13 periods have passed since the interrupt pin's edge, the FIFO may have
    // overflowed, so its length must be read first.
    let isFresh = now.elapsed(since: event.edgeTime) < clock.measuredPeriod * 13
    if event.edges > 0, isFresh, isWired == true, remaining == 0, !hasGap, prompt <= longestBurst {
      try drainBatch(event, bytes: prompt, into: &batch)
    } else {
      try drainCounted(event, learning: isPolling, into: &batch)
    }
  }

  private var longestBurst: Int { min(RawBatch.capacity, bus.longestRead) }

  /// Reads one batch without reading the FIFO's length first. At the interrupt edge that signals
  /// the watermark, the FIFO holds exactly one batch, and its last frame was taken at that edge.
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
      // More frames arrived during the read, or the interrupt edge belonged to frames that had been
      // read before.
      let again = now
      left = try countAgain()
      if !isWhole {
        // If the burst contained an invalid header, it also removed the frames after that header
        // from the FIFO, and these frames could not be decoded.
        let behind = left &+ (found.isMisaligned ? watermark &- batch.frames : 0)
        earliest = again.advanced(by: clock.longestPeriod, times: -1 &- behind)
        latest = now.advanced(by: clock.shortestPeriod, times: 0 &- behind)
      }
    }
    stamp(&batch, skipped: found.skipped, after: earliest, notAfter: latest)
    // If fewer frames than the watermark remain, the next interrupt edge signals them.
    if isRunning, left >= watermark { remaining = left }
  }

  /// Reads the FIFO's length, then that many bytes. `learning` is false if the preceding read was
  /// postponed; the interrupt line's level then does not show whether the pin is wired.
  private mutating func drainCounted(
    _ event: Event, learning: Bool, into batch: inout RawBatch
  ) throws(ChipError) {
    let size = queueFrameSize
    let watermark = codes.readout.watermark
    var before = now
    // Lost samples are counted from the elapsed time. The count is exact halfway between two
    // samples but ambiguous near a sample, so wait for a better moment.
    chip.isWaiting = hasGap && event.edges == 0 && clock.isNearSample(before)
    if chip.isWaiting { return }
    let wasDrained = remaining == 0
    remaining = 0
    var bytes = try readLength()
    var after = now
    pollDuration = after.elapsed(since: before)
    if wasDrained, learning { noteLine(event, waiting: bytes / size, watermark: watermark) }
    guard bytes >= size else { return }
    let isFrozen = try freeze(bytes: bytes)
    if chip.isWaiting { return }
    if isFrozen { bytes = try readLength() }
    // The FIFO's length covers complete frames and the skip frames that report losses. If the
    // length exceeds what the batch or bus can hold, the rest is read right afterwards, and the
    // chip repeats a frame that was cut off.
    let found = try burst(
      bytes <= longestBurst ? bytes : max(1, longestBurst / size) &* size, into: &batch)
    guard batch.frames > 0 else { return }
    remaining = max(0, bytes / size &- batch.frames)
    // An overflowing FIFO may drop frames between the read of its length and the burst, so the
    // length is read again. (In a stopped FIFO the last frame is the frame at which the FIFO
    // stopped.)
    if found.skipped > 0, !isFrozen {
      before = now
      remaining = try countAgain() &+ (found.isMisaligned ? remaining : 0)
      after = now
    }
    // The frame that reached the watermark was taken at the interrupt edge; all later frames were
    // taken after that edge.
    let isEdgeUsable =
      event.edges > 0 && bytes / size >= watermark && found.skipped == 0 && !isFrozen
    stampQueue(
      &batch, skipped: found.skipped, before: before, after: after,
      edge: isEdgeUsable ? event.edgeTime : nil, ahead: batch.frames &- watermark)
    if !isRunning {
      remaining = 0
    } else if announcesSamples, batch.frames > 1 {
      // Samples that arrived during a long read keep the interrupt line high, so no further edge
      // comes: poll again without waiting.
      remaining = max(remaining, 1)
    }
  }

  /// Reads the FIFO's length after a burst, in frames. If the read of the length fails, the frames
  /// of the burst are lost and a gap is recorded.
  private mutating func countAgain() throws(ChipError) -> Int {
    do { return try readLength() / queueFrameSize } catch {
      hasGap = true
      throw error
    }
  }

  /// Reads `count` bytes from the FIFO and moves the complete frames to the start of the batch.
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
      // The data after an invalid header cannot be decoded, so the FIFO is cleared. Valid frames
      // before the header are kept.
      counters.misconfigurations &+= 1
      beginDiscarding()
    }
    if found.isIncomplete || batch.frames == 0 && !found.isWhole { hasGap = true }
    return found
  }

  /// Reads the FIFO's length in bytes.
  private mutating func readLength() throws(ChipError) -> Int {
    let map = BMI160Map()
    let count: InlineArray<2, UInt8> = try bus.bytes(from: map.fifoLength0)
    let bytes = Int(count[1] & map.fifoLength1.layout.mask) << 8 | Int(count[0])
    guard bytes <= BMI160Chip.fifoSize else {
      // A FIFO length above 1024 means that no chip drives the data line: after a supply failure
      // the chip is no longer in SPI mode.
      throw .unexpected(register: map.fifoLength1.address, wanted: 0x04, found: count[1])
    }
    return bytes
  }

  /// Stops the FIFO between two samples if the chip's counter of lost frames may have overflowed.
  /// That counter saturates at 255, so the loss is computed from the elapsed time instead. Returns
  /// true if the FIFO was stopped. Sets `isWaiting` if the stop must wait for a moment between two
  /// samples.
  @inline(never)
  private mutating func freeze(bytes: Int) throws(ChipError) -> Bool {
    let size = queueFrameSize
    // The FIFO is full if one more data frame and a skip frame do not fit.
    guard bytes &+ size &+ 2 > BMI160Chip.fifoSize, clock.newest != nil,
      clock.samplesElapsed(at: now) >= Int64(253 &+ bytes / size)
    else { return false }
    chip.isWaiting = clock.isNearSample(now)
    if chip.isWaiting { return false }
    try bus.set(BMI160Map().fifoConfig1) { $0.fifoHeaderEn(true) }
    // A stopped FIFO must be restarted, so the restart is scheduled here, before a later read can
    // fail.
    beginDiscarding(after: .queueRestart)
    hasGap = true
    return true
  }
}
