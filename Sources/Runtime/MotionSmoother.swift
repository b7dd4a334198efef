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

  private var epochs: EpochSmoother
  /// The motion samples since the end of the oldest epoch that is held.
  private var pending: [MotionSample] = []
  private var corrections: [EpochCorrection] = []

  /// Smooths what `estimator`, which may have learned something already, makes of the samples to
  /// come. Goes back over all of it whenever `block` seconds have come together, so `lag + block`
  /// seconds are held; zero is after each epoch, a tenth of a second.
  package init(estimator: MotionEstimator, lag: Seconds, block: Seconds = 0) {
    epochs = EpochSmoother(estimator: estimator, lag: lag, block: block)
  }

  /// Takes the next sample; calls `body` with each motion that is older than the lag now, in order.
  /// Returns the motion at its time, not smoothed yet.
  @discardableResult
  package mutating func update(_ sample: Sample, _ body: (Output) -> Void) -> MotionSample? {
    let motion = epochs.update(sample, into: &corrections)
    correct(body)
    if let motion { pending.append(motion) }
    return motion
  }

  /// The recording is over: calls `body` with the rest.
  package mutating func finish(_ body: (Output) -> Void) {
    epochs.finish(into: &corrections)
    correct(body)
    for motion in pending { body(unsmoothed(motion)) }
    pending = []
  }

  private func unsmoothed(_ motion: MotionSample) -> Output {
    let tilt = motion.inclinationSigma * motion.inclinationSigma
    return Output(
      motion: motion,
      covariance: Matrix3(
        rows: Vector3(tilt, 0, 0), Vector3(0, tilt, 0),
        Vector3(0, 0, motion.headingSigma * motion.headingSigma)))
  }

  private mutating func correct(_ body: (Output) -> Void) {
    guard !corrections.isEmpty else { return }
    var next = 0
    for correction in corrections {
      while next < pending.count, pending[next].timestamp < correction.end {
        let smoothed = correction.smoothed(at: pending[next].timestamp)
        body(
          Output(
            motion: pending[next].corrected(by: smoothed), covariance: smoothed.covariance))
        next += 1
      }
    }
    pending.removeFirst(next)
    corrections.removeAll(keepingCapacity: true)
  }
}
