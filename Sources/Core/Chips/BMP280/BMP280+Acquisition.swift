// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

// Functions that read the barometer's conversions in normal mode and in forced mode.
extension RegisterDriver where Chip == BMP280Chip, Bus: ~Copyable {
  /// In normal mode, polls whether a conversion is running, and reads the result of a conversion
  /// once it has certainly ended.
  mutating func pollCycle(into batch: inout RawBatch) throws(ChipError) {
    let before = now
    let status = try bus.read(BMP280Map().status)
    let after = now
    guard status({ $0.measuring }) != true else {
      guard let seen = chip.busy else {
        chip.busy = BMP280Busy(first: before, firstSeen: after, newest: before)
        return
      }
      // Until the longest conversion time has passed, a running conversion may still be the one
      // that was observed first. The pause before the next conversion can be too short to observe.
      guard before >= seen.firstSeen.advanced(by: codes.longest) else {
        chip.busy?.newest = before
        return
      }
      // The previous conversion ended before a pause, and the running conversion started within the
      // longest conversion time.
      let recent = before.advanced(by: codes.longestCycle, times: -1)
      try readSurely(after: max(seen.first, recent), notAfter: after, into: &batch)
      return
    }
    // The chip is in a pause, so its last conversion ended within the longest pause.
    let recent = before.advanced(by: codes.longestPause, times: -1)
    if let seen = chip.busy {
      try readCycle(after: max(seen.newest, recent), notAfter: after, into: &batch)
      chip.pausesMet = min(chip.pausesMet &+ 1, BMP280Timing.pausesToLearn)
    } else if before >= chip.lastRead.advanced(by: codes.longestCycle) {
      try readSurely(after: max(chip.lastRead, recent), notAfter: after, into: &batch)
    }
  }

  /// Reads a conversion that, according to its duration, must have ended. Verifies first that the
  /// chip still runs, because a sleeping chip keeps its last result.
  @inline(never)
  private mutating func readSurely(
    after earliest: Timestamp, notAfter latest: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) {
    try bus.verify(codes.control(.normal))
    try readCycle(after: earliest, notAfter: latest, into: &batch)
    chip.pausesMet = 0
  }

  @inline(never)
  private mutating func readCycle(
    after earliest: Timestamp, notAfter latest: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) {
    try readData(into: &batch)
    let now = self.now
    chip.busy = nil
    chip.lastRead = now
    // After a delay longer than the shortest conversion, the read may return the next conversion.
    let latest = now.elapsed(since: latest) > codes.shortest ? now : latest
    var count: Int64 = 1
    if clock.newest != nil {
      count = clock.samplesElapsed(at: earliest.middle(to: latest))
      batch.missing = UInt32(clamping: count &- 1)
      counters.missing &+= UInt64(bitPattern: count &- 1)
    }
    (batch.newest, batch.period) = clock.observe(count, after: earliest, notAfter: latest)
  }

  /// The time of the next poll of a conversion, or of the next verification of the configuration.
  var nextCyclePoll: NextStep {
    let now = self.now
    return .at(min(nextPoll(after: now), now.advanced(by: BMP280Timing.verification)))
  }

  /// Returns the time of the next poll of the status: one poll during each conversion to observe
  /// that conversion, then one in the pause after it.
  private func nextPoll(after now: Timestamp) -> Timestamp {
    let rough = clock.measuredPeriod.halved(6)
    let fine = now.advanced(by: max(min(codes.stepInPause, rough), .microseconds(150)))
    // Before the first conversion: poll the status from the conversion's earliest possible end, in
    // steps shorter than any pause.
    guard let next = clock.next else { return max(chip.noEndBefore, fine) }
    if now < chip.noEndBefore { return chip.noEndBefore }
    let conversion = codes.typical
    if chip.busy == nil {
      // Poll the status in the middle of a conversion, where an error in the estimated time matters
      // least.
      let running = next.advanced(by: conversion.halved(1), times: -1)
      return running > now ? running : fine
    }
    // A poll in a long pause does not tell precisely when the conversion ended, so poll once more
    // shortly before that end.
    let ending = next.advanced(by: conversion.halved(3), times: -1)
    if codes.pause > conversion.halved(3), ending > now { return ending }
    let pausing = next.advanced(by: min(codes.placeInPause, rough)).advanced(
      by: pauseMargin, times: -1)
    return pausing > now ? pausing : fine
  }

  /// The margin by which a pause may come earlier than estimated. The estimate starts with the
  /// oscillator's tolerance and improves by a factor of four with each observed pause. The shortest
  /// pauses are a hundredth of the period. After a missed pause only the elapsed time bounds the
  /// end of the conversion, and this bound drifts.
  private var pauseMargin: TimeSpan {
    guard chip.pausesMet < BMP280Timing.pausesToLearn else { return .zero }
    return clock.measuredPeriod.halved(3 &+ 2 &* max(0, chip.pausesMet &- 1))
  }

  /// Starts the conversion that is due in forced mode, and schedules the poll for its end. Verifies
  /// the configuration first, so that no conversion runs with a wrong configuration.
  mutating func force() throws(ChipError) {
    try verifyConfiguration(writing: false)
    let period = TimeSpan(seconds: 1 / codes.rate)
    let earliest = now
    try bus.write(codes.control(.forced))
    let latest = now
    // If the start of a forced conversion is late by a period or more, the schedule begins again
    // from now.
    chip.due = earliest - chip.due < period ? chip.due + period : earliest + period
    chip.earliest = earliest
    chip.latest = latest
    chip.mode = .forced
    chip.nextPoll = latest + codes.typical
  }

  /// Reads the conversion in forced mode if it has ended. The chip then sleeps until the next
  /// conversion.
  mutating func pollForced(into batch: inout RawBatch) throws(ChipError) {
    // Right after the write that starts a conversion, the status register may not show that
    // conversion yet, so an early poll is postponed.
    let soonest = chip.latest + codes.shortest
    guard now >= soonest else {
      chip.nextPoll = soonest
      return
    }
    let map = BMP280Map()
    let status = try bus.read(map.status)
    let after = now
    if status({ $0.measuring }) == true {
      guard after < chip.latest + codes.longest * BMP280Timing.timeoutFactor else {
        throw .unexpected(register: map.status.address, wanted: 0, found: status.raw)
      }
      chip.nextPoll = after + codes.longest / 16
      return
    }
    // The chip's power mode must be sleep again: a conversion that never started would leave the
    // old result in the data registers.
    try bus.verify(codes.control(.sleep))
    try readData(into: &batch)
    batch.missing = chip.abandoned
    counters.missing += UInt64(chip.abandoned)
    chip.abandoned = 0
    chip.mode = .sleeping
    let earliest = chip.earliest + codes.shortest
    let latest = max(earliest, min(after, chip.latest + codes.longest))
    batch.newest = earliest + (latest - earliest) / 2
    batch.period = TimeSpan(seconds: 1 / codes.rate)
  }

  /// Reads all data registers in one burst, so that all bytes are from one conversion. If a word
  /// has its reset value the chip may have been reset, so the chip's mode is verified.
  private mutating func readData(into batch: inout RawBatch) throws(ChipError) {
    var bytes: InlineArray<8, UInt8> = [0, 0, 0, 0, 0, 0, 0x80, 0]
    var span = bytes.mutableSpan
    var wanted = span._mutatingExtracting(first: BMP280Chip.frameSize(of: row))
    try bus.read(&wanted, from: BMP280Map().pressureHigh)
    if bytes[3] == 0x80, bytes[4] == 0, bytes[5] & 0xF0 == 0 {
      try bus.verify(codes.control(isForced ? .sleep : .normal))
    }
    let size = BMP280Chip.frameSize(of: row)
    for index in 0..<size { batch.bytes[index] = bytes[index] }
    batch.format[BMP280Chip.partFormat] = row.rawValue
    for index in 0..<BMP280Chip.trimSize {
      batch.format[BMP280Chip.trimFormat + index] = chip.trim[index]
    }
    batch.frameSize = size
    batch.frames = 1
    counters.received &+= 1
  }
}
