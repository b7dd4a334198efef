// SPDX-License-Identifier: Apache-2.0

// Prints how far the board has been raised or lowered since the program began, from the pressure of
// the air: about 12 Pa a metre.

import CoreMotion
import Terminal

guard CMAltimeter.isRelativeAltitudeAvailable() else {
  Terminal.giveUp("An altimeter needs a barometer, and this board has none.")
}

let altimeter = CMAltimeter()
let queue = OperationQueue()
queue.maxConcurrentOperationCount = 1

/// A bar that grows to the right above the start and to the left below it; a character is 10 cm.
@Sendable func bar(_ metres: Double) -> String {
  let tenths = max(-30, min(30, Int((metres * 10).rounded())))
  let below =
    String(repeating: " ", count: 30 + min(tenths, 0))
    + String(repeating: "#", count: -min(tenths, 0))
  return below + "|" + String(repeating: "#", count: max(tenths, 0))
}

altimeter.startRelativeAltitudeUpdates(to: queue) { @Sendable data, error in
  guard let data else {
    Terminal.show(error?.localizedDescription ?? "no altitude")
    return
  }
  let metres = data.relativeAltitude.doubleValue
  let line = String(
    format: "%10.3f s   %+7.2f m   pressure %8.3f kPa", data.timestamp, metres,
    data.pressure.doubleValue)
  Terminal.show(bar(metres) + "\n" + line, plain: line)
}

Terminal.run()
altimeter.stopRelativeAltitudeUpdates()
