// SPDX-License-Identifier: Apache-2.0

// Prints what the bearer of the board does: standing, walking, running, cycling, in a car. More
// than one can be true: a car that waits is automotive and stationary. First what the last hour
// was, then each change as it comes.

import CoreMotion
import Terminal

guard CMMotionActivityManager.isActivityAvailable() else {
  Terminal.giveUp(
    "Activity is not recognised here: CMMotionActivityManager says that it is not available.")
}

@Sendable func description(of activity: CMMotionActivity) -> String {
  let kinds: [(Bool, String)] = [
    (activity.stationary, "stationary"), (activity.walking, "walking"),
    (activity.running, "running"), (activity.cycling, "cycling"),
    (activity.automotive, "automotive"), (activity.unknown, "unknown"),
  ]
  let names = kinds.filter { $0.0 }.map { $0.1 }
  let confidence =
    switch activity.confidence {
    case .low: "low"
    case .medium: "medium"
    case .high: "high"
    @unknown default: "unknown"
    }
  return (names.isEmpty ? "moving" : names.joined(separator: ", "))
    + "   confidence \(confidence)   since \(activity.startDate)"
}

let manager = CMMotionActivityManager()
let queue = OperationQueue()
queue.maxConcurrentOperationCount = 1

manager.queryActivityStarting(
  from: Date(timeIntervalSinceNow: -3600), to: Date(), to: queue
) { @Sendable activities, error in
  if let error = error as? NSError,
    error.code == Int(CMErrorMotionActivityNotAuthorized.rawValue)
  {
    Terminal.note("The history may not be read by this user.")
  }
  for activity in activities ?? [] { Terminal.note("before: " + description(of: activity)) }
}

manager.startActivityUpdates(to: queue) { @Sendable activity in
  guard let activity else { return }
  Terminal.show(description(of: activity))
}

Terminal.run()
manager.stopActivityUpdates()
