// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

// How conversions leave the chip in normal and in forced mode.
extension BMP280 where Bus: ~Copyable {
  /// Normal mode: asks whether a conversion runs, and reads the result of one that has certainly ended.
  mutating func lookAtCycle(into batch: inout RawBatch) throws(ChipError) {
    let before = bus.now
    let status = try bus.read(BMP280Map().status)
    let after = bus.now
    guard status({ $0.measuring }) != true else {
      guard let seen = busy else {
        busy = BMP280Busy(first: before, firstSeen: after, newest: before)
        return
      }
      // Still the one seen first, or already the next: the pause between them can be too short to be met.
      guard before >= seen.firstSeen.advanced(by: configuration.longest) else {
        busy?.newest = before
        return
      }
      // What runs now began no longer ago than conversions last, after a pause.
      let recent = before.advanced(by: configuration.longestCycle, times: -1)
      try readSurely(after: max(seen.first, recent), notAfter: after, into: &batch)
      return
    }
    // A pause: its conversion ended no longer ago than pauses last.
    let recent = before.advanced(by: configuration.longestPause, times: -1)
    if let seen = busy {
      try readCycle(after: max(seen.newest, recent), notAfter: after, into: &batch)
      pausesMet = min(pausesMet &+ 1, BMP280Timing.pausesToLearn)
    } else if before >= lastRead.advanced(by: configuration.longestCycle) {
      try readSurely(after: max(lastRead, recent), notAfter: after, into: &batch)
    }
  }

  /// Reads what time alone vouches for, if the chip still runs: a chip that fell asleep keeps its last result.
  @inline(never)
  private mutating func readSurely(
    after earliest: Timestamp, notAfter latest: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) {
    try bus.verify(configuration.control(.normal))
    try readCycle(after: earliest, notAfter: latest, into: &batch)
    pausesMet = 0
  }

  @inline(never)
  private mutating func readCycle(
    after earliest: Timestamp, notAfter latest: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) {
    try readData(into: &batch)
    let now = bus.now
    busy = nil
    lastRead = now
    // Whoever was kept from reading for so long may have got the next conversion.
    let latest = now.elapsed(since: latest) > configuration.shortest ? now : latest
    var count: Int64 = 1
    if clock.newest != nil {
      count = clock.samplesElapsed(at: earliest.middle(to: latest))
      batch.missing = UInt32(clamping: count &- 1)
      counters.missing &+= UInt64(bitPattern: count &- 1)
    }
    (batch.newest, batch.period) = clock.observe(count, after: earliest, notAfter: latest)
  }

  /// When a running driver wants to be called again: for its next conversion, or, in normal mode, for the next look
  /// at one or the next line to compare.
  var restingWake: Wake {
    if Bus.abilities.contains(.lowPower), case .sleeping = phase { return .at(due) }
    let patrol = bus.now.advanced(by: BMP280Timing.verification)
    switch cycleWake {
    case .at(let time): return .at(min(time, patrol))
    case .after(let span): return .after(min(span, BMP280Timing.verification))
    case let other: return other
    }
  }

  /// While a conversion runs, to see it, and in the pause after it.
  private var cycleWake: Wake {
    let now = bus.now
    let rough = clock.measuredPeriod.halved(6)
    let fine = max(min(configuration.stepInPause, rough), .microseconds(150))
    guard let next = clock.next else {
      // The first one: not before it can be over, then in steps that no pause slips through.
      return .at(max(noEndBefore, now.advanced(by: fine)))
    }
    if now < noEndBefore { return .at(noEndBefore) }
    let conversion = configuration.typical
    if busy == nil {
      // In the middle of a conversion, where the error of the estimate matters least.
      let running = next.advanced(by: conversion.halved(1), times: -1)
      return running > now ? .at(running) : .after(fine)
    }
    // Once more shortly before its end, where pauses are too long to tell when they began.
    let ending = next.advanced(by: conversion.halved(3), times: -1)
    if configuration.pause > conversion.halved(3), ending > now { return .at(ending) }
    let pausing = next.advanced(by: min(configuration.placeInPause, rough))
      .advanced(by: doubt, times: -1)
    return pausing > now ? .at(pausing) : .after(fine)
  }

  /// How much earlier than estimated a pause may come. The shortest ones are a hundredth of the period: one that is
  /// missed leaves only time to vouch for the conversion, and time falls behind. The estimate is as good as the
  /// oscillator at first, and four times better after each pause.
  private var doubt: TimeSpan {
    guard pausesMet < BMP280Timing.pausesToLearn else { return .zero }
    return clock.measuredPeriod.halved(3 &+ 2 &* max(0, pausesMet &- 1))
  }

  /// Forced mode: starts a conversion that was `due`, to be looked at when it should be over. A chip that has lost its
  /// configuration meanwhile is found before it converts without.
  mutating func force() throws(ChipError) -> Wake {
    var index = 0
    while let line = line(index) {
      try bus.verify(line)
      index &+= 1
    }
    let period = TimeSpan(seconds: 1 / configuration.rate)
    let earliest = bus.now
    try bus.write(configuration.control(.forced))
    let latest = bus.now
    // Late by a period or more: the grid moves.
    let next = earliest - due < period ? due + period : earliest + period
    forced = BMP280Forced(earliest: earliest, latest: latest, next: next)
    phase = .forced
    return .after(configuration.typical)
  }

  /// Forced mode: reads the conversion if it is over, and lets the chip sleep until the next.
  mutating func lookAtForced(into batch: inout RawBatch) throws(ChipError) -> Wake {
    let conversion = forced
    // Called before its time: right after the write the status may not show the conversion yet.
    guard bus.now >= conversion.latest + configuration.shortest else {
      return .at(conversion.latest + configuration.shortest)
    }
    let map = BMP280Map()
    let status = try bus.read(map.status)
    let after = bus.now
    if status({ $0.measuring }) == true {
      guard after < conversion.latest + configuration.longest * BMP280Timing.patience else {
        throw .rejected(register: map.status.address, wrote: 0, readBack: status.raw)
      }
      return .after(configuration.longest / 16)
    }
    // The chip went back to sleep by itself; one that never began shows what it held before.
    try bus.verify(configuration.control(.sleep))
    try readData(into: &batch)
    batch.missing = abandoned
    counters.missing += UInt64(abandoned)
    abandoned = 0
    due = conversion.next
    phase = .sleeping
    let earliest = conversion.earliest + configuration.shortest
    let latest = max(earliest, min(after, conversion.latest + configuration.longest))
    batch.newest = earliest + (latest - earliest) / 2
    batch.period = TimeSpan(seconds: 1 / configuration.rate)
    return .at(conversion.next)
  }

  /// Line `index` of the configuration; `nil` past the last. The chip sleeps while they are written; the last one
  /// makes it heed the humidity line and, in normal mode, starts it.
  @inline(never)
  func line(_ index: Int) -> RegisterValue? {
    let map = BMP280Map()
    switch (index, part.hasHumidity) {
    case (0, _):
      return RegisterValue(map.config) {
        $0.standby(configuration.standby) | $0.filter(configuration.filter)
      }
    case (1, true): return RegisterValue(map.controlHumidity) { $0.oversampling(.x1) }
    case (1, false), (2, true): return configuration.control(isForced ? .sleep : .normal)
    default: return nil
    }
  }

  /// All data registers in one burst, which keeps their bytes of one conversion.
  /// Words that were never written come from a chip that was reset: the mode tells.
  private mutating func readData(into batch: inout RawBatch) throws(ChipError) {
    var bytes: InlineArray<8, UInt8> = [0, 0, 0, 0, 0, 0, 0x80, 0]
    var span = bytes.mutableSpan
    var wanted = span._mutatingExtracting(first: BMP280Facts.frameSize(of: part))
    try bus.read(&wanted, from: BMP280Map().pressureHigh)
    if bytes[3] == 0x80, bytes[4] == 0, bytes[5] & 0xF0 == 0 {
      try bus.verify(configuration.control(isForced ? .sleep : .normal))
    }
    let size = BMP280Facts.frameSize(of: part)
    for index in 0..<size { batch.bytes[index] = bytes[index] }
    batch.format[BMP280Facts.partFormat] = part.rawValue
    for index in 0..<BMP280Facts.trimSize {
      batch.format[BMP280Facts.trimFormat + index] = trim[index]
    }
    batch.frameSize = size
    batch.frames = 1
    counters.received &+= 1
  }
}
