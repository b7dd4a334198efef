// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The phases of a shake, in UIKit's words: every `began` is followed by one `ended` or one
/// `cancelled`.
public enum ShakePhase: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case began
  /// It was over soon: what a program acts on.
  case ended
  /// It went on for so long that it is none, or was interrupted.
  case cancelled
}

/// Tells from the acceleration alone that a device is being shaken.
///
/// A shake is a row of swings, each as strong as the one before it, in the opposite direction, and
/// soon after it. That is what tells it from a step, a bump or a run: their strong accelerations
/// point one way, or come half as often. A hand that shakes swings 6 to 14 times a second (3 to 7
/// Hz); feet strike at most 3.5 times.
///
/// UIKit says that there are these phases and not where their limits are; the limits here were
/// chosen on public recordings of people who walk, run, cycle, drive and work, and do not shake.
public struct ShakeRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// Time constant of the estimate of gravity that is taken off, s. Default 0.5.
    public var gravitySmoothing = 0.5
    /// Time constant of the low-pass before swings are looked for, s. Default 0.02 (8 Hz): the
    /// ringing of an impact is faster than a hand.
    public var smoothing = 0.02
    /// A swing is stronger than this, g. Default 1.
    public var threshold = 1.0
    /// Seconds between the peaks of two swings. Default 0.05 ... 0.17: at least 2.9 Hz, faster than
    /// people run.
    public var swingTimes = 0.05...0.17
    /// The cosine of the angle between two swings is below minus this. Default 0.8: 37 degrees from
    /// opposite.
    public var opposition = 0.8
    /// The weaker of two swings has at least this part of the stronger one's peak. Default 0.55.
    public var balance = 0.55
    /// So many swings make a shake. Default 4.
    public var swings = 4
    /// A shake is over when there was no swing for so long, s. Default 0.4.
    public var quietTime = 0.4
    /// The longest shake, s; longer movement is none. Default 3.
    public var longestShake = 3.0
    /// The longest time between two samples over which anything is remembered, s. Default 0.5.
    public var longestGap = 0.5

    public init() {}
  }

  public let params: Params
  /// True where it has begun and not ended.
  public private(set) var isShaking = false
  private var spacing: SampleSpacing
  private var gravity = Vector3.zero
  private var smoothed = Vector3.zero
  private var current: Swing?
  private var previous: Swing?
  /// Swings in a row, each rightly after the one before.
  private var count = 0
  private var began = Timestamp.zero
  private var lastSwing = Timestamp.zero
  /// Cancelled, and has not come to rest since.
  private var isSpent = false

  /// An excursion beyond the threshold, by its peak.
  fileprivate struct Swing: Equatable, Sendable {
    var direction: Vector3
    var peak: Scalar
    var time: Timestamp
  }

  public init(_ params: Params = Params()) {
    self.params = params
    spacing = SampleSpacing(longestGap: params.longestGap)
  }

  /// Takes an acceleration in g with gravity, in any axes and of either sign. Returns what it makes
  /// of it, at the sample's time. Samples that are not finite or not later than the last are left
  /// out.
  public mutating func update(_ acceleration: Vector3, at time: Timestamp) -> ShakePhase? {
    guard acceleration.isFinite else { return nil }
    switch spacing.step(to: time) {
    case .isStale: return nil
    case .begins:
      gravity = acceleration
      smoothed = .zero
      return interrupt()
    case .follows(let interval):
      gravity.approach(acceleration, interval: interval, tau: params.gravitySmoothing)
      smoothed.approach(acceleration - gravity, interval: interval, tau: params.smoothing)
    }
    follow(time)
    if isShaking || isSpent {
      if (time - lastSwing).seconds > params.quietTime { return end(.ended) }
      if isShaking, (time - began).seconds > params.longestShake {
        isSpent = true
        return end(.cancelled)
      }
      return nil
    }
    guard count >= params.swings else { return nil }
    isShaking = true
    began = time
    return .began
  }

  /// Cuts off a shake under way: samples will not come for a while. Returns `cancelled` where a
  /// shake had begun.
  public mutating func interrupt() -> ShakePhase? {
    forget()
    isSpent = false
    return end(.cancelled)
  }

  private mutating func end(_ phase: ShakePhase) -> ShakePhase? {
    defer { isShaking = false }
    if phase == .ended { isSpent = false }
    return isShaking ? phase : nil
  }

  private mutating func forget() {
    current = nil
    previous = nil
    count = 0
  }

  /// Follows the swings until `time`.
  private mutating func follow(_ time: Timestamp) {
    if let current, (time - current.time).seconds > params.swingTimes.upperBound { forget() }
    let strength = smoothed.norm
    guard strength > params.threshold else { return }
    let swing = Swing(direction: smoothed / strength, peak: strength, time: time)
    guard let held = current else {
      current = swing
      return
    }
    // Well to the other side: the swing before is over, and can be judged by its peak.
    guard swing.direction.dot(held.direction) < -0.3 else {
      if strength > held.peak { current = swing }
      return
    }
    if let previous, held.follows(previous, params) {
      count += 1
      lastSwing = time
    } else {
      count = 1
    }
    previous = held
    current = swing
  }
}

extension ShakeRecognizer.Swing {
  fileprivate func follows(_ other: Self, _ params: ShakeRecognizer.Params) -> Bool {
    direction.dot(other.direction) < -params.opposition
      && params.swingTimes.contains((time - other.time).seconds)
      && peak >= params.balance * other.peak && other.peak >= params.balance * peak
  }
}
