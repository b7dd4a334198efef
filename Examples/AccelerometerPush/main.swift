// SPDX-License-Identifier: Apache-2.0

// The accelerometer, pushed: every tenth of a second a handler gets what was measured. At rest that
// is gravity alone; lay the board flat, then stand it on each edge, and see which number becomes
// -1.

import CoreMotion
import Terminal

let manager = CMMotionManager()
guard manager.isAccelerometerAvailable else {
  Terminal.giveUp("This board has no accelerometer.")
}

let queue = OperationQueue()
queue.maxConcurrentOperationCount = 1

manager.accelerometerUpdateInterval = 0.1
manager.startAccelerometerUpdates(to: queue) { @Sendable data, error in
  guard let data else {
    Terminal.show(error?.localizedDescription ?? "no data")
    return
  }
  let a = data.acceleration
  let length = (a.x * a.x + a.y * a.y + a.z * a.z).squareRoot()
  Terminal.show(
    String(
      format: "%10.3f s   x %+7.3f   y %+7.3f   z %+7.3f g   together %6.3f g",
      data.timestamp, a.x, a.y, a.z, length))
}

Terminal.run()
manager.stopAccelerometerUpdates()
