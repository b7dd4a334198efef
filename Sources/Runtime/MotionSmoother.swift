// SPDX-License-Identifier: Apache-2.0
package import Fusion
package import Quantities

/// Motion of a while ago, with what has been seen since: corrects each motion sample by the
/// observations of `lag` seconds that follow it. Holds as much of the past as that, and no more.
package struct MotionSmoother: Sendable {
  /// The motion of the device, in the light of what came after.
  package struct Output: Sendable {
    package var motion: MotionSample
    /// Of the attitude: rotation vector in the reference frame, rad^2; the heading's part is what
    /// is left of the gyroscope's and the field's doubt.
    package var covariance: Matrix3
  }

  private var estimator: MotionEstimator
  private var recording = EpochRecording()
  /// s.
  private let lag: Seconds
  private let block: Seconds
  /// Epochs that are over, the oldest first; of the first only its end is needed.
  private var records: [EpochRecord] = []
  /// The motion samples since the end of the oldest record.
  private var pending: [MotionSample] = []
  private var hasBegun = false

  /// Smooths what `estimator`, which may have learned something already, makes of the samples to
  /// come. Goes back over all of it whenever `block` seconds have come together, so `lag + block`
  /// seconds are held; zero is after each epoch, a tenth of a second.
  package init(estimator: MotionEstimator, lag: Seconds, block: Seconds = 0) {
    self.estimator = estimator
    self.lag = lag
    self.block = block
  }

  /// Takes the next sample; calls `body` with each motion that is older than the lag now, in order.
  /// Returns the motion at its time, not smoothed yet.
  @discardableResult
  package mutating func update(_ sample: Sample, _ body: (Output) -> Void) -> MotionSample? {
    let motion = estimator.update(sample, recording: &recording)
    if let record = recording.take() {
      records.append(record)
      smooth(keeping: lag, atLeast: block, body)
    }
    if let motion { pending.append(motion) }
    return motion
  }

  /// The recording is over: calls `body` with the rest.
  package mutating func finish(_ body: (Output) -> Void) {
    smooth(keeping: -1, atLeast: 0, body)
    for motion in pending { body(unsmoothed(motion)) }
    pending = []
    records = []
  }

  private func unsmoothed(_ motion: MotionSample) -> Output {
    let tilt = motion.inclinationSigma * motion.inclinationSigma
    return Output(
      motion: motion,
      covariance: Matrix3(
        rows: Vector3(tilt, 0, 0), Vector3(0, tilt, 0),
        Vector3(0, 0, motion.headingSigma * motion.headingSigma)))
  }

  private mutating func smooth(
    keeping lag: Seconds, atLeast block: Seconds, _ body: (Output) -> Void
  ) {
    guard let newest = records.last?.time else { return }
    // How many epochs ended so long ago.
    var due = records.count
    while due > 0, Self.seconds(from: records[due - 1].time, to: newest) < lag { due -= 1 }
    // Of the first, motions were handed on already, unless nothing has been yet.
    guard due > (hasBegun ? 1 : 0),
      Self.seconds(from: records[0].time, to: records[due - 1].time) >= block
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
    var next = 0
    for k in (hasBegun ? 1 : 0)..<due {
      while next < pending.count, pending[next].timestamp < records[k].time {
        body(output(pending[next], in: k, smoothed))
        next += 1
      }
    }
    pending.removeFirst(next)
    records.removeFirst(due - 1)
    hasBegun = true
  }

  /// A motion in the epoch that record `k` ends.
  private func output(
    _ motion: MotionSample, in k: Int, _ smoothed: [BackwardPass.Smoothed]
  ) -> Output {
    let whole = smoothed[k].before(records[k])
    guard k > 0 else { return output(motion, whole) }
    let span = Self.seconds(from: records[k - 1].time, to: records[k].time)
    let share = Self.seconds(from: records[k - 1].time, to: motion.timestamp) / span
    return output(
      motion, smoothed[k - 1].mixed(with: whole, share: Scalar(share), in: records[k]))
  }

  private func output(_ motion: MotionSample, _ smoothed: BackwardPass.Smoothed) -> Output {
    Output(motion: motion.corrected(by: smoothed), covariance: smoothed.covariance)
  }

  private static func seconds(from start: Timestamp, to end: Timestamp) -> Seconds {
    Seconds((end - start).nanoseconds) * 1e-9
  }
}
