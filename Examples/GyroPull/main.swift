// SPDX-License-Identifier: Apache-2.0

// The gyroscope, pulled: updates go on in the background, and the program looks at the newest
// whenever it draws, as a game does once a frame. What is shown is as measured; DeviceMotion shows
// the rate without the sensor's bias.

import CoreMotion
import Terminal

let manager = CMMotionManager()
guard manager.isGyroAvailable else {
  Terminal.giveUp("This board has no gyroscope.")
}

manager.gyroUpdateInterval = 1.0 / 50
manager.startGyroUpdates()

var lastTimestamp = 0.0
Terminal.run(framesPerSecond: 10) {
  // Nothing yet, or nothing new since the last frame.
  guard let data = manager.gyroData, data.timestamp > lastTimestamp else { return }
  lastTimestamp = data.timestamp
  let rate = data.rotationRate
  let degrees = [rate.x, rate.y, rate.z].map { $0 * 180 / .pi }
  Terminal.show(
    String(
      format: "%10.3f s   x %+8.2f   y %+8.2f   z %+8.2f deg/s",
      data.timestamp, degrees[0], degrees[1], degrees[2]))
}

manager.stopGyroUpdates()
