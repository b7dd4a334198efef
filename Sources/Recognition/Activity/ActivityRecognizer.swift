// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Tells from the acceleration alone whether who carries a device rests, walks, runs, cycles or is
/// driven, or none of these.
///
/// Each second the last five are turned into numbers that neither rotation nor the sensor's rate
/// alters much, a small trained model weighs them, and a filter reports a change once it is well
/// more likely than none: after 5 to 15 seconds, with the time at which it began. The first answer
/// comes after 5 to 10 seconds. How the model was trained and what it is worth is in
/// docs/movement.md.
public struct ActivityRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The weight of the evidence of one window. Default 0.3: five windows in a row share their
    /// samples.
    public var trust = 0.3
    /// The same of the first window, which shares its samples with none before it. Default 0.5.
    public var firstTrust = 0.5
    /// The mean length of an activity, s. Default 60.
    public var dwell = 60.0
    /// The belief from which an activity is the first answer. Default 0.6.
    public var firstBelief = 0.6
    /// The belief from which an activity replaces the earlier answer. Default 0.7.
    public var switchBelief = 0.7
    /// Nothing fits where nothing is as likely as this for `longestDoubt` seconds. Defaults 0.4 and
    /// 6.
    public var leastBelief = 0.4
    public var longestDoubt = 6.0
    /// From what likelihood on confidence is medium. Default 0.9.
    public var mediumBelief = 0.9
    /// From what likelihood on confidence is high. Default 0.98.
    public var highBelief = 0.98
    /// So long another confidence must hold before it is told, s. Default 8: an odd second is in
    /// five windows.
    public var confidenceHold = 8.0
    /// A ride of so many seconds is remembered while the car stands. Default 30.
    public var shortestRide = 30.0
    /// A car that stands for longer is parked, s. Default 300.
    public var longestStop = 300.0
    /// The longest time between two samples that a line may fill, s. Default 0.5.
    public var longestGap = 0.5
    /// Nothing is known after so long without samples, s. Default 30.
    public var longestSilence = 30.0

    /// Nothing is known after a sensor has been saying the same for so long, s: it is frozen.
    /// Default 5: nothing of the window was measured.
    public var longestFreeze = 5.0

    public init() {}
  }

  public let params: Params
  /// The last estimate; unknown before the first answer, and after a long silence.
  public private(set) var estimate = ActivityEstimate(timestamp: .zero)
  private var spacing: SampleSpacing
  private var freeze = FreezeDetector()
  private var window = ActivityWindow()
  private var smoother: ActivitySmoother
  /// Of the newest sample that was measured.
  private var last: Timestamp?
  /// True while the sensor is frozen.
  private var isWaiting = false
  /// Values since the last evaluation.
  private var values = 0
  /// Evaluations in a row with another confidence than the estimate's.
  private var differing = 0

  @inline(__always)  // where it is held: made elsewhere it is on the stack twice
  public init(_ params: Params = Params()) {
    self.params = params
    spacing = SampleSpacing(longestGap: params.longestGap)
    smoother = ActivitySmoother(params)
  }

  /// Takes an acceleration in g with gravity, in any axes and of either sign, at 12.5 Hz or more.
  /// Returns the estimate where its activities or its confidence changed. Samples that are not
  /// finite or not later than the last are left out.
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

  /// Interrupts recognition: samples will not come for a while, and nothing is known until they do.
  public mutating func interrupt() {
    estimate = ActivityEstimate(timestamp: last ?? estimate.timestamp)
    spacing = SampleSpacing(longestGap: params.longestGap)
    smoother.clear()
    window = ActivityWindow()
    last = nil
  }

  /// The samples since `freeze.since` say nothing.
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
    // The first window is judged when it is full.
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

  /// Evaluates the window. Returns true where the estimate changed. Never a part of its caller,
  /// whose memory on the stack it would hold for good.
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

  /// A level that differs is told when it has for some seconds, so that it does not flicker.
  private mutating func follow(_ confidence: ActivityConfidence) {
    differing = confidence == estimate.confidence ? 0 : differing + 1
    guard Scalar(differing) > params.confidenceHold else { return }
    estimate.confidence = confidence
    differing = 0
  }
}
