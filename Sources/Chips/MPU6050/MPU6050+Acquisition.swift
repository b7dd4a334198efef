// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

// How samples leave the chip, one extension member per way.
extension MPU6050 where Bus: ~Copyable {
  /// Empties the queue and lets it fill anew. FIFO_RST works only while FIFO_EN is clear (register map 4.25).
  mutating func restartQueue() throws(ChipError) {
    let map = MPU6050Map()
    try bus.set(map.fifoEnable) { _ in .nothing }
    try bus.set(map.userControl) { _ in .nothing }
    try bus.set(map.userControl) { $0.fifoReset(true) }
    try bus.write(configuration.queueSwitch)
    try bus.write(configuration.queueSources)
  }

  /// Takes all whole frames out of the queue in one burst. The chip has no watermark: its count says how many.
  mutating func drainQueue(into batch: inout RawBatch) throws(ChipError) {
    let map = MPU6050Map()
    remaining = 0
    drains &+= 1
    var count: InlineArray<2, UInt8> = [0, 0]
    var span = count.mutableSpan
    let before = bus.now
    try bus.read(&span, from: map.fifoCountHigh)
    let after = bus.now
    let bytes = Int(count[0]) << 8 | Int(count[1])
    let size = MPU6050Facts.frameSize
    // A full queue drops its oldest bytes and with them the frame boundary. Three frames of room keep a sample
    // that arrives between this look and the read from crossing that line unseen.
    if bytes > MPU6050Facts.fifoSize - 3 * size {
      health.overflows += 1
      hasGap = true
      try restartQueue()
      return
    }
    let waiting = bytes / size
    guard waiting > 0 else { return }
    // Only whole frames, as many as the batch and the bus take at once; the rest is read at once after.
    let frames = max(1, min(waiting, min(RawBatch.capacity, bus.longestRead) / size))
    try readFrames(frames, from: map.fifoData, into: &batch)
    // The newest frame waiting was there at the count, and the one after it was not.
    remaining = waiting - frames
    let behind = clock.measuredPeriod * Int64(remaining)
    stamp(
      &batch, frames: frames, after: before - clock.measuredPeriod - behind,
      notAfter: after - behind)
  }

  /// Answers a data-ready edge: the registers hold the newest sample, and it was taken at the edge.
  mutating func readOnEdge(_ event: Event, into batch: inout RawBatch) throws(ChipError) {
    let map = MPU6050Map()
    guard event.edges > 0 else {
      // A timeout: the line may be dead, the samples are not.
      health.missedInterrupts += 1
      try readIfReady(into: &batch)
      return
    }
    try readFrames(1, from: map.accelXHigh, into: &batch)
    if event.edges > 1 { hasGap = true }
    stamp(
      &batch, frames: 1, after: event.edgeTime - interruptLatency, notAfter: event.edgeTime)
    batch.newest = event.edgeTime
  }

  /// Looks at the status, and reads the registers if a sample is new since the last look. The burst begins with the
  /// status again (0x3A to 0x48 are consecutive): set anew, it says that a later sample came between the two.
  mutating func readIfReady(into batch: inout RawBatch) throws(ChipError) {
    let map = MPU6050Map()
    let before = bus.now
    let status = try bus.read(map.interruptStatus)
    let after = bus.now
    defer { lastLook = before }
    guard status({ $0.dataReady }) == true else { return }
    var bytes: InlineArray<15, UInt8> = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    var span = bytes.mutableSpan
    try bus.read(&span, from: map.interruptStatus)
    for index in 0..<MPU6050Facts.frameSize { batch.bytes[index] = bytes[index + 1] }
    describe(1, in: &batch)
    let isLater = Contents<MPU6050Map.Interrupts>(raw: bytes[0])({ $0.dataReady }) == true
    let latest = isLater ? bus.now : after
    let earliest = isLater ? after : max(lastLook, before - clock.measuredPeriod)
    if isLater || clock.samplesElapsed(at: latest) > 1 { hasGap = true }
    stamp(&batch, frames: 1, after: earliest, notAfter: latest)
  }

  private mutating func readFrames(
    _ frames: Int, from register: Register<WholeByte, some ReadableAccess>,
    into batch: inout RawBatch
  ) throws(ChipError) {
    var span = batch.bytes.mutableSpan
    // The standard library's 6.3 name of what was `extracting(first:)`; SE-0467 is to drop the underscore.
    var wanted = span._mutatingExtracting(first: frames * MPU6050Facts.frameSize)
    try bus.read(&wanted, from: register)
    describe(frames, in: &batch)
  }

  /// Says what the bytes in `batch` are.
  private func describe(_ frames: Int, in batch: inout RawBatch) {
    batch.frames = frames
    batch.frameSize = MPU6050Facts.frameSize
    batch.format[MPU6050Decoder.Format.accelFullScale] = configuration.accelFullScale.rawValue
    batch.format[MPU6050Decoder.Format.gyroFullScale] = configuration.gyroFullScale.rawValue
  }

  /// Gives the batch its times and says how many samples are missing before it.
  private mutating func stamp(
    _ batch: inout RawBatch, frames: Int, after earliest: Timestamp, notAfter latest: Timestamp
  ) {
    var count = Int64(frames)
    if hasGap {
      let middle = earliest + (latest - earliest) / 2
      let elapsed = clock.samplesElapsed(at: middle)
      if clock.newest != nil, elapsed > count {
        batch.missing = UInt32(clamping: elapsed - count)
        health.missing += UInt64(elapsed - count)
        count = elapsed
      }
      hasGap = false
    }
    let (newest, spacing) = clock.observe(count, after: earliest, notAfter: latest)
    batch.newest = newest
    batch.period = spacing
    health.received += UInt64(frames)
  }
}
