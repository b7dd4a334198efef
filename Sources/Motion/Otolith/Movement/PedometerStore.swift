// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import History
internal import LinuxBus
package import Service
internal import Synchronization

/// The movement of a hub's board, combining past and present: counted by this process's log or, if
/// the board belongs to the service, by the service's log. It counts while it has observers, and
/// answers queries about any past time.
package struct PedometerStore: Sendable {
  private let hub: MotionHub

  package init(_ hub: MotionHub) { self.hub = hub }

  /// True if the board has the sensors for counting steps and deriving everything else from them.
  package var countsSteps: Bool { hub.source?.countsSteps ?? false }

  package var countsFloors: Bool { countsSteps && hub.source?.has(.pressure) ?? false }

  /// True if steps are counted and the board's devices are present; floors also need a barometer.
  package var stepsAreAvailable: Bool { countsSteps && hub.presentChannels != nil }
  package var floorsAreAvailable: Bool { stepsAreAvailable && countsFloors }

  /// The reason why steps are never counted; `nil` if they are, or may be once there is a board.
  package var refusal: MovementError? {
    guard let source = hub.source, !source.countsSteps else { return nil }
    return .session(.missing(.acceleration, source: source.name))
  }

  /// The reason why a query is not answered; `nil` if it is. A query also shows a program whether
  /// it may open the board, without communicating with the chips.
  package var objection: MovementError? {
    do throws(SessionError) {
      try hub.tryOpening()
      return refusal
    } catch { return .session(error) }
  }

  /// Counts until the returned count is stopped or released, and reports to `observer`, which is
  /// not retained, the counts since `start`, or from now on.
  package func count(
    since start: Date? = nil, _ observer: (any MovementObserver)? = nil
  ) throws(MovementError) -> MovementCount {
    do throws(OpenError) {
      return try hub.movement.follower().add(observer, since: start, self)
    } catch { throw .session(.open(error)) }
  }

  /// Waits, after the last count was stopped, until counting has ended and everything is stored.
  package func finish() { hub.movement.finish() }

  /// Returns the counts until now. Throws while movement is requested and cannot be counted.
  package func counted() throws(MovementError) -> MovementSnapshot {
    if let error = hub.movement.error { throw error }
    return try counting().counted(beginning: nil)
  }

  /// Starts or continues counting; returns the counts until now.
  func begin() throws(MovementError) -> MovementSnapshot {
    try counting().counted(beginning: hub)
  }

  func end() { try? counting().end() }

  /// Returns the counts from `start` to `end`.
  package func total(from start: Date, to end: Date) throws(MovementError) -> TotalWithCursor {
    try counting().total(from: start, to: end)
  }

  /// Returns the bearer's activities from `start` to `end`; the first may have begun earlier.
  package func activities(from start: Date, to end: Date) throws(MovementError)
    -> [RecordedActivity]
  {
    try counting().activities(from: start, to: end)
  }

  /// The clocks of the log.
  package var clocks: HostClocks { hub.movement.setting.clocks }

  package var now: Date { clocks.now().date }

  /// Returns the log. Without a source it is unknown which one stores the history.
  private func counting() throws(MovementError) -> any MovementCounting {
    guard let source = hub.source else { throw .session(hub.refusal ?? .noBoard([])) }
    return source as? ServiceSource ?? hub.movement.log(isMadeUp: hub.isMadeUp)
  }
}

/// The movement log behind a feed: that of this process, or the service's.
protocol MovementCounting: Sendable {
  /// Returns the counts until now; starts or continues counting the movement of `hub`, unless it is
  /// `nil`.
  func counted(beginning hub: MotionHub?) throws(MovementError) -> MovementSnapshot
  func end()
  func total(from start: Date, to end: Date) throws(MovementError) -> TotalWithCursor
  func activities(from start: Date, to end: Date) throws(MovementError) -> [RecordedActivity]
}

/// The state of a hub's movement counting.
package final class HubMovement: Sendable {
  private struct State: Sendable {
    var setting = MovementConfiguration()
    var log: MovementLog?
    var follower: MovementFollower?
  }
  private let state = Mutex(State())

  /// The settings; set them before counting starts.
  package var setting: MovementConfiguration {
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

  /// The reason why nothing is counted although counting is requested.
  var error: MovementError? { state.withLock { $0.follower }?.error }

  func finish() { state.withLock { $0.follower }?.finish() }

  /// Resets the state after a change of the hub's source.
  func reset() { state.withLock { $0 = State(setting: $0.setting) } }
}
