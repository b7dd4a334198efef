// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Recognises from the acceleration alone whether a device's bearer rests, walks, runs, cycles or
/// rides in a vehicle, or does something else.
///
/// Each second, features of the last five seconds are computed, which hardly depend on rotation or
/// sample rate; a small trained model weighs them, and a filter reports a change once it is clearly
/// more likely than no change: after 5 to 15 seconds, with its start time. The first result comes
/// after 5 to 10 seconds. docs/movement.md describes the training and the accuracy.
public struct ActivityRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The weight of the evidence of one window. Default 0.3, because five consecutive windows
    /// share samples.
    public var trust = 0.3
    /// The weight of the first window, which shares no samples with an earlier one. Default 0.5.
    public var firstTrust = 0.5
    /// The mean length of an activity, s. Default 60.
    public var dwell = 60.0
    /// The probability at which an activity becomes the first result. Default 0.6.
    public var firstBelief = 0.6
    /// The probability at which an activity replaces the previous result. Default 0.7.
    public var switchBelief = 0.7
    /// The result is empty if no activity reaches this probability for `longestDoubt` seconds.
    /// Defaults 0.4 and 6.
    public var leastBelief = 0.4
    public var longestDoubt = 6.0
    /// The probability at which confidence becomes medium. Default 0.9.
    public var mediumBelief = 0.9
    /// The probability at which confidence becomes high. Default 0.98.
    public var highBelief = 0.98
    /// The time for which a new confidence must last before it is reported, s. Default 8, because
    /// an unusual second affects five windows.
    public var confidenceHold = 8.0
    /// The shortest ride, in seconds, that is remembered while the vehicle stands. Default 30.
    public var shortestRide = 30.0
    /// A vehicle that stands for longer is parked, s. Default 300.
    public var longestStop = 300.0
    /// The longest time between two samples to interpolate, s. Default 0.5.
    public var longestGap = 0.5
    /// The activity is unknown after this time without samples, s. Default 30.
    public var longestSilence = 30.0

    /// The activity is unknown after a sensor has repeated one value for this time, s, and so is
    /// frozen. Default 5: then the window contains no measurement.
    public var longestFreeze = 5.0

    public init() {}
  }

  public let params: Params
  /// The last estimate; unknown before the first result, and after a long silence.
  public private(set) var estimate = ActivityEstimate(timestamp: .zero)
  private var spacing: SampleSpacing
  private var freeze = FreezeDetector()
  private var window = ActivityWindow()
  private var smoother: ActivitySmoother
  /// The time of the newest measured sample.
  private var last: Timestamp?
  private var isWaiting = false
  private var values = 0
  /// The number of consecutive evaluations with a confidence other than the estimate's.
  private var differing = 0

  @inline(__always)  // in the owner's memory: otherwise it is on the stack twice
  public init(_ params: Params = Params()) {
    self.params = params
    spacing = SampleSpacing(longestGap: params.longestGap)
    smoother = ActivitySmoother(params)
  }

  /// Adds an acceleration in g with gravity, in any axes and with either sign, at 12.5 Hz or more.
  /// Returns the estimate if its activities or confidence changed. Samples that are not finite or
  /// not later than the last are ignored.
  public mutating func update(_ acceleration: Vector3, at time: Timestamp) -> ActivityEstimate? {
    guard acceleration.isFinite else { return nil }
    switch spacing.step(to: time) {
    case .isStale: return nil
    case .begins: return begin(acceleration, at: time)
    case .follows(let interval):
      if freeze.isFrozen(acceleration, at: time) { return wait(until: time) }
      if isWaiting { return begin(acceleration, at: time) }
      last = time
      window.add(acceleration, interval: interval)
    }
    var changed: ActivityEstimate?
    while window.advance() {
      values += 1
      guard window.isFull, values >= Int(ActivityWindow.rate) else { continue }
      values = 0
      if evaluate() { changed = estimate }
    }
    return changed
  }

  /// Interrupts recognition because samples will pause: the activity is unknown until they resume.
  public mutating func interrupt() {
    estimate = ActivityEstimate(timestamp: last ?? estimate.timestamp)
    spacing = SampleSpacing(longestGap: params.longestGap)
    smoother.clear()
    window = ActivityWindow()
    last = nil
  }

  /// Handles a frozen sensor: samples since `freeze.since` are not used.
  private mutating func wait(until time: Timestamp) -> ActivityEstimate? {
    isWaiting = true
    guard (time - freeze.since).seconds >= params.longestFreeze,
      estimate.activities != .unknown
    else { return nil }
    smoother.clear()
    estimate = ActivityEstimate(timestamp: freeze.since)
    return estimate
  }

  private mutating func begin(_ acceleration: Vector3, at time: Timestamp) -> ActivityEstimate? {
    let silence = last.map { (time - $0).seconds }
    last = time
    isWaiting = false
    freeze.begin(acceleration, at: time)
    window.begin(acceleration, at: time)
    // The first window is evaluated when it is full.
    values = Int(ActivityWindow.rate)
    guard let silence, silence >= 0, silence <= params.longestSilence else {
      let wasKnown = estimate.activities != .unknown
      smoother.clear()
      smoother.begin(at: time)
      estimate = ActivityEstimate(timestamp: time)
      return wasKnown ? estimate : nil
    }
    smoother.begin(at: time)
    return nil
  }

  /// Evaluates the window. Returns true if the estimate changed. Never inlined, because its
  /// stack memory would be part of the caller's.
  @inline(never)
  private mutating func evaluate() -> Bool {
    var values = InlineArray<128, Vector3>(repeating: .zero)
    window.copy(into: &values)
    let features = ActivityFeatures(takingApart: &values)
    let middle = window.end - TimeSpan(seconds: ActivityWindow.length / 2)
    smoother.add(
      ActivityModel.evidence(features.values), features: features.values, middle: middle)
    guard smoother.hasDecided else { return false }
    let before = estimate
    let (activities, confidence) = (smoother.activities, smoother.confidence)
    if activities == before.activities {
      follow(confidence)
    } else {
      estimate = ActivityEstimate(
        timestamp: max(before.timestamp, smoother.began), activities: activities,
        confidence: confidence)
      differing = 0
    }
    return estimate != before
  }

  /// Reports a changed confidence after it has lasted for some seconds, so that it does not
  /// flicker.
  private mutating func follow(_ confidence: ActivityConfidence) {
    differing = confidence == estimate.confidence ? 0 : differing + 1
    guard Scalar(differing) > params.confidenceHold else { return }
    estimate.confidence = confidence
    differing = 0
  }
}
