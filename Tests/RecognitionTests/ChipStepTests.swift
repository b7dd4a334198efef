// SPDX-License-Identifier: Apache-2.0
import Quantities
import Recognition
import Testing

/// Steps counted by a chip.
struct ChipStepTests {
  private func estimator() -> MovementEstimator {
    MovementEstimator(channels: [], hasStepCounter: true)
  }

  private func times(_ estimator: inout MovementEstimator) -> [Double] {
    var times: [Double] = []
    while let step = estimator.nextStep() { times.append(step.timestamp.seconds) }
    return times
  }

  @Test func `each count is a step, the first call one`() {
    var estimator = estimator()
    estimator.update(stepCount: 41, at: Timestamp(seconds: 10))
    estimator.update(stepCount: 42, at: Timestamp(seconds: 10.5))
    estimator.update(stepCount: 44, at: Timestamp(seconds: 11.5))
    #expect(estimator.movement.counts.steps == 4)
    #expect(times(&estimator) == [10, 10.5, 11, 11.5])
    // 0.5 s per step are two steps per second, with 0.51 m * 2 / 1.75 each; the first is assumed to
    // be an average one.
    #expect(abs(estimator.movement.counts.distance - (0.51 / 1.75) * (1 / 0.57 + 3 * 2)) < 1e-9)
    #expect(abs((estimator.movement.currentCadence ?? 0) - 2) < 1e-9)
  }

  /// An LSM6DS3 reports the first seven steps together.
  @Test func `several at once were taken one after another`() {
    var estimator = estimator()
    estimator.update(stepCount: 0, at: .zero)
    _ = times(&estimator)
    let before = estimator.movement.counts.steps
    estimator.update(stepCount: 7, at: Timestamp(seconds: 100))
    #expect(estimator.movement.counts.steps - before == 7)
    let taken = times(&estimator)
    #expect(taken.last == 100 && abs((taken.first ?? 0) - (100 - 6 * 0.57)) < 1e-6)
    var fresh = self.estimator()
    fresh.update(stepCount: 7, at: Timestamp(seconds: 100))
    #expect(fresh.movement.counts.steps == 7)
  }

  @Test func `a chip that was started again counts from zero`() {
    var estimator = estimator()
    estimator.update(stepCount: 500, at: Timestamp(seconds: 1))
    estimator.update(stepCount: 3, at: Timestamp(seconds: 5))
    #expect(estimator.movement.counts.steps == 4)
    // An unchanged count adds no step.
    estimator.update(stepCount: 3, at: Timestamp(seconds: 6))
    #expect(estimator.movement.counts.steps == 4)
  }

  @Test func `without samples the clock alone ends a walk`() {
    var estimator = estimator()
    for index in 0..<6 {
      estimator.update(stepCount: Int32(index), at: Timestamp(seconds: Double(index) * 0.5))
    }
    #expect(estimator.movement.currentCadence != nil)
    estimator.advance(to: Timestamp(seconds: 8))
    #expect(estimator.movement.currentCadence == nil)
    var kinds: [WalkingEvent.Kind] = []
    while let event = estimator.nextEvent() { kinds.append(event.kind) }
    #expect(kinds == [.resume, .pause])
    // Walking from the first step to the last; a count of 0 is none. Other activities are unknown.
    var reported: [String] = []
    while let activity = estimator.nextActivity() {
      reported.append("\(activity.activities.rawValue) \(activity.timestamp.seconds)")
    }
    #expect(reported == ["2 0.5", "32 2.5"])
  }

  @Test func `a source without such a chip has no such steps`() {
    var estimator = MovementEstimator(channels: .acceleration)
    estimator.update(stepCount: 9, at: .zero)
    #expect(estimator.movement.counts.steps == 0)
  }
}
