// SPDX-License-Identifier: Apache-2.0

// A ball on a tray: it rolls to where gravity pulls it along the board's plane, and bounces off the
// rim. Sixty times a second the game looks at the newest motion and moves the ball on by the time
// that has passed.

import CoreMotion
import Terminal

/// The place of the ball along one axis of the tray, whose rim is at plus and minus `rim`, metres.
struct Axis {
  let rim: Double
  var position = 0.0
  var velocity = 0.0

  /// On by `time` seconds under gravity `g`. Of gravity along the plane a solid ball gets five
  /// sevenths, as the rest turns it; at the rim it keeps half of its speed.
  mutating func roll(under g: Double, for time: Double) {
    velocity += g * 9.80665 * 5 / 7 * time
    velocity *= 1 - 0.5 * time
    position += velocity * time
    guard abs(position) > rim else { return }
    position = position > 0 ? rim : -rim
    velocity *= -0.5
  }
}

func picture(_ x: Axis, _ y: Axis) -> String {
  let column = 20 + Int((x.position / x.rim * 20).rounded())
  let row = 10 - Int((y.position / y.rim * 10).rounded())
  let rim = "+" + String(repeating: "-", count: 41) + "+"
  let rows = (0...20).map { r in
    "|" + (0...40).map { r == row && $0 == column ? "o" : " " }.joined() + "|"
  }
  return ([rim] + rows + [rim]).joined(separator: "\n")
}

let manager = CMMotionManager()
guard manager.isDeviceMotionAvailable else {
  Terminal.giveUp("A tray needs an accelerometer and a gyroscope.")
}
manager.deviceMotionUpdateInterval = 1.0 / 100
manager.startDeviceMotionUpdates()

var x = Axis(rim: 0.20)
var y = Axis(rim: 0.20)
var lastTimestamp: TimeInterval?

Terminal.run(framesPerSecond: 60) {
  guard let motion = manager.deviceMotion, motion.timestamp != lastTimestamp else { return }
  // After a pause of the program the ball has not gone through the rim.
  let time = min(motion.timestamp - (lastTimestamp ?? motion.timestamp), 0.1)
  lastTimestamp = motion.timestamp
  x.roll(under: motion.gravity.x, for: time)
  y.roll(under: motion.gravity.y, for: time)
  Terminal.show(
    picture(x, y),
    plain: String(
      format: "%10.3f s   x %+7.4f   y %+7.4f m   gravity %+6.3f %+6.3f g",
      motion.timestamp, x.position, y.position, motion.gravity.x, motion.gravity.y))
}

manager.stopDeviceMotionUpdates()
