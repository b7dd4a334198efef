// SPDX-License-Identifier: Apache-2.0
package import Fusion
import Otolith
import Recordings

extension MotionRow {
  /// Creates the row of a motion file for `motion` in `frame`.
  package init(_ motion: MotionSample, _ frame: FrameOption, declination: Double) {
    self.init(timestamp: motion.timestamp)
    attitude = motion.attitude(in: frame.frame, declination: declination)
    if motion.contents.contains(.rotationRate) { rotationRate = motion.rotationRate }
    if motion.contents.contains(.attitude) {
      gravity = motion.gravity
      userAcceleration = motion.userAcceleration
    }
    if motion.contents.contains(.magneticField) {
      magneticField = motion.magneticField
      magneticFieldAccuracy = Int(motion.magneticAccuracy.rawValue)
    }
    if frame.isNorth, let attitude { heading = headingDegrees(of: attitude) }
    if motion.contents.contains(.pressure) { pressure = motion.pressure }
  }
}
