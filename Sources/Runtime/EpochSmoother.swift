// SPDX-License-Identifier: Apache-2.0
package import Fusion
package import Quantities

/// Goes back over the epochs of a filter, and holds as many as `lag` and `block` seconds have: what
/// the observations of `lag` seconds that follow an epoch say of it.
package struct EpochSmoother: Sendable {
  private var estimator: MotionEstimator
  private var recording = EpochRecording()
  /// s.
  private let lag: Seconds
  private let block: Seconds
  /// Epochs that are over, the oldest first; of the first only its end is needed.
  private var records: [EpochRecord] = []
  private var hasBegun = false

  /// Records what `estimator` makes of the samples to come. Goes back over all of it whenever
  /// `block` seconds have come together; zero is after each epoch, a tenth of a second.
  package init(estimator: MotionEstimator, lag: Seconds, block: Seconds) {
    self.estimator = estimator
    self.lag = lag
    self.block = block
  }

  /// Takes the next sample; appends the corrections of the epochs that are older than the lag now.
  /// Returns the motion at its time, not smoothed.
  package mutating func update(
    _ sample: Sample, into corrections: inout [EpochCorrection]
  ) -> MotionSample? {
    let motion = estimator.update(sample, recording: &recording)
    if let record = recording.take() {
      if records.isEmpty {
        // Doubled as it grows, it would hold twice as much, and three times while it moves.
        records.reserveCapacity(Int(10 * min(max(lag + block, 0), 3600)) + 64)
      }
      records.append(record)
      smooth(keeping: lag, atLeast: block, into: &corrections)
    }
    return motion
  }

  /// The recording is over: appends the rest.
  package mutating func finish(into corrections: inout [EpochCorrection]) {
    smooth(keeping: -1, atLeast: 0, into: &corrections)
    records = []
  }

  private mutating func smooth(
    keeping lag: Seconds, atLeast block: Seconds, into corrections: inout [EpochCorrection]
  ) {
    guard let newest = records.last?.time else { return }
    // How many epochs ended so long ago.
    var due = records.count
    while due > 0, EpochCorrection.seconds(from: records[due - 1].time, to: newest) < lag {
      due -= 1
    }
    // Of the first, motions were handed on already, unless nothing has been yet.
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
