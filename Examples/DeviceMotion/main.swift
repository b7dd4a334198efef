// SPDX-License-Identifier: Apache-2.0

// Device motion: what fusion makes of all sensors. Attitude as three angles, gravity apart from
// what the hand adds to it, and the rotation rate without the gyroscope's bias.

import CoreMotion
import Terminal

let manager = CMMotionManager()
guard manager.isDeviceMotionAvailable else {
  Terminal.giveUp("Device motion needs an accelerometer and a gyroscope.")
}

let queue = OperationQueue()
queue.maxConcurrentOperationCount = 1

@Sendable func row(_ name: String, _ x: Double, _ y: Double, _ z: Double, _ unit: String) -> String
{
  String(format: "%+9.3f %+9.3f %+9.3f", x, y, z) + " \(unit)  \(name)"
}

manager.deviceMotionUpdateInterval = 0.1
manager.startDeviceMotionUpdates(to: queue) { @Sendable motion, error in
  guard let motion else {
    Terminal.show(error?.localizedDescription ?? "no motion")
    return
  }
  let attitude = motion.attitude
  let angles = [attitude.pitch, attitude.roll, attitude.yaw].map { $0 * 180 / .pi }
  let gravity = motion.gravity
  let user = motion.userAcceleration
  let rate = motion.rotationRate
  let rows = [
    row("pitch, roll, yaw", angles[0], angles[1], angles[2], "deg  "),
    row("gravity", gravity.x, gravity.y, gravity.z, "g    "),
    row("user acceleration", user.x, user.y, user.z, "g    "),
    row("rotation rate", rate.x, rate.y, rate.z, "rad/s"),
  ]
  let time = String(format: "%.3f s", motion.timestamp)
  Terminal.show(
    ([time] + rows).joined(separator: "\n"),
    plain: time + rows.joined(separator: ";"))
}

Terminal.run()
manager.stopDeviceMotionUpdates()
