// SPDX-License-Identifier: Apache-2.0

// Parallax: three layers of a landscape, the near ones moved more than the far ones as the board is
// turned. Only the rotation rate is used, added up to an angle that slowly goes back to the middle,
// as wallpapers do.

import CoreMotion
import Terminal

let manager = CMMotionManager()
guard manager.isDeviceMotionAvailable else {
  Terminal.giveUp("Parallax needs an accelerometer and a gyroscope.")
}

let queue = OperationQueue()
queue.maxConcurrentOperationCount = 1

/// A layer: what it is made of, how high it stands, and how many columns a radian moves it.
let layers: [(pattern: String, height: Int, depth: Double)] = [
  ("  .      *     .   .        *   .     ", 0, 8),
  ("      /\\        /\\/\\          /\\      ", 2, 24),
  ("  _|_|__     _|___|_      __|_|_      ", 4, 72),
]

@Sendable func picture(_ turn: Double) -> String {
  var rows = [String](repeating: "", count: 5)
  for layer in layers {
    let characters = Array(layer.pattern)
    let shift = Int((turn * layer.depth).rounded())
    rows[layer.height] = String(
      (0..<60).map { column in
        let index = (column - shift) % characters.count
        return characters[index < 0 ? index + characters.count : index]
      })
  }
  return rows.joined(separator: "\n")
}

/// The angle by which the board is turned, kept by one queue alone, an operation after another.
final class View: @unchecked Sendable {
  var turn = 0.0
  var lastTimestamp: TimeInterval?
}
let view = View()

manager.deviceMotionUpdateInterval = 0.05
manager.startDeviceMotionUpdates(to: queue) { @Sendable motion, error in
  guard let motion else {
    Terminal.show(error?.localizedDescription ?? "no motion")
    return
  }
  let time = motion.timestamp - (view.lastTimestamp ?? motion.timestamp)
  view.lastTimestamp = motion.timestamp
  // About y: the right edge going down shows more of the left.
  view.turn += motion.rotationRate.y * time
  view.turn *= exp(-time / 2)
  Terminal.show(
    picture(view.turn),
    plain: String(
      format: "%10.3f s   rate %+7.3f rad/s   turn %+7.4f rad", motion.timestamp,
      motion.rotationRate.y, view.turn))
}

Terminal.run()
manager.stopDeviceMotionUpdates()
