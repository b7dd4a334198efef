// SPDX-License-Identifier: Apache-2.0
package import Fusion
package import Quantities

/// Corrects each motion sample with the observations of the `lag` seconds after it. The output is
/// delayed by this lag.
package struct MotionSmoother: Sendable {
  /// A motion of the device, corrected by later observations.
  package struct Output: Sendable {
    package var motion: MotionSample
    /// The covariance of the attitude in rad^2, for a rotation vector in the reference frame. The
    /// part for the heading is the remaining uncertainty from the gyroscope and the magnetometer.
    package var covariance: Matrix3
  }

  private var epochs: EpochSmoother
  /// The motion samples since the end of the oldest stored epoch.
  private var pending: [MotionSample] = []
  private var corrections: [EpochCorrection] = []

  /// Creates a smoother for the results of `estimator`, which may already have learned something. A
  /// backward pass runs each time `block` seconds have been collected, so the smoother stores `lag
  /// + block` seconds; with 0, a pass runs after each epoch of 0.1 s.
  package init(estimator: MotionEstimator, lag: Seconds, block: Seconds = 0) {
    epochs = EpochSmoother(estimator: estimator, lag: lag, block: block)
  }

  /// Adds the next sample, and calls `body`, in order, with each motion that is now older than the
  /// lag. Returns the motion at the time of the sample, without smoothing.
  @discardableResult
  package mutating func update(_ sample: Sample, _ body: (Output) -> Void) -> MotionSample? {
    let motion = epochs.update(sample, into: &corrections)
    correct(body)
    if let motion { pending.append(motion) }
    return motion
  }

  /// Ends smoothing, and calls `body` with the remaining motions.
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
