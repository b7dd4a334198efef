// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import History
internal import LinuxBus
package import Service
internal import Synchronization

/// The movement of a hub's board, past and present as one: counted by the log of this process or,
/// where the board is the service's, by that one's. It counts while it is followed, and answers
/// questions about any past time.
package struct MovementFeed: Sendable {
  private let hub: MotionHub

  package init(_ hub: MotionHub) { self.hub = hub }

  /// True where the board has the sensors that steps, and all that follows from them, are counted
  /// by.
  package var countsSteps: Bool { hub.source?.countsSteps ?? false }

  package var countsFloors: Bool { countsSteps && hub.source?.has(.pressure) ?? false }

  /// True where they are counted and the board's devices are there, floors where a barometer is.
  package var stepsAreAvailable: Bool { countsSteps && hub.presentChannels != nil }
  package var floorsAreAvailable: Bool { stepsAreAvailable && countsFloors }

  /// The reason why steps are never counted; `nil` where they are, or may be once there is a board.
  package var refusal: MovementError? {
    guard let source = hub.source, !source.countsSteps else { return nil }
    return .session(.missing(.acceleration, source: source.name))
  }

  /// The reason why a question is not answered, `nil` where it is: a program learns from a question
  /// whether it may open the board, which no chip hears of.
  package var objection: MovementError? {
    do throws(SessionError) {
      try hub.tryOpening()
      return refusal
    } catch { return .session(error) }
  }

  /// Counts until the returned count has been stopped or released, and tells `observer`, which is
  /// not held, what was counted since `start`, or from now on.
  package func count(
    since start: Date? = nil, _ observer: (any MovementObserver)? = nil
  ) throws(MovementError) -> MovementCount {
    do throws(OpenError) {
      return try hub.movement.follower().add(observer, since: start, self)
    } catch { throw .session(.open(error)) }
  }

  /// Waits, after the last count was stopped, until counting has ended and everything is kept.
  package func finish() { hub.movement.finish() }

  /// Returns what has been counted until now. Throws while movement is wanted and cannot be
  /// counted.
  package func counted() throws(MovementError) -> CountedMovement {
    if let error = hub.movement.error { throw error }
    return try counting().counted(beginning: nil)
  }

  /// Begins to count, or goes on; returns what has been counted until now.
  func begin() throws(MovementError) -> CountedMovement {
    try counting().counted(beginning: hub)
  }

  /// Ends counting.
  func end() { try? counting().end() }

  /// Returns what was counted from `start` to `end`.
  package func total(from start: Date, to end: Date) throws(MovementError) -> MarkedTotal {
    try counting().total(from: start, to: end)
  }

  /// Returns the bearer's activities from `start` to `end`; the first may have begun before.
  package func activities(from start: Date, to end: Date) throws(MovementError)
    -> [RecordedActivity]
  {
    try counting().activities(from: start, to: end)
  }

  /// The clocks of the log.
  package var clocks: HostClocks { hub.movement.setting.clocks }

  package var now: Date { clocks.now().date }

  /// Before there is a source it is not known where its history is kept.
  private func counting() throws(MovementError) -> any MovementCounting {
    guard let source = hub.source else { throw .session(hub.refusal ?? .noBoard([])) }
    return source as? ServiceSource ?? hub.movement.log(isMadeUp: hub.isMadeUp)
  }
}

/// A log of movement that a feed asks: that of this process, or the service's.
protocol MovementCounting: Sendable {
  /// Returns what has been counted; begins to count the movement of `hub`, if any, or goes on.
  func counted(beginning hub: MotionHub?) throws(MovementError) -> CountedMovement
  /// Ends counting.
  func end()
  func total(from start: Date, to end: Date) throws(MovementError) -> MarkedTotal
  func activities(from start: Date, to end: Date) throws(MovementError) -> [RecordedActivity]
}

/// A hub's state of counting.
package final class HubMovement: Sendable {
  private struct State: Sendable {
    var setting = MovementSetting()
    var log: MovementLog?
    var follower: MovementFollower?
  }
  private let state = Mutex(State())

  /// To be set before counting begins.
  package var setting: MovementSetting {
    get { state.withLock { $0.setting } }
    set { state.withLock { $0 = State(setting: newValue) } }
  }

  func log(isMadeUp: Bool) -> MovementLog {
    state.withLock { state in
      let log = state.log ?? MovementLog(state.setting, isMadeUp: isMadeUp)
      state.log = log
      return log
    }
  }

  func follower() throws(OpenError) -> MovementFollower {
    let result = state.withLock { state -> Result<MovementFollower, OpenError> in
      if let follower = state.follower { return .success(follower) }
      do throws(OpenError) {
        let follower = try MovementFollower(every: state.setting.interval)
        state.follower = follower
        return .success(follower)
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// The reason why nothing is counted although counting is wanted.
  var error: MovementError? { state.withLock { $0.follower }?.error }

  func finish() { state.withLock { $0.follower }?.finish() }

  /// Notes that the hub's source is another from now on.
  func reset() { state.withLock { $0 = State(setting: $0.setting) } }
}
