// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The totals for a sequence of steps: number, distance, time in motion, cadence, pace and pauses.
public struct WalkingMeter: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    public var length = StepLengthModel()
    /// The interval in seconds above which two steps belong to different walks. Default 2.
    public var longestStep = 2.0
    /// The time in seconds without a step after which walking has paused. It covers the longest
    /// step and the delay of the recogniser. Default 5.
    public var pauseTime = 5.0
    /// The duration in seconds that is assumed for the first step of a walk until the second step.
    /// Default 0.57: 1.75 steps per second.
    public var typicalStep = 0.57

    public init() {}
  }

  public let params: Params
  public private(set) var steps = 0
  /// The distance in metres.
  public private(set) var distance = 0.0
  /// The person's time in motion in seconds.
  public private(set) var activeTime = 0.0
  /// True while the person walks, that is, while steps follow one another.
  public private(set) var isWalking = false
  /// The cadence in steps per second; `nil` if there are no steps.
  public private(set) var cadence: Scalar?
  /// The pace in seconds per metre; `nil` if there are no steps.
  public private(set) var pace: Scalar?
  /// The start of the current walk or pause.
  private(set) var turn: Timestamp?
  private var last: Timestamp?
  /// Averages over about the last four steps: seconds per step, and metres per step.
  private var interval = 0.0
  private var length = 0.0
  /// The number of steps in the current walk.
  private var row = 0
  private var events = Latest<8, WalkingEvent>(placeholder: WalkingEvent(.pause, timestamp: .zero))

  public init(_ params: Params = Params()) { self.params = params }

  /// Adds the next step. A step that is not later than the last step is counted, but has no
  /// duration.
  public mutating func add(_ step: Step) {
    steps += 1
    let since = last.map { (step.timestamp - $0).seconds } ?? .infinity
    // If the time of the step is much earlier, the clock has restarted.
    let isNew = since > params.longestStep || since < -params.longestStep
    if isNew {
      if let last { pause(at: last) }
      resume(at: step.timestamp)
      row = 0
    } else if !isWalking {
      // The apparent pause was a late step.
      resume(at: step.timestamp)
    }
    row += 1
    let duration = isNew ? params.typicalStep : max(since, 0)
    let metres = params.length.length(interval: duration, swing: step.swing)
    activeTime += duration
    distance += metres
    if row == 1 {
      interval = duration
      length = metres
    } else {
      // The first value of the average duration was an assumption, so the second step replaces it.
      let weight = row == 2 ? 1 : max(1 / Scalar(row - 1), 0.25)
      interval += (duration - interval) * weight
      length += (metres - length) * weight
    }
    if isNew || since > 0 { last = step.timestamp }
    // Compute cadence and pace once per step, because they are read with each sample.
    cadence = row > 1 ? 1 / interval : nil
    pace = row > 1 && length > 0 ? interval / length : nil
  }

  /// Advances the time of the meter. The walk ends if there have been no steps for too long.
  public mutating func advance(to time: Timestamp) {
    guard isWalking, let last, (time - last).seconds > params.pauseTime else { return }
    pause(at: last)
  }

  private mutating func pause(at time: Timestamp) {
    guard isWalking else { return }
    isWalking = false
    cadence = nil
    pace = nil
    turn = time
    events.append(WalkingEvent(.pause, timestamp: time))
  }

  private mutating func resume(at time: Timestamp) {
    isWalking = true
    turn = time
    events.append(WalkingEvent(.resume, timestamp: time))
  }

  /// Returns the next walking event, oldest first; `nil` if there are no more. If more than eight
  /// events are unread, only the newest eight are kept.
  public mutating func nextEvent() -> WalkingEvent? { events.next() }
}
