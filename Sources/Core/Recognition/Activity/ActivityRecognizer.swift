// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Recognises from the acceleration alone whether a person rests, walks, runs, cycles, rides in a
/// vehicle, or does something else.
///
/// Each second the recogniser computes features of the last five seconds, which hardly depend on
/// the rotation of the device or the sample rate. A small trained model rates these features. A
/// filter reports a change once it is clearly more likely than no change, which takes 5 to 15
/// seconds; the report contains the start time of the new activity. The first result comes after 5
/// to 10 seconds. docs/movement.md describes the training and the accuracy.
public struct ActivityRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The weight of the evidence from one window. Default 0.3: consecutive windows overlap, so
    /// each sample counts in five windows, and full weight would count it five times.
    public var trust = 0.3
    /// The weight of the evidence from the first window. Default 0.5, because that window shares no
    /// samples with an earlier window.
    public var firstTrust = 0.5
    /// The mean duration of an activity in seconds. Default 60.
    public var dwell = 60.0
    /// The probability at which an activity becomes the first result. Default 0.6.
    public var firstBelief = 0.6
    /// The probability at which an activity replaces the previous result. Default 0.7.
    public var switchBelief = 0.7
    /// A probability, and a time in seconds: the result becomes empty if no activity reaches
    /// `leastBelief` for `longestUnclear`. Defaults 0.4 and 6.
    public var leastBelief = 0.4
    public var longestUnclear = 6.0
    /// The probability at which the confidence becomes medium. Default 0.9.
    public var mediumBelief = 0.9
    /// The probability at which the confidence becomes high. Default 0.98.
    public var highBelief = 0.98
    /// The time in seconds for which a new confidence must last before it is reported. Default 8: a
    /// single unusual second affects five windows, and must not change the confidence.
    public var confidenceHold = 8.0
    /// The shortest ride, in seconds, after which a person at rest still counts as in the vehicle.
    /// Default 30.
    public var shortestRide = 30.0
    /// The time in seconds after which a vehicle at rest counts as parked. Default 300.
    public var longestStop = 300.0
    /// The longest interval between two samples, in seconds, that is interpolated. Default 0.5.
    public var longestGap = 0.5
    /// The time in seconds without samples after which the activity is unknown. Default 30.
    public var longestSilence = 30.0

    /// The time in seconds after which the activity becomes unknown because the sensor is frozen
    /// and repeats one value. Default 5, after which the window contains no new measurement.
    public var longestFreeze = 5.0

    public init() {}
  }

  public let params: Params
  /// The last estimate. The activity is unknown before the first result and after a long time
  /// without samples.
  public private(set) var estimate = ActivityEstimate(timestamp: .zero)
  private var spacing: SampleSpacing
  private var freeze = FreezeDetector()
  private var window = ActivityWindow()
  private var smoother: ActivitySmoother
  /// The time of the last sample that was really measured, not repeated by a frozen sensor.
  private var last: Timestamp?
  private var isWaiting = false
  private var values = 0
  /// The number of consecutive evaluations whose confidence differs from the confidence of the
  /// current estimate.
  private var differing = 0

  @inline(__always)  // inlined, so that the stack holds no second copy of the value
  public init(_ params: Params = Params()) {
    self.params = params
    spacing = SampleSpacing(longestGap: params.longestGap)
    smoother = ActivitySmoother(params)
  }

  /// Adds an acceleration in g, gravity included, in any axes and with either sign, at 12.5 Hz or
  /// more. Returns the estimate if its activities or its confidence changed. Ignores samples that
  /// are not finite or not later than the last sample.
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

  /// Interrupts the recognition because samples will pause. The activity is unknown until the
  /// samples resume.
  public mutating func interrupt() {
    estimate = ActivityEstimate(timestamp: last ?? estimate.timestamp)
    spacing = SampleSpacing(longestGap: params.longestGap)
    smoother.clear()
    window = ActivityWindow()
    last = nil
  }

  /// Advances the time while the sensor is frozen. The samples since `freeze.since` are not used.
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
    // Evaluate the first window as soon as it is full.
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

  /// Evaluates the window. Returns true if the estimate changed. Never inlined, because otherwise
  /// its stack memory would become part of the caller's.
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

  /// Reports a changed confidence after it has lasted for `confidenceHold`, so that the reported
  /// confidence does not flicker.
  private mutating func follow(_ confidence: ActivityConfidence) {
    differing = confidence == estimate.confidence ? 0 : differing + 1
    guard Scalar(differing) > params.confidenceHold else { return }
    estimate.confidence = confidence
    differing = 0
  }
}
