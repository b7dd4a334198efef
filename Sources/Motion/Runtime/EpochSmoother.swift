// SPDX-License-Identifier: Apache-2.0
package import Fusion
package import Quantities

/// Smooths the epochs of a filter backwards, using the observations of the `lag` seconds after each
/// epoch. The smoother stores the epochs of `lag` plus `block` seconds.
package struct EpochSmoother: Sendable {
  private var estimator: MotionEstimator
  private var recording = EpochRecording()
  /// The time after each epoch from which observations are used, and the time between two backward
  /// passes, in seconds.
  private let lag: Seconds
  private let block: Seconds
  /// The completed epochs, oldest first. Only the end of the first epoch is still used.
  private var records: [EpochRecord] = []
  private var hasBegun = false

  /// Creates a smoother for the results of `estimator`. A backward pass runs each time `block`
  /// seconds have been collected; with 0, after each epoch of 0.1 s.
  package init(estimator: MotionEstimator, lag: Seconds, block: Seconds) {
    self.estimator = estimator
    self.lag = lag
    self.block = block
  }

  /// Adds the next sample, and appends the corrections for the epochs that are now older than the
  /// lag. Returns the motion at the time of the sample, without smoothing.
  package mutating func update(
    _ sample: Sample, into corrections: inout [EpochCorrection]
  ) -> MotionSample? {
    let motion = estimator.update(sample, recording: &recording)
    if let record = recording.take() {
      if records.isEmpty {
        // Reserve all memory at the start. If the array grew by doubling, it would take twice the
        // memory, and three times while it is copied.
        records.reserveCapacity(Int(10 * min(max(lag + block, 0), 3600)) + 64)
      }
      records.append(record)
      smooth(keeping: lag, atLeast: block, into: &corrections)
    }
    return motion
  }

  /// Ends the recording of epochs, and appends the remaining corrections.
  package mutating func finish(into corrections: inout [EpochCorrection]) {
    smooth(keeping: -1, atLeast: 0, into: &corrections)
    records = []
  }

  private mutating func smooth(
    keeping lag: Seconds, atLeast block: Seconds, into corrections: inout [EpochCorrection]
  ) {
    guard let newest = records.last?.time else { return }
    // Count the epochs that ended at least `lag` seconds before the newest epoch.
    var due = records.count
    while due > 0, EpochCorrection.seconds(from: records[due - 1].time, to: newest) < lag {
      due -= 1
    }
    // The motions of the first epoch have already been delivered, unless this is the first pass.
    guard due > (hasBegun ? 1 : 0),
      EpochCorrection.seconds(from: records[0].time, to: records[due - 1].time) >= block
    else { return }
    var pass = BackwardPass()
    var smoothed = [BackwardPass.Smoothed](repeating: BackwardPass.Smoothed(), count: due)
    for k in records.indices.reversed() {
      if k < due {
        smoothed[k] = pass.smoothed(records[k])
        smoothed[k].covariance = estimator.engine.withCrossAxisTilt(smoothed[k].covariance)
      }
      if k > 0 { pass.goBack(over: records[k]) }
    }
    for k in (hasBegun ? 1 : 0)..<due {
      corrections.append(
        EpochCorrection(
          records[k], smoothed[k],
          after: k > 0 ? (records[k - 1].time, smoothed[k - 1]) : nil))
    }
    records.removeFirst(due - 1)
    hasBegun = true
  }
}
