// SPDX-License-Identifier: Apache-2.0
public import Quantities

// What drivers ask their clock, beside its estimates.
extension SampleClock {
  /// Gives `batch` its times: its newest frame was taken after `earliest` and not after `latest`.
  /// `skipped` samples are counted as missing before it, in the batch and in `health`; with
  /// `hasGap` as many as the time that has passed has room for, and the gap is closed.
  ///
  /// Never inlined: firmware with several chips has it once.
  @inline(never)
  public mutating func stamp(
    _ batch: inout RawBatch, skipped: Int = 0, after earliest: Timestamp,
    notAfter latest: Timestamp, hasGap: inout Bool, health: inout Health
  ) {
    // None of these sums can overflow: there are at most 10^15 samples.
    let frames = Int64(batch.frames)
    var lost = Int64(skipped)
    if hasGap, newest != nil {
      lost = max(lost, samplesElapsed(at: earliest.middle(to: latest)) &- frames)
    }
    hasGap = false
    batch.missing = UInt32(clamping: lost)
    health.missing &+= UInt64(bitPattern: lost)
    (batch.newest, batch.period) = observe(frames &+ lost, after: earliest, notAfter: latest)
    health.received &+= UInt64(bitPattern: frames)
  }

  /// Returns true where a sample is taken within a quarter of a period of `time`. Lost samples are
  /// counted by time, which is a guess then.
  public func isNearSample(_ time: Timestamp) -> Bool {
    guard let newest, time > newest else { return false }
    let period = measuredPeriod.nanoseconds
    let into = (time - newest).nanoseconds % period
    return into < period / 4 || into > period * 3 / 4
  }
}
