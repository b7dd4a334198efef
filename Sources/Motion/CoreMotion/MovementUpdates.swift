// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Otolith
internal import Synchronization

/// One stream of a pedometer, a step counter or an activity manager: movement is counted while it
/// is active, and each start restarts the count.
final class MovementUpdates<Item: AnyObject>: Sendable {
  private let stream = UpdateStream<Item>()
  private let feed: PedometerStore
  /// Makes the items for the difference between the current update and the last one, oldest first.
  private let make: @Sendable (MovementUpdate, MovementUpdate?) -> [Item]
  private let session = Mutex<MovementFollowing<Item>?>(nil)

  init(
    _ feed: PedometerStore, _ make: @escaping @Sendable (MovementUpdate, MovementUpdate?) -> [Item]
  ) {
    self.feed = feed
    self.make = make
  }

  /// Starts, or restarts with another handler. If movement is not counted here, the handler
  /// receives that error and nothing else. `start` is `nil` if the past is not needed.
  func start(
    from start: Date?, to queue: OperationQueue,
    _ handler: @escaping (Item?, (any Error)?) -> Void
  ) {
    // Stop the old session after the start of the new one; otherwise counting would restart.
    let old = take()
    defer { old?.stop() }
    let refusal = feed.refusal?.motionError
    stream.start(to: queue, handler, refusing: refusal)
    guard refusal == nil else { return }
    let new = MovementFollowing(self, make)
    session.withLock { $0 = new }
    do throws(MovementError) { try new.count(feed, since: start) } catch {
      offer(nil, error.motionError, of: new)
    }
    // Another thread may have called stop() in the meantime.
    if !stream.isActive { take()?.stop() }
  }

  func stop() {
    _ = stream.stop()
    take()?.stop()
  }

  /// Removes and returns the session, which delivers nothing more.
  private func take() -> MovementFollowing<Item>? {
    session.withLock { session in
      defer { session = nil }
      return session
    }
  }

  /// Delivers a session's item, unless the session has been replaced.
  fileprivate func offer(_ item: Item?, _ error: NSError?, of offering: MovementFollowing<Item>) {
    session.withLock { session in
      if session === offering { stream.offer(item, error) }
    }
  }
}

/// One session of a stream, from start to stop.
private final class MovementFollowing<Item: AnyObject>: MovementObserver {
  private weak let updates: MovementUpdates<Item>?
  private let make: @Sendable (MovementUpdate, MovementUpdate?) -> [Item]
  private struct State: Sendable {
    var count: MovementCount?
    var isOver = false
    var last: MovementUpdate?
  }
  private let state = Mutex(State())

  init(
    _ updates: MovementUpdates<Item>,
    _ make: @escaping @Sendable (MovementUpdate, MovementUpdate?) -> [Item]
  ) {
    self.updates = updates
    self.make = make
  }

  func count(_ feed: PedometerStore, since start: Date?) throws(MovementError) {
    let count = try feed.count(since: start, self)
    let isOver = state.withLock { state in
      if !state.isOver { state.count = count }
      return state.isOver
    }
    if isOver { count.stop() }
  }

  func stop() {
    let count = state.withLock { state in
      state.isOver = true
      return state.count.take()
    }
    count?.stop()
  }

  func follow(_ news: MovementUpdate) {
    let items = state.withLock { state -> [Item] in
      let items = make(news, state.last)
      if !items.isEmpty { state.last = news }
      return items
    }
    for item in items { updates?.offer(item, nil, of: self) }
  }

  func fail(_ error: MovementError) { updates?.offer(nil, error.motionError, of: self) }
}

extension MovementError {
  /// The error as passed to Core Motion handlers.
  var motionError: NSError {
    CoreMotion.motionError(code, description)
  }

  private var code: CMError {
    if isDenied { return CMErrorMotionActivityNotAuthorized }
    return switch self {
    case .session(.missing): CMErrorMotionActivityNotAvailable
    case .session, .silent: CMErrorNotAvailable
    case .history: CMErrorUnknown
    }
  }
}

/// Returns the error for an invalid interval; `nil` for a valid one.
func intervalError(from start: Date, to end: Date) -> NSError? {
  // NaN compares neither before nor after, so `<=` on dates would not detect it.
  end.timeIntervalSince(start) >= 0
    ? nil : motionError(CMErrorInvalidParameter, "the end of the interval lies before its start")
}
