// SPDX-License-Identifier: Apache-2.0
import Quantities
import Sensors
import Testing

/// Numbers that look random and are the same in each run.
struct FixedNoise {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// Returns a number from 0 to `limit`.
  mutating func below(_ limit: Int64) -> Int64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int64(state >> 33) % limit
  }
}

@Suite struct SampleClockTests {
  struct Case: Sendable, CustomStringConvertible {
    var error: Double
    var interval: Int64
    var jitter: Int64
    var description: String { "\(error * 100) %, \(interval) ms, jitter \(jitter) us" }
  }

  static let cases: [Case] = [-0.02, 0, 0.02].flatMap { error in
    [10, 20].flatMap { interval in
      [0, 300, 3000].map { Case(error: error, interval: interval, jitter: $0) }
    }
  }

  /// A chip at a nominal 1 kHz is polled. After five seconds the time of each sample is known to a
  /// twentieth of a period.
  @Test(arguments: cases) func `batches are timed`(sample: Case) {
    let period = 1e6 / (1 + sample.error)
    let origin = Timestamp(nanoseconds: 5_000_000_000)
    var noise = FixedNoise(99)
    var clock = SampleClock(rate: 1000)
    var seen: Int64 = 0
    var poll = origin
    var last = Timestamp.zero
    var worst = 0.0
    for _ in 0..<(15_000 / sample.interval) {
      // If each poll came at the same phase of the chip's period, the polls would say nothing about
      // it. So a poll comes up to 0.5 ms early.
      poll = poll + .milliseconds(sample.interval) - .microseconds(noise.below(500))
      let before =
        poll + .microseconds(sample.jitter == 0 ? 0 : noise.below(sample.jitter))
      let after = before + .microseconds(112)
      // The chip latches its count when the two addresses and the register number have been sent.
      let latch = before + .microseconds(67)
      let taken = Int64(Double((latch - origin).nanoseconds) / period)
      guard taken > seen else { continue }
      let count = taken - seen
      let (newest, spacing) = clock.observe(
        count, after: before - clock.measuredPeriod, notAfter: after)
      for index in 0..<count {
        let time = newest - spacing * (count - 1 - index)
        #expect(time > last)
        last = time
        if (time - origin).seconds > 5 {
          let truth = Double(seen + index + 1) * period
          worst = max(worst, abs(Double((time - origin).nanoseconds) - truth))
        }
      }
      seen = taken
    }
    #expect(worst < 0.05 * period, "worst \(worst / period) of a period")
    #expect(abs(Double(clock.measuredPeriod.nanoseconds) / period - 1) < 1e-3)
  }

  @Test func `times of edges are exact`() {
    var clock = SampleClock(rate: 100)
    for index: Int64 in 1...500 {
      let edge = Timestamp(nanoseconds: index * 10_150_000)
      let (newest, _) = clock.observe(1, after: edge - .microseconds(1), notAfter: edge)
      #expect(newest <= edge && newest >= edge - .microseconds(1))
    }
    #expect(abs(clock.measuredPeriod.nanoseconds - 10_150_000) < 1000)
  }

  @Test func `gaps are measured in samples`() {
    var clock = SampleClock(rate: 1000)
    #expect(clock.samplesElapsed(at: Timestamp(nanoseconds: 123)) == 1)
    #expect(clock.next == nil)
    var edge = Timestamp(nanoseconds: 1_000_000_000)
    for _ in 0..<2000 {
      edge = edge + .microseconds(980)
      _ = clock.observe(1, after: edge - .microseconds(1), notAfter: edge)
    }
    for gap: Int64 in [1, 2, 3, 50, 1000] {
      #expect(clock.samplesElapsed(at: edge + .microseconds(980) * gap) == gap)
    }
    #expect(clock.samplesElapsed(at: edge - .seconds(1)) == 1)
    #expect(clock.samplesElapsed(at: .distantFuture) <= 1_000_000_000_000_000)
    // After a gap, the times continue where the samples are.
    edge = edge + .microseconds(980) * 51
    let (newest, spacing) = clock.observe(51, after: edge - .microseconds(1), notAfter: edge)
    #expect(newest <= edge && newest >= edge - .microseconds(1))
    #expect(abs(spacing.nanoseconds - 980_000) < 1000)
  }

  @Test func `time never runs backwards`() {
    var noise = FixedNoise(5)
    var clock = SampleClock(rate: 1000)
    var last = Timestamp.zero
    // The intervals contradict each other and the rate.
    for _ in 0..<5000 {
      let middle = Timestamp(nanoseconds: 1_000_000_000 + noise.below(3_000_000_000))
      let (newest, spacing) = clock.observe(
        1 + noise.below(20), after: middle, notAfter: middle + .microseconds(noise.below(5000)))
      #expect(newest > last)
      #expect(spacing > .zero)
      last = newest
    }
    let period = clock.measuredPeriod
    #expect(period >= .microseconds(900) && period <= .microseconds(1100))
  }

  @Test func `a lost phase keeps the period`() {
    var clock = SampleClock(rate: 100)
    for index: Int64 in 1...500 {
      let edge = Timestamp(nanoseconds: index * 10_100_000)
      _ = clock.observe(1, after: edge - .microseconds(1), notAfter: edge)
    }
    let period = clock.measuredPeriod
    clock.lostPhase()
    #expect(clock.newest == nil)
    #expect(clock.measuredPeriod == period)
  }
}

@Suite struct RawBatchTests {
  @Test func `frames are timed back from the newest`() {
    var batch = RawBatch()
    batch.frames = 3
    batch.newest = Timestamp(nanoseconds: 1000)
    batch.period = TimeSpan(nanoseconds: 100)
    #expect(batch.timestamp(ofFrame: 0) == Timestamp(nanoseconds: 800))
    #expect(batch.timestamp(ofFrame: 2) == Timestamp(nanoseconds: 1000))
    batch.missing = 5
    batch.removeAll()
    let (frames, missing) = (batch.frames, batch.missing)
    #expect(frames == 0 && missing == 0)
  }

  @Test func `words are read in either byte order`() {
    var batch = RawBatch()
    batch.frames = 2
    batch.frameSize = 4
    for (index, byte) in ([0, 0, 0, 0, 0x80, 0x00, 0x12, 0xFF] as [UInt8]).enumerated() {
      batch.bytes[index] = byte
    }
    let words = [
      batch.bigEndian(1, 0), batch.littleEndian(1, 0), batch.bigEndian(1, 2),
      batch.littleEndian(1, 2),
    ]
    #expect(words == [-32768, 128, 0x12FF, -238])
  }
}
