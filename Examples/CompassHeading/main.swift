// SPDX-License-Identifier: Apache-2.0

// A compass: the heading of the board's top edge, kept level by the accelerometer and steady by the
// gyroscope. True north where the board file has a location, else magnetic north.

import CoreMotion
import Terminal

let manager = CMMotionManager()
let frames = CMMotionManager.availableAttitudeReferenceFrames()
guard manager.isDeviceMotionAvailable, frames.contains(.xMagneticNorthZVertical) else {
  Terminal.giveUp("A compass needs a magnetometer in addition to accelerometer and gyroscope.")
}
let hasTrueNorth = frames.contains(.xTrueNorthZVertical)
let north = hasTrueNorth ? "true" : "magnetic"

let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
let queue = OperationQueue()
queue.maxConcurrentOperationCount = 1

/// A strip of the horizon with the heading in its middle, three degrees a character.
@Sendable func strip(_ heading: Double) -> String {
  (-30...30).map { offset -> String in
    let direction = (Int((heading / 3).rounded()) + offset + 120) % 120 * 3
    if direction % 90 == 0 { return names[direction / 45] }
    return direction % 30 == 0 ? "|" : "."
  }.joined()
}

manager.deviceMotionUpdateInterval = 0.1
manager.startDeviceMotionUpdates(
  using: hasTrueNorth ? .xTrueNorthZVertical : .xMagneticNorthZVertical, to: queue
) { @Sendable motion, error in
  if let error = error as? NSError, error.code == Int(CMErrorDeviceRequiresMovement.rawValue) {
    Terminal.note("Turn the board about: the compass is not calibrated yet.")
    return
  }
  guard let motion else {
    Terminal.show(error?.localizedDescription ?? "no motion")
    return
  }
  let name = names[Int((motion.heading / 45).rounded()) % 8]
  let trust =
    switch motion.magneticField.accuracy {
    case .high: "high"
    case .medium: "medium"
    case .low: "low"
    default: "uncalibrated"
    }
  let line =
    String(format: "%10.3f s   %5.1f deg ", motion.timestamp, motion.heading)
    + "\(name)   \(north) north, accuracy \(trust)"
  Terminal.show(
    strip(motion.heading) + "\n" + String(repeating: " ", count: 30) + "^\n" + line, plain: line)
}

Terminal.run()
manager.stopDeviceMotionUpdates()
