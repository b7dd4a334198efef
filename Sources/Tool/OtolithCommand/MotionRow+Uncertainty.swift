// SPDX-License-Identifier: Apache-2.0
import SourceReading
import Fusion
import Otolith
import Recordings
import Runtime

extension MotionRow {
  /// Adds the uncertainties of `motion` to the row, which already contains the attitude in `frame`.
  /// `smoothed` is the covariance of the smoothed attitude, in the frame of `attitude6`.
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
    // All reference frames have Z up, so two of them differ by a rotation about Z.
    let turn =
      smoothed == nil
      ? attitude * engine.attitude9.conjugate : attitude * motion.attitude6.conjugate
    let matrix = turn.normalized.rotationMatrix
    var covariance = matrix * (smoothed ?? filtered) * matrix.transposed
    guard frame.isNorth, motion.contents.contains(.heading) else {
      // In a frame with an arbitrary X axis the heading is undefined, so the variance of the
      // heading is pi squared.
      (covariance.m13, covariance.m23, covariance.m31, covariance.m32) = (0, 0, 0, 0)
      covariance.m33 = .pi * .pi
      return covariance
    }
    // Add the heading error from the device's own magnetism, because the filter's covariance does
    // not include it.
    let sigma = motion.headingSigma
    covariance.m33 += max(0, sigma * sigma - filtered.m33)
    covariance.m33 = min(covariance.m33, .pi * .pi)
    return covariance
  }
}
