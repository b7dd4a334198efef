// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The totals of a row of steps: their number, distance, time in motion, cadence and pace, pauses.
public struct WalkingMeter: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    public var length = StepLengthModel()
    /// Two steps this far apart, in seconds, are of two walks. Default 2.
    public var longestStep = 2.0
    /// Walking has paused when no step is known of for so long, s: the longest step, and what a
    /// recogniser takes to be sure of one. Default 5.
    public var patience = 5.0
    /// The assumed duration of the first step of a walk, s, until there is a second. Default 0.57:
    /// 1.75 steps a second.
    public var typicalStep = 0.57

    public init() {}
  }

  public let params: Params
  public private(set) var steps = 0
  /// Metres.
  public private(set) var distance = 0.0
  /// Seconds in motion.
  public private(set) var activeTime = 0.0
  /// True while steps follow one another.
  public private(set) var isWalking = false
  /// Steps a second; `nil` while there are none.
  public private(set) var cadence: Scalar?
  /// Seconds a metre; `nil` while there are no steps.
  public private(set) var pace: Scalar?
  /// The time when the present walking, or pause, began.
  private(set) var turn: Timestamp?
  private var last: Timestamp?
  /// Means over the last four steps or so: seconds a step, metres a step.
  private var interval = 0.0
  private var length = 0.0
  /// Steps of this walk.
  private var row = 0
  private var events = Latest<8, WalkingEvent>(placeholder: WalkingEvent(.pause, timestamp: .zero))

  public init(_ params: Params = Params()) { self.params = params }

  /// Takes the next step. One that is not later than the last counts, and takes no time.
  public mutating func add(_ step: Step) {
    steps += 1
    let since = last.map { (step.timestamp - $0).seconds } ?? .infinity
    // Far back is a clock that begins anew.
    let isNew = since > params.longestStep || since < -params.longestStep
    if isNew {
      if let last { pause(at: last) }
      resume(at: step.timestamp)
      row = 0
    } else if !isWalking {
      // What seemed to be a pause was a step that was long in coming.
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
      // The first was a guess.
      let weight = row == 2 ? 1 : max(1 / Scalar(row - 1), 0.25)
      interval += (duration - interval) * weight
      length += (metres - length) * weight
    }
    if isNew || since > 0 { last = step.timestamp }
    // Once a step: they are asked for at each sample.
    cadence = row > 1 ? 1 / interval : nil
    pace = row > 1 && length > 0 ? interval / length : nil
  }

  /// Says how late it is: without steps a walk is over.
  public mutating func advance(to time: Timestamp) {
    guard isWalking, let last, (time - last).seconds > params.patience else { return }
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

  /// Returns the next event of walking, oldest first; `nil` after the last. Of more than eight that
  /// are not taken the newest are kept.
  public mutating func nextEvent() -> WalkingEvent? { events.next() }
}
