// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Turns samples, as they come from a board or a recording, into steps, floors and activities: the
/// same code on every clock.
///
/// What happened since the last call is taken with `nextStep`, `nextEvent` and `nextActivity` after
/// each update.
public struct MovementEstimator: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    public var walking = WalkingMeter.Params()

    public init() {}

    /// Creates the parameters of a person of this height, in metres.
    public init(height: Scalar) { walking.length.height = height }
  }

  public let params: Params
  /// The channels that the source samples.
  public let channels: ChannelSet
  /// True where a chip of the source counts steps: those in the samples are ignored.
  public let hasStepCounter: Bool
  public private(set) var movement = Movement()
  private var walking: WalkingMeter
  private var floors: FloorRecognizer
  private var activity = ActivityRecognizer()
  private var recognizer = StepRecognizer()
  private var hasBegun = false
  /// The chip's last count.
  private var chipCount: Int32?
  private var chipTime = Timestamp.zero
  private var steps = Latest<64, Step>(placeholder: .none)
  private var activities = Latest<4, ActivityEstimate>(
    placeholder: ActivityEstimate(timestamp: .zero))

  /// Creates an estimator for a source of these channels.
  @inline(__always)  // where it is held: made elsewhere it is on the stack twice
  public init(channels: ChannelSet, hasStepCounter: Bool = false, params: Params = Params()) {
    self.channels = channels
    self.hasStepCounter = hasStepCounter
    self.params = params
    walking = WalkingMeter(params.walking)
    floors = FloorRecognizer(usesSteps: hasStepCounter || channels.contains(.acceleration))
  }

  /// True where the source has the sensors that steps are counted by.
  public var countsSteps: Bool { hasStepCounter || channels.contains(.acceleration) }

  /// Metres above the first reading of the pressure; `nil` where there is no barometer, and before
  /// its first.
  public var relativeAltitude: Scalar? { floors.relativeAltitude }

  /// True where the source has the sensor that floors are counted by.
  public var countsFloors: Bool { channels.contains(.pressure) }

  /// Takes the next sample of any source.
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

  /// Takes what a chip that counts steps by itself says: how many since it was started. What it had
  /// counted before the first call is not for this estimator, but for the step that made it speak,
  /// or the few that chips wait for before they count the first (7 in an LSM6DS3 and a BMI160).
  public mutating func update(stepCount count: Int32, at time: Timestamp) {
    guard hasStepCounter else { return }
    begin(time)
    // A chip that was started anew counts from zero.
    var new = chipCount.map { count >= $0 ? count - $0 : count } ?? (count > 10 ? 1 : count)
    let since = chipCount == nil ? .infinity : (time - chipTime).seconds
    chipCount = count
    chipTime = time
    // After a jump of the count there is nothing to tell apart: no chip is silent for so many.
    new = min(new, 1000)
    guard new > 0 else { return advance(to: time) }
    // Several at once were taken one after another until now.
    let interval = min(since / Scalar(new), walking.params.typicalStep)
    var left = new
    while left > 0 {
      left -= 1
      let age = since > 0 ? Scalar(left) * interval : 0
      take(Step(timestamp: time - TimeSpan(seconds: age), confidence: 0.9, swing: 0))
    }
    advance(to: time)
  }

  /// Advances to `time`: without samples nothing else tells the time.
  public mutating func advance(to time: Timestamp) {
    begin(time)
    movement.timestamp = max(movement.timestamp, time)
    walking.advance(to: time)
    movement.currentCadence = walking.cadence
    movement.currentPace = walking.pace
    guard hasStepCounter, !channels.contains(.acceleration) else { return }
    // Without samples a person who takes steps walks, and nothing is known of the rest.
    let known: ActivitySet = walking.isWalking ? .walking : .unknown
    guard known != movement.activity.activities else { return }
    take(
      ActivityEstimate(
        timestamp: walking.turn ?? time, activities: known,
        confidence: walking.isWalking ? .medium : .low))
  }

  /// Finishes, since no more samples come: findings of the last second that were held back until
  /// the next are reported.
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

  /// Takes a step that a recogniser, or a chip, has settled.
  private mutating func take(_ step: Step) {
    walking.add(step)
    floors.add(step)
    steps.append(step)
    movement.counts.steps = walking.steps
    movement.counts.distance = walking.distance
    movement.counts.activeTime = walking.activeTime
  }

  /// Returns the next step, oldest first; `nil` after the last. Of more than 64 that are not taken
  /// the newest are kept.
  public mutating func nextStep() -> Step? { steps.next() }

  /// Returns the next pause or resumption of walking, likewise.
  public mutating func nextEvent() -> WalkingEvent? { walking.nextEvent() }

  /// Returns the next change of activity, likewise.
  public mutating func nextActivity() -> ActivityEstimate? { activities.next() }
}
