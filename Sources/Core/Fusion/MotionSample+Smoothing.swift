// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

extension MotionSample {
  /// Returns the motion corrected with the information from later samples. The arbitrary heading of
  /// its frames does not change, because later samples say nothing about the heading at the start.
  package func corrected(by smoothed: BackwardPass.Smoothed) -> MotionSample {
    var motion = self
    let turn = smoothed.turn
    if contents.contains(.attitude) {
      let tilt = Quaternion(rotationVector: Vector3(turn.x, turn.y, 0))
      // The correction is relative to the frame of `attitude6`. The other frames differ from this
      // frame by a rotation about the Z axis.
      motion.attitude6 = (tilt * attitude6).normalized
      let acceleration = gravity + userAcceleration
      motion.gravity = FusionEngine.gravity(motion.attitude6)
      motion.userAcceleration = acceleration - motion.gravity
      motion.inclinationSigma = tiltSigma(smoothed.covariance)
      if contents.contains(.heading) {
        let levelled = (motion.attitude6 * attitude6.conjugate).normalized
        func turned(_ attitude: Quaternion, by heading: Scalar) -> Quaternion {
          let offset = attitude * attitude6.conjugate
          return
            (Quaternion(angle: heading, axis: Vector3(0, 0, 1)) * offset * levelled
            * attitude6).normalized
        }
        motion.attitude9 = turned(attitude9, by: turn.z)
        motion.attitudeCorrected = turned(attitudeCorrected, by: 0)
      }
    }
    if contents.contains(.rotationRate) {
      motion.gyroBias = gyroBias + smoothed.bias
      motion.rotationRate = rotationRate - smoothed.bias
    }
    return motion
  }

  private func tiltSigma(_ p: Matrix3) -> Scalar {
    let half = (p.m11 - p.m22) / 2
    let most = (p.m11 + p.m22) / 2 + sqrt(half * half + p.m12 * p.m12)
    return most > 0 ? sqrt(most) : 0
  }
}
