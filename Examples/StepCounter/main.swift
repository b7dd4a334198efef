// SPDX-License-Identifier: Apache-2.0

// Steps since the program began, with the distance, the cadence and the pace where the board knows
// them, and each pause of the walk. Today's steps until now are asked for once, from the history.

import CoreMotion
import Terminal

guard CMPedometer.isStepCountingAvailable() else {
  Terminal.giveUp(
    "Steps are not counted here: CMPedometer says that step counting is not available.")
}
guard CMPedometer.authorizationStatus() != .denied else {
  Terminal.giveUp("This user may not open the board's buses.")
}

/// A number of the pedometer, or a dash where it is not known.
@Sendable func text(_ number: NSNumber?, _ format: String) -> String {
  number.map { String(format: format, $0.doubleValue) } ?? "-"
}

let pedometer = CMPedometer()
let midnight = Calendar.current.startOfDay(for: Date())
pedometer.queryPedometerData(from: midnight, to: Date()) { @Sendable data, error in
  guard let data else { return }
  Terminal.note("today until now: \(data.numberOfSteps) steps")
}

// The handlers run on a serial queue of the pedometer's own.
pedometer.startUpdates(from: Date()) { @Sendable data, error in
  guard let data else {
    Terminal.show(error?.localizedDescription ?? "no steps")
    return
  }
  let seconds = data.endDate.timeIntervalSince(data.startDate)
  Terminal.show(
    String(format: "%7.1f s   ", seconds) + "\(data.numberOfSteps) steps   "
      + text(data.distance, "%.1f") + " m   " + text(data.currentCadence, "%.2f") + " steps/s   "
      + text(data.currentPace, "%.2f") + " s/m")
}
if CMPedometer.isPedometerEventTrackingAvailable() {
  pedometer.startEventUpdates { @Sendable event, error in
    guard let event else { return }
    Terminal.note(event.type == .pause ? "standing" : "walking")
  }
}

Terminal.run()
pedometer.stopUpdates()
pedometer.stopEventUpdates()
