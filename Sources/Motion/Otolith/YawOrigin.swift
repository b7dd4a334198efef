// SPDX-License-Identifier: Apache-2.0

/// The direction of the x axis in a receiver's arbitrary frames. It is the direction of the
/// device's x axis at the receiver's first motion, so that yaw starts at zero, as on Apple's
/// systems.
package struct YawOrigin {
  /// The rotation applied to `attitude6`; `nil` before the first attitude.
  private var arbitrary: Quaternion?
  /// The rotation applied to `attitudeCorrected`; `nil` before the first heading.
  private var corrected: Quaternion?

  package init() {}

  /// Returns `motion` with its arbitrary attitudes relative to this origin.
  package mutating func turned(_ motion: MotionSample) -> MotionSample {
    guard motion.contents.contains(.attitude) else { return motion }
    var turned = motion
    let arbitrary = self.arbitrary ?? Self.turn(motion.attitude6, toYaw: 0)
    self.arbitrary = arbitrary
    turned.attitude6 = arbitrary * motion.attitude6
    guard motion.contents.contains(.heading) else { return turned }
    // The magnetometer may start later. The corrected frame then starts with the yaw of
    // `attitude6`.
    let corrected =
      self.corrected ?? Self.turn(motion.attitudeCorrected, toYaw: turned.attitude6.azimuth)
    self.corrected = corrected
    turned.attitudeCorrected = corrected * motion.attitudeCorrected
    return turned
  }

  /// Returns the rotation about the vertical axis that changes the yaw of `attitude` to `yaw`.
  private static func turn(_ attitude: Quaternion, toYaw yaw: Double) -> Quaternion {
    Quaternion(angle: yaw - attitude.azimuth, axis: Vector3(0, 0, 1))
  }
}
