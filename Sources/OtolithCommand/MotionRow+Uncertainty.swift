// SPDX-License-Identifier: Apache-2.0
import Fusion
import Otolith
import Recordings
import Runtime

extension MotionRow {
  /// Adds the doubts about `motion`, whose attitude in `frame` the row has already. `smoothed` is
  /// the covariance of what was smoothed, in the frame of `attitude6`.
  mutating func addUncertainty(
    of motion: MotionSample, _ frame: FrameOption, _ engine: FusionEngine,
    smoothed: Matrix3?
  ) {
    uncertainty = MotionUncertainty(
      attitude: attitude.map {
        Self.covariance(of: motion, at: $0, frame, engine, smoothed: smoothed)
      },
      gyroBiasSigma: motion.contents.contains(.rotationRate) || engine.isCoasting
        ? engine.gyroBiasSigma : nil,
      faults: engine.faults.names, isCoasting: engine.isCoasting)
  }

  private static func covariance(
    of motion: MotionSample, at attitude: Quaternion, _ frame: FrameOption,
    _ engine: FusionEngine, smoothed: Matrix3?
  ) -> Matrix3 {
    let filtered = engine.attitudeCovariance
    // All frames have Z up: they are turned about it.
    let turn =
      smoothed == nil
      ? attitude * engine.attitude9.conjugate : attitude * motion.attitude6.conjugate
    let matrix = turn.normalized.rotationMatrix
    var covariance = matrix * (smoothed ?? filtered) * matrix.transposed
    guard frame.isNorth, motion.contents.contains(.heading) else {
      // Of a frame with an arbitrary X the heading is from anywhere.
      (covariance.m13, covariance.m23, covariance.m31, covariance.m32) = (0, 0, 0, 0)
      covariance.m33 = .pi * .pi
      return covariance
    }
    // What is not known of the device's own magnetism is no error of the filter's.
    let sigma = motion.headingSigma
    covariance.m33 += max(0, sigma * sigma - filtered.m33)
    covariance.m33 = min(covariance.m33, .pi * .pi)
    return covariance
  }
}
