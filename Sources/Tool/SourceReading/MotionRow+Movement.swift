// SPDX-License-Identifier: Apache-2.0
import Otolith
package import Recognition
import Recordings

extension MotionRow {
  package mutating func add(_ estimator: MovementEstimator) {
    let movement = estimator.movement
    if estimator.countsSteps {
      numberOfSteps = movement.counts.steps
      distance = movement.counts.distance
      currentCadence = movement.currentCadence
      currentPace = movement.currentPace
      activity = movement.activity.activities.columnText
      activityConfidence = Int(movement.activity.confidence.rawValue)
    }
    if estimator.countsFloors {
      relativeAltitude = estimator.relativeAltitude
      floorsAscended = movement.counts.floorsAscended
      floorsDescended = movement.counts.floorsDescended
    }
  }
}

extension ActivitySet {
  /// The recognised activities as a cell of the motion file: names joined by `+`.
  package var columnText: String {
    let names: [(ActivitySet, String)] = [
      (.stationary, "stationary"), (.walking, "walking"), (.running, "running"),
      (.cycling, "cycling"), (.automotive, "automotive"), (.unknown, "unknown"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: "+")
  }
}
