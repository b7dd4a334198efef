// SPDX-License-Identifier: Apache-2.0
internal import Recognition

/// A recogniser of steps, floors and activities in samples: `MovementEstimator`, or a replacement
/// in tests.
package protocol MovementRecognition: Sendable {
  /// The movement counted so far.
  var movement: Movement { get }
  mutating func update(_ sample: Sample)
  /// Adds the count of a chip's step counter.
  mutating func update(stepCount count: Int32, at time: Timestamp)
  /// Advances the recogniser's time while no samples arrive that would advance it.
  mutating func advance(to time: Timestamp)
  /// Returns the oldest step that was not returned yet; `nil` after the last.
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
  /// Returns the demand of movement recognition: 50 Hz of acceleration, at and below which the
  /// recognisers were tested. If a source runs faster, all samples are used, because every
  /// recogniser smooths its input: dropped samples would alias vibration into slow motion.
  package static func movement(of channels: ChannelSet) -> SampleDemand {
    // Request acceleration even if there is no accelerometer: without a demand the chips sleep,
    // including the one that counts steps.
    var demand = SampleDemand(.acceleration, at: 50)
    if channels.contains(.pressure) { demand[.pressure] = 10 }
    return demand
  }
}
