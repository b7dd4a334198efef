// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// Determines the current activity from the evidence of all windows, with the forward filter of a
/// hidden Markov model whose states are the activities. A threshold keeps the previous result until
/// another result is clearly more likely.
struct ActivitySmoother: Equatable, Sendable {
  let params: ActivityRecognizer.Params
  /// The current activity class; `nil` if there is no result yet or no class fits.
  private(set) var current: ActivityClass?
  /// The time at which the current activity class started.
  private(set) var began = Timestamp.zero
  /// True once an activity class has been found.
  private(set) var hasDecided = false
  private var belief = InlineArray<6, Scalar>(repeating: 1.0 / 6)
  private var gate = RideGate()
  /// The last time at which each activity class changed from unlikely to likely.
  private var rose = InlineArray<6, Timestamp>(repeating: .zero)
  /// True if the current class was found after the stream of samples last started.
  private var isFresh = true
  /// True until the first window after the stream of samples last started.
  private var isFirst = true
  /// The time at which the stream of samples last started.
  private var start = Timestamp.zero
  /// The number of consecutive windows that fit no activity class.
  private var unclear = 0
  /// The duration of the last ride in seconds, and the seconds of rest since then.
  private var ridden = 0
  private var rested = 0

  init(_ params: ActivityRecognizer.Params) { self.params = params }

  var activities: ActivitySet {
    switch current {
    case .stationary: isParked ? [.automotive, .stationary] : .stationary
    case .walking: .walking
    case .running: .running
    case .cycling: .cycling
    case .automotive: .automotive
    case .other, nil: []
    }
  }

  /// The probability of the current class as one of three levels. The level is low if `activities`
  /// is empty.
  var confidence: ActivityConfidence {
    guard let current, current != .other else { return .low }
    let certainty = belief[current.rawValue]
    if certainty >= params.highBelief { return .high }
    return certainty >= params.mediumBelief ? .medium : .low
  }

  /// True if the person is at rest after a ride, and so probably still in the vehicle.
  private var isParked: Bool {
    current == .stationary && Scalar(ridden) >= params.shortestRide
  }

  mutating func clear() { self = ActivitySmoother(params) }

  /// Starts again with new samples at `time`. The previous result remains until there is another
  /// result, but has no weight.
  mutating func begin(at time: Timestamp) {
    belief = InlineArray(repeating: 1.0 / 6)
    rose = InlineArray(repeating: time)
    gate = RideGate()
    isFresh = true
    isFirst = true
    unclear = 0
    start = time
  }

  /// Adds the evidence of the window around `middle`, one second after the previous window.
  mutating func add(
    _ evidence: InlineArray<6, Scalar>, features: InlineArray<36, Scalar>, middle: Timestamp
  ) {
    predict()
    weigh(gate.weigh(evidence, of: features), trust: isFirst ? params.firstTrust : params.trust)
    isFirst = false
    var best = 0
    for index in 0..<6 {
      if belief[index] < Self.unlikely { rose[index] = middle }
      if belief[index] > belief[best] { best = index }
    }
    decide(best, middle)
    remember()
  }

  private static var unlikely: Scalar { 0.2 }

  private mutating func predict() {
    let old = belief
    let leaving = 1 / params.dwell
    for to in 0..<6 { belief[to] = old[to] * (1 - leaving) }
    for from in 0..<6 {
      var whole = 0.0
      for to in 0..<6 where to != from { whole += Self.weight(from, to) }
      for to in 0..<6 where to != from {
        belief[to] += old[from] * leaving * Self.weight(from, to) / whole
      }
    }
  }

  /// Returns the relative probability of a change of class. It is low between running, cycling and
  /// riding, because most people walk in between.
  private static func weight(_ from: Int, _ to: Int) -> Scalar {
    isFast(from) && isFast(to) ? 0.1 : 1
  }

  private static func isFast(_ index: Int) -> Bool {
    index >= ActivityClass.running.rawValue && index <= ActivityClass.automotive.rawValue
  }

  private mutating func weigh(_ evidence: InlineArray<6, Scalar>, trust: Scalar) {
    var highest = evidence[0]
    for index in 1..<6 { highest = max(highest, evidence[index]) }
    var whole = 0.0
    for index in 0..<6 {
      belief[index] *= exp(trust * (evidence[index] - highest))
      whole += belief[index]
    }
    for index in 0..<6 { belief[index] /= whole }
  }

  private mutating func decide(_ best: Int, _ middle: Timestamp) {
    unclear = belief[best] < params.leastBelief ? unclear + 1 : 0
    if Scalar(unclear) >= params.longestUnclear {
      if current != nil { began = middle }
      current = nil
      isFresh = false
      hasDecided = true
      return
    }
    guard best != current?.rawValue || isFresh,
      belief[best] >= (isFresh ? params.firstBelief : params.switchBelief)
    else { return }
    if best != current?.rawValue {
      // An activity cannot start before the previous one.
      began = isFresh ? start : max(began, rose[best])
      current = ActivityClass(rawValue: best)
    }
    isFresh = false
    hasDecided = true
  }

  private mutating func remember() {
    switch current {
    case .automotive:
      ridden += 1
      rested = 0
    case .stationary:
      rested += 1
      if Scalar(rested) > params.longestStop, isParked {
        ridden = 0
        began = began + TimeSpan(seconds: params.longestStop)
      }
    case .walking, .running, .cycling: ridden = 0
    case .other, nil: break
    }
  }

  static func == (a: Self, b: Self) -> Bool {
    for index in 0..<6 where a.belief[index] != b.belief[index] || a.rose[index] != b.rose[index] {
      return false
    }
    return a.params == b.params && a.gate == b.gate && a.current == b.current && a.began == b.began
      && a.hasDecided == b.hasDecided && a.isFresh == b.isFresh && a.isFirst == b.isFirst
      && a.start == b.start
      && a.unclear == b.unclear && a.ridden == b.ridden && a.rested == b.rested
  }
}
