// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Turns samples, as they come from a board or a recording, into steps, floors and activities: the same code on every clock.
///
/// What happened since the last call is taken with `nextStep`, `nextEvent` and `nextActivity` after each update.
public struct MovementEstimator: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    public var walking = WalkingMeter.Params()

    public init() {}

    /// Of somebody so tall, in metres.
    public init(height: Double) { walking.length.height = height }
  }

  public let params: Params
  /// What the source samples.
  public let channels: ChannelSet
  public private(set) var movement = Movement()
  private var walking: WalkingMeter
  private var hasBegun = false
  private var steps = FixedQueue<64, Step>(
    filler: Step(timestamp: .zero, confidence: 0, swing: 0))
  private var activities = FixedQueue<4, ActivityEstimate>(
    filler: ActivityEstimate(timestamp: .zero))

  /// An estimator for a source of these channels.
  public init(channels: ChannelSet, params: Params = Params()) {
    self.channels = channels
    self.params = params
    walking = WalkingMeter(params.walking)
  }

  /// Whether the source has what steps are counted by.
  public var countsSteps: Bool { channels.contains(.acceleration) }

  /// Whether the source has what floors are counted by.
  public var countsFloors: Bool { channels.contains(.pressure) }

  /// Takes the next sample of any source.
  public mutating func update(_ sample: Sample) {
    if !hasBegun {
      hasBegun = true
      movement = Movement(timestamp: sample.timestamp)
    }
    movement.timestamp = max(movement.timestamp, sample.timestamp)
    walking.advance(to: sample.timestamp)
    movement.currentCadence = walking.cadence
    movement.currentPace = walking.pace
  }

  /// A step that a recogniser, or a chip, has settled.
  private mutating func take(_ step: Step) {
    walking.add(step)
    steps.append(step)
    movement.steps = walking.steps
    movement.distance = walking.distance
    movement.activeTime = walking.activeTime
  }

  /// The next step, oldest first; `nil`: nothing more. Of more than 64 that nobody takes the newest are kept.
  public mutating func nextStep() -> Step? { steps.next() }

  /// The next pause or resumption of walking, likewise.
  public mutating func nextEvent() -> WalkingEvent? { walking.nextEvent() }

  /// The next change of activity, likewise.
  public mutating func nextActivity() -> ActivityEstimate? { activities.next() }
}
