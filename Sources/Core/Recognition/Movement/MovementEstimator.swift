// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Computes steps, floors and activities from the samples of a board or a recording, with any
/// clock.
///
/// After each update, read the new results with `nextStep`, `nextEvent` and `nextActivity`.
public struct MovementEstimator: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    public var walking = WalkingMeter.Params()

    public init() {}

    /// Creates the parameters of the recognisers for a person whose height is `height` metres.
    public init(height: Scalar) { walking.length.height = height }
  }

  public let params: Params
  /// The channels of the source.
  public let channels: ChannelSet
  /// True if a chip of the source counts steps. Steps are then not detected in the samples.
  public let hasStepCounter: Bool
  public private(set) var movement = Movement()
  private var walking: WalkingMeter
  private var floors: FloorRecognizer
  private var activity = ActivityRecognizer()
  private var recognizer = StepRecognizer()
  private var hasBegun = false
  /// The last count of the chip's step counter.
  private var chipCount: Int32?
  private var chipTime = Timestamp.zero
  private var steps = Latest<64, Step>(placeholder: .none)
  private var activities = Latest<4, ActivityEstimate>(
    placeholder: ActivityEstimate(timestamp: .zero))

  /// Creates an estimator for a source with these `channels`.
  @inline(__always)  // inlined, so that the stack holds no second copy of the value
  public init(channels: ChannelSet, hasStepCounter: Bool = false, params: Params = Params()) {
    self.channels = channels
    self.hasStepCounter = hasStepCounter
    self.params = params
    walking = WalkingMeter(params.walking)
    floors = FloorRecognizer(usesSteps: hasStepCounter || channels.contains(.acceleration))
  }

  /// True if steps can be counted: the source has a step counter or an accelerometer.
  public var countsSteps: Bool { hasStepCounter || channels.contains(.acceleration) }

  /// The height in metres above the first pressure reading; `nil` without a barometer, and before
  /// its first reading.
  public var relativeAltitude: Scalar? { floors.relativeAltitude }

  /// True if floors can be counted: the source has a barometer.
  public var countsFloors: Bool { channels.contains(.pressure) }

  /// Adds the next sample of the source.
  public mutating func update(_ sample: Sample) {
    begin(sample.timestamp)
    if sample.channels.contains(.acceleration) {
      if !hasStepCounter {
        recognizer.update(sample.acceleration, at: sample.timestamp)
        while let step = recognizer.next() { take(step) }
      }
      if let change = activity.update(sample.acceleration, at: sample.timestamp) { take(change) }
    }
    if sample.channels.contains(.pressure) { updateFloors(sample) }
    advance(to: sample.timestamp)
  }

  private mutating func take(_ change: ActivityEstimate) {
    movement.activity = change
    floors.note(change)
    recognizer.activities = change.activities
    activities.append(change)
  }

  private mutating func updateFloors(_ sample: Sample) {
    floors.update(
      pressure: sample.pressure,
      temperature: sample.channels.contains(.temperature) ? sample.temperature : nil,
      at: sample.timestamp)
    movement.counts.floorsAscended = floors.ascended
    movement.counts.floorsDescended = floors.descended
  }

  /// Adds the count that a chip's step counter has reached since the chip started. Steps before the
  /// first call are ignored, except for the step that caused the report, and for the few steps that
  /// chips collect before they count the first (7 in an LSM6DS3 and a BMI160).
  public mutating func update(stepCount count: Int32, at time: Timestamp) {
    guard hasStepCounter else { return }
    begin(time)
    // If a chip was restarted, its step counter starts again at zero.
    var new = chipCount.map { count >= $0 ? count - $0 : count } ?? (count > 10 ? 1 : count)
    let since = chipCount == nil ? .infinity : (time - chipTime).seconds
    chipCount = count
    chipTime = time
    // Limit the jump in the count, because no chip takes that many steps without a report.
    new = min(new, 1000)
    guard new > 0 else { return advance(to: time) }
    // Distribute several steps that were reported at once over the time since the previous report.
    let interval = min(since / Scalar(new), walking.params.typicalStep)
    var left = new
    while left > 0 {
      left -= 1
      let age = since > 0 ? Scalar(left) * interval : 0
      take(Step(timestamp: time - TimeSpan(seconds: age), confidence: 0.9, swing: 0))
    }
    advance(to: time)
  }

  /// Advances the estimator to `time` if no samples do so.
  public mutating func advance(to time: Timestamp) {
    begin(time)
    movement.timestamp = max(movement.timestamp, time)
    walking.advance(to: time)
    movement.currentCadence = walking.cadence
    movement.currentPace = walking.pace
    guard hasStepCounter, !channels.contains(.acceleration) else { return }
    // Without acceleration samples, a person who takes steps is walking. Otherwise the activity is
    // unknown.
    let known: ActivitySet = walking.isWalking ? .walking : .unknown
    guard known != movement.activity.activities else { return }
    take(
      ActivityEstimate(
        timestamp: walking.turn ?? time, activities: known,
        confidence: walking.isWalking ? .medium : .low))
  }

  /// Finishes after the last sample: reports the results of the last second that are still held
  /// back.
  public mutating func finish() {
    guard hasBegun else { return }
    recognizer.interrupt()
    while let step = recognizer.next() { take(step) }
    advance(to: movement.timestamp)
  }

  private mutating func begin(_ time: Timestamp) {
    guard !hasBegun else { return }
    hasBegun = true
    movement = Movement(timestamp: time)
  }

  /// Adds a step that the recogniser has confirmed or the chip has counted.
  private mutating func take(_ step: Step) {
    walking.add(step)
    floors.add(step)
    steps.append(step)
    movement.counts.steps = walking.steps
    movement.counts.distance = walking.distance
    movement.counts.activeTime = walking.activeTime
  }

  /// Returns the next step, oldest first; `nil` if there are no more. If more than 64 steps are
  /// unread, only the newest 64 are kept.
  public mutating func nextStep() -> Step? { steps.next() }

  /// Returns the next pause or resumption of walking, oldest first; `nil` if there are no more.
  public mutating func nextEvent() -> WalkingEvent? { walking.nextEvent() }

  /// Returns the next change of activity, oldest first; `nil` if there are no more.
  public mutating func nextActivity() -> ActivityEstimate? { activities.next() }
}
