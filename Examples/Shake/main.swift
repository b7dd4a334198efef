// SPDX-License-Identifier: Apache-2.0

// Shakes, as an iOS app hears of them in motionBegan, motionEnded and motionCancelled; here they
// are notifications, on the main queue. Each shake that ends in time throws the dice again.

import CoreMotion
import Otolith
import Terminal

let manager = CMMotionManager()
guard manager.isAccelerometerAvailable else {
  Terminal.giveUp("A shake is felt by an accelerometer, and this board has none.")
}

@Sendable func dice() -> String {
  let faces = ["\u{2680}", "\u{2681}", "\u{2682}", "\u{2683}", "\u{2684}", "\u{2685}"]
  return (1...2).map { _ in faces[Int.random(in: 0...5)] }.joined(separator: " ")
}

let device = MotionDevice.current
let center = NotificationCenter.default
let start = ProcessInfo.processInfo.systemUptime

/// Calls `show` on the main queue, with the seconds since the program began.
func observe(_ name: Notification.Name, _ show: @escaping @Sendable (Double) -> Void) {
  _ = center.addObserver(forName: name, object: device, queue: .main) { _ in
    show(ProcessInfo.processInfo.systemUptime - start)
  }
}

observe(MotionDevice.motionBeganNotification) {
  Terminal.show(String(format: "%7.2f s   shaking", $0))
}
observe(MotionDevice.motionEndedNotification) {
  Terminal.show(String(format: "%7.2f s   shaken    ", $0) + dice())
}
observe(MotionDevice.motionCancelledNotification) {
  Terminal.show(String(format: "%7.2f s   too long to be a shake", $0))
}

device.beginGeneratingShakeNotifications()
Terminal.show("Shake the board.")
Terminal.run()
device.endGeneratingShakeNotifications()
