// SPDX-License-Identifier: Apache-2.0
public import Quantities

// What drivers ask their clock, beside its estimates.
extension SampleClock {
  /// Gives `batch` its times: `frames` frames, the newest taken after `earliest` and not after `latest`. With `hasGap`
  /// samples may have been lost before it: as many as the time that has passed has room for are counted as missing, in the
  /// batch and in `health`, and the gap is closed.
  ///
  /// Never inlined: firmware with several chips has it once.
  @inline(never)
  public mutating func stamp(
    _ batch: inout RawBatch, frames: Int, after earliest: Timestamp, notAfter latest: Timestamp,
    hasGap: inout Bool, health: inout Health
  ) {
    // None of these sums can overflow: there are at most 10^15 samples.
    var count = Int64(frames)
    if hasGap, newest != nil {
      let elapsed = samplesElapsed(at: earliest.middle(to: latest))
      if elapsed > count {
        batch.missing = UInt32(clamping: elapsed &- count)
        health.missing &+= UInt64(bitPattern: elapsed &- count)
        count = elapsed
      }
    }
    hasGap = false
    (batch.newest, batch.period) = observe(count, after: earliest, notAfter: latest)
    health.received &+= UInt64(bitPattern: Int64(frames))
  }

  /// Whether a sample is taken within a quarter of a period of `time`. What was lost is counted by time, which is a guess
  /// then.
  public func isNearSample(_ time: Timestamp) -> Bool {
    guard let newest, time > newest else { return false }
    let period = measuredPeriod.nanoseconds
    let into = (time - newest).nanoseconds % period
    return into < period / 4 || into > period * 3 / 4
  }
}
