// SPDX-License-Identifier: Apache-2.0
public import Quantities

// Functions of the sample clock that drivers use in addition to its estimates.
extension SampleClock {
  /// Sets the timestamps of `batch`: its newest frame was taken after `earliest` and not after
  /// `latest`. Counts the samples missing before the batch, both in the batch and in `health`:
  /// `skipped` samples, or, if `hasGap` is set, the number that follows from the elapsed time. Sets
  /// `hasGap` to false.
  ///
  /// Never inlined, so that firmware with several chips contains one copy.
  @inline(never)
  public mutating func stamp(
    _ batch: inout RawBatch, skipped: Int = 0, after earliest: Timestamp,
    notAfter latest: Timestamp, hasGap: inout Bool, health: inout Health
  ) {
    // The sums of sample counts cannot overflow, because there are at most 10^15 samples.
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

  /// Returns true if a sample is taken within a quarter of a period of `time`. Near a sample, the
  /// number of lost samples cannot be derived unambiguously from the elapsed time.
  public func isNearSample(_ time: Timestamp) -> Bool {
    guard let newest, time > newest else { return false }
    let period = measuredPeriod.nanoseconds
    let into = (time - newest).nanoseconds % period
    return into < period / 4 || into > period * 3 / 4
  }
}
