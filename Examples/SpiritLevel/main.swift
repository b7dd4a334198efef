// SPDX-License-Identifier: Apache-2.0

// A spirit level: the bubble goes where up is, against gravity. The glass spans 10 degrees to
// either side.

import CoreMotion
import Terminal

let manager = CMMotionManager()
guard manager.isDeviceMotionAvailable else {
  Terminal.giveUp("A spirit level needs an accelerometer and a gyroscope.")
}

let queue = OperationQueue()
queue.maxConcurrentOperationCount = 1

/// A round glass of 41 by 21 characters with the bubble at `x` and `y`, -1 ... 1 each.
@Sendable func glass(x: Double, y: Double) -> String {
  let bubble = (column: 20 + Int((x * 19).rounded()), row: 10 - Int((y * 9).rounded()))
  return (0...20).map { row in
    (0...40).map { column -> String in
      if abs(column - bubble.column) <= 1 && row == bubble.row { return "O" }
      let radius = hypot(Double(column - 20) / 20, Double(row - 10) / 10)
      if abs(radius - 0.97) < 0.05 { return "." }
      return abs(radius - 0.2) < 0.05 ? "," : " "
    }.joined()
  }.joined(separator: "\n")
}

manager.deviceMotionUpdateInterval = 0.1
manager.startDeviceMotionUpdates(to: queue) { @Sendable motion, error in
  guard let motion else {
    Terminal.show(error?.localizedDescription ?? "no motion")
    return
  }
  let g = motion.gravity
  // How far the right edge and the top edge are above the level, degrees.
  let right = atan2(-g.x, -g.z) * 180 / .pi
  let top = atan2(-g.y, -g.z) * 180 / .pi
  let away = max(hypot(right, top), 10)
  let line = String(
    format: "%10.3f s   right edge %+7.2f deg   top edge %+7.2f deg", motion.timestamp, right, top)
  Terminal.show(glass(x: right / away, y: top / away) + "\n" + line, plain: line)
}

Terminal.run()
manager.stopDeviceMotionUpdates()
