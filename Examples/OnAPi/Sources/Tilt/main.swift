// SPDX-License-Identifier: Apache-2.0
import CoreMotion

// Says once a second how the device is tilted, and ends after --seconds, or by Ctrl-C.
let manager = CMMotionManager()
let seconds = CommandLine.arguments.last.flatMap(Double.init) ?? .infinity
manager.deviceMotionUpdateInterval = 1

manager.startDeviceMotionUpdates(to: .main) { motion, error in
  guard let motion else {
    print(error?.localizedDescription ?? "no motion")
    exit(1)
  }
  let (pitch, roll) = (motion.attitude.pitch * 180 / .pi, motion.attitude.roll * 180 / .pi)
  print("pitch \(pitch.rounded())  roll \(roll.rounded()) degrees")
}

RunLoop.main.run(until: seconds < 1e6 ? Date(timeIntervalSinceNow: seconds) : .distantFuture)
