// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import History
internal import LinuxBus
internal import Synchronization

/// The common base of pedometers and activity managers: one counter for each hub, in this process
/// or, where the board is the service's, in that. It counts while it has observers, and answers
/// questions about any past time.
package struct MovementDesk: Sendable {
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
  /// not held.
  package func count(_ observer: (any MovementObserver)? = nil) throws(MovementError)
    -> MovementCount
  {
    do throws(OpenError) {
      return try hub.movement.follower().add(observer, counting)
    } catch { throw .session(.open(error)) }
  }

  /// Waits, after the last count was stopped, until counting has ended and everything is kept.
  package func finish() { hub.movement.finish() }

  /// Returns what has been counted until now. Throws while movement is wanted and cannot be
  /// counted.
  package func counted() throws(MovementError) -> CountedMovement {
    if let served { return try served.look() }
    if let error = hub.movement.error { throw error }
    return try counter.look()
  }

  /// Returns what was counted from `start` to `end`.
  package func total(from start: Date, to end: Date) throws(MovementError) -> MarkedTotal {
    if let served { return try served.total(from: start, to: end) }
    do throws(HistoryError) { return try counter.total(from: start, to: end) } catch {
      throw .history(error)
    }
  }

  /// Returns the bearer's activities from `start` to `end`; the first may have begun before.
  package func activities(from start: Date, to end: Date) throws(MovementError)
    -> [RecordedActivity]
  {
    if let served { return try served.activities(from: start, to: end) }
    do throws(HistoryError) { return try counter.activities(from: start, to: end) } catch {
      throw .history(error)
    }
  }

  /// The present readings of the clocks.
  package var clocks: HostClocks { hub.movement.setting.clocks }

  package var now: Date { Date(timeIntervalSince1970: Double(clocks.now().wall) / 1e9) }

  private var counter: MovementCounter { hub.movement.counter(isMadeUp: hub.isMadeUp) }

  /// The service's counter, where the board is the service's.
  fileprivate var served: ServedMovementCounting? {
    (hub.source as? ServiceSource).map { ServedMovementCounting(source: $0) }
  }

  private var counting: any MovementCounting { DeskCounting(desk: self, hub: hub) }
}

/// The counter of the source that the hub has, or will have.
private struct DeskCounting: MovementCounting {
  let desk: MovementDesk
  let hub: MotionHub

  func look() throws(MovementError) -> CountedMovement {
    if let served = desk.served { return try served.look() }
    // Before there is a source it is not known where its history is kept.
    guard hub.source != nil else { throw .session(hub.refusal ?? .noBoard([])) }
    let counter = hub.movement.counter(isMadeUp: hub.isMadeUp)
    try counter.begin(hub)
    return try counter.look()
  }

  func end() {
    if let served = desk.served { return served.end() }
    hub.movement.counter?.end()
  }
}

/// A hub's state of counting.
package final class HubMovement: Sendable {
  private struct State: Sendable {
    var setting = MovementSetting()
    var counter: MovementCounter?
    var follower: MovementFollower?
  }
  private let state = Mutex(State())

  /// To be set before counting begins.
  package var setting: MovementSetting {
    get { state.withLock { $0.setting } }
    set {
      state.withLock { state in
        state.setting = newValue
        (state.counter, state.follower) = (nil, nil)
      }
    }
  }

  /// `nil` before anything was counted or asked.
  var counter: MovementCounter? { state.withLock { $0.counter } }

  func counter(isMadeUp: Bool) -> MovementCounter {
    state.withLock { state in
      if let counter = state.counter { return counter }
      let counter = MovementCounter(state.setting, isMadeUp: isMadeUp)
      state.counter = counter
      return counter
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
  func reset() {
    state.withLock { ($0.counter, $0.follower) = (nil, nil) }
  }
}
