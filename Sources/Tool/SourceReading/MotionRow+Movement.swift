// SPDX-License-Identifier: Apache-2.0
import MotionViews
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
  /// The recognised activities as a cell of the motion file, such as `stationary+automotive`.
  package var columnText: String { names.reversed().joined(separator: "+") }
}
