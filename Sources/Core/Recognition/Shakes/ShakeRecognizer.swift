// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The phases of a shake, named as in UIKit. Each `began` is followed by one `ended` or one
/// `cancelled`.
public enum ShakePhase: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case began
  /// The shake ended in time. Programs act on this phase.
  case ended
  /// The movement was too long for a shake, or was interrupted.
  case cancelled
}

/// Recognises from the acceleration alone that a device is shaken.
///
/// A shake is a sequence of swings. Each swing is about as strong as the previous one, in the
/// opposite direction, and follows it shortly. Steps, bumps and running are different: their strong
/// accelerations all have one direction, or come half as often. A shaking hand makes 6 to 14 swings
/// per second (3 to 7 Hz); feet strike the ground at most 3.5 times per second.
///
/// UIKit documents these phases, but no limits. The limits here were chosen with public recordings
/// of people who walk, run, cycle, drive and work without shaking the device.
public struct ShakeRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The time constant in seconds of the gravity estimate that is subtracted. Default 0.5.
    public var gravitySmoothing = 0.5
    /// The time constant in seconds of the low-pass filter before the detection of swings. Default
    /// 0.02 (8 Hz), because vibrations after an impact are faster than a hand.
    public var smoothing = 0.02
    /// The minimum acceleration of a swing in g. Default 1.
    public var threshold = 1.0
    /// The range of the time in seconds between the peaks of two swings. Default 0.05 ... 0.17: at
    /// least 2.9 Hz, which is faster than people run.
    public var swingTimes = 0.05...0.17
    /// The cosine, with its sign reversed, of the smallest angle between two swings. Default 0.8:
    /// they must be within 37 degrees of opposite directions.
    public var opposition = 0.8
    /// The smallest ratio between the peaks of the weaker and the stronger swing. Default 0.55.
    public var balance = 0.55
    /// The number of swings that make a shake. Default 4.
    public var swings = 4
    /// The time in seconds without a swing after which a shake has ended. Default 0.4.
    public var quietTime = 0.4
    /// The longest duration of a shake in seconds; a longer movement is not a shake. Default 3.
    public var longestShake = 3.0
    /// The longest gap between samples, in seconds, over which the state is kept. Default 0.5.
    public var longestGap = 0.5

    public init() {}
  }

  public let params: Params
  /// True from the start of a shake to its end.
  public private(set) var isShaking = false
  private var spacing: SampleSpacing
  private var gravity = Vector3.zero
  private var smoothed = Vector3.zero
  private var current: Swing?
  private var previous: Swing?
  /// The number of consecutive valid swings of the device.
  private var count = 0
  private var began = Timestamp.zero
  private var lastSwing = Timestamp.zero
  /// True after a cancelled shake, until the device comes to rest.
  private var isSpent = false

  /// A movement whose acceleration exceeds the threshold, described by its peak.
  fileprivate struct Swing: Equatable, Sendable {
    var direction: Vector3
    var peak: Scalar
    var time: Timestamp
  }

  public init(_ params: Params = Params()) {
    self.params = params
    spacing = SampleSpacing(longestGap: params.longestGap)
  }

  /// Adds an acceleration in g, gravity included, in any axes and with either sign. Returns the
  /// phase that starts at this sample, if any. Ignores samples that are not finite or not later
  /// than the last sample.
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

  /// Ends a shake in progress, because samples will pause. Returns `cancelled` if a shake had
  /// begun.
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

  private mutating func follow(_ time: Timestamp) {
    if let current, (time - current.time).seconds > params.swingTimes.upperBound { forget() }
    let strength = smoothed.norm
    guard strength > params.threshold else { return }
    let swing = Swing(direction: smoothed / strength, peak: strength, time: time)
    guard let held = current else {
      current = swing
      return
    }
    // The acceleration is clearly in the opposite direction, so the previous swing has ended and
    // its peak is final.
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
