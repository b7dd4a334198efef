// SPDX-License-Identifier: Apache-2.0
internal import Recognition

/// A recogniser of steps, floors and activities in samples: `MovementEstimator`, or a test's
/// replacement.
package protocol MovementRecognition: Sendable {
  /// The movement counted until now.
  var movement: Movement { get }
  mutating func update(_ sample: Sample)
  /// Takes the count of a chip that counts steps by itself.
  mutating func update(stepCount count: Int32, at time: Timestamp)
  /// Tells it the time where no samples do.
  mutating func advance(to time: Timestamp)
  /// Returns the next finding of the updates until now, oldest first; `nil` when all have been
  /// taken.
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
  /// Returns the samples that movement is recognised in. All the recognisers were measured at 50 Hz
  /// of acceleration and less; a source that runs faster for another listener is taken as it is,
  /// since every one of them smooths its input: leaving out samples would let vibration appear as a
  /// slow motion.
  package static func movement(of channels: ChannelSet) -> SampleDemand {
    // Also where there is none: who asks for nothing lets the chips sleep, and with them the one
    // that counts steps.
    var demand = SampleDemand(.acceleration, at: 50)
    if channels.contains(.pressure) { demand[.pressure] = 10 }
    return demand
  }
}
