// SPDX-License-Identifier: Apache-2.0
internal import Recognition

/// A recogniser of steps, floors and activities in samples: `MovementEstimator`, or a test's
/// replacement.
package protocol MovementRecognition: Sendable {
  /// The movement counted until now.
  var movement: Movement { get }
  mutating func update(_ sample: Sample)
  /// Adds the count of a chip's own step counter.
  mutating func update(stepCount count: Int32, at time: Timestamp)
  /// Advances the time if no samples do.
  mutating func advance(to time: Timestamp)
  /// Returns the next finding of the updates until now, oldest first; `nil` after the last.
  mutating func nextStep() -> Step?
  mutating func nextEvent() -> WalkingEvent?
  mutating func nextActivity() -> ActivityEstimate?
}

extension MovementRecognition {
  package mutating func update(stepCount count: Int32, at time: Timestamp) {}
  package mutating func advance(to time: Timestamp) {}
  package mutating func nextStep() -> Step? { nil }
  package mutating func nextEvent() -> WalkingEvent? { nil }
  package mutating func nextActivity() -> ActivityEstimate? { nil }
}

extension MovementEstimator: MovementRecognition {}

extension SampleDemand {
  /// Returns the demand for movement recognition. All recognisers were tested at 50 Hz of
  /// acceleration and less. A source that runs faster for another listener is used unchanged,
  /// because every recogniser smooths its input: dropping samples would alias vibration into slow
  /// motion.
  package static func movement(of channels: ChannelSet) -> SampleDemand {
    // Also without an accelerometer: an empty demand lets the chips sleep, including the one that
    // counts steps.
    var demand = SampleDemand(.acceleration, at: 50)
    if channels.contains(.pressure) { demand[.pressure] = 10 }
    return demand
  }
}
