// SPDX-License-Identifier: Apache-2.0
internal import Recognition

/// A recogniser of steps, floors and activities in samples: `MovementEstimator`, or a replacement
/// for tests.
package protocol MovementRecognition: Sendable {
  /// The movement counted so far.
  var movement: Movement { get }
  mutating func update(_ sample: Sample)
  /// Adds the count of a chip's step counter.
  mutating func update(stepCount count: Int32, at time: Timestamp)
  /// Advances the recogniser to `time` while no samples do so.
  mutating func advance(to time: Timestamp)
  /// Returns the oldest step that has not been returned yet; `nil` if there are no more.
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
  /// Returns the demand of movement recognition: 50 Hz of acceleration, because the recognisers
  /// were tested at this rate and below. If a source runs faster, all samples are used. Every
  /// recogniser smooths its input, and dropped samples would alias vibration into slow motion.
  package static func movement(of channels: ChannelSet) -> SampleDemand {
    // Request acceleration even if there is no accelerometer. Without a demand the chips sleep,
    // including the chip that counts steps.
    var demand = SampleDemand(.acceleration, at: 50)
    if channels.contains(.pressure) { demand[.pressure] = 10 }
    return demand
  }
}
