// SPDX-License-Identifier: Apache-2.0

/// What makes steps, floors and activities of samples: `MovementEstimator`, or what a test puts in its place.
package protocol MovementRecognition: Sendable {
  /// What has been counted until now.
  var movement: Movement { get }
  mutating func update(_ sample: Sample)
  /// What a chip says that counts steps by itself.
  mutating func update(stepCount count: Int32, at time: Timestamp)
  /// Says how late it is where no samples do.
  mutating func advance(to time: Timestamp)
  /// What the updates until now have found, oldest first; `nil` when all has been taken.
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
  /// What movement is recognised in. All the recognisers were measured at 50 Hz of acceleration and less; a source that runs
  /// faster for somebody else is taken as it is, since every one of them smooths what it gets: leaving out samples would let
  /// vibration appear as a slow motion.
  package static func movement(of channels: ChannelSet) -> SampleDemand {
    // Also where there is none: who asks for nothing lets the chips sleep, and with them the one that counts steps.
    var demand = SampleDemand(.acceleration, at: 50)
    if channels.contains(.pressure) { demand[.pressure] = 10 }
    return demand
  }
}
