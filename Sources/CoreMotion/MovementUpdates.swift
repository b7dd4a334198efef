// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Otolith
internal import Synchronization

/// One stream of a pedometer, a step counter or an activity manager: movement is counted while it
/// is active, and each start begins anew.
final class MovementUpdates<Item: AnyObject>: Sendable {
  private let stream = UpdateStream<Item>()
  private let feed: MovementFeed
  /// Makes the items that the present knowledge adds to that of the last item, oldest first.
  private let make: @Sendable (MovementNews, MovementNews?) -> [Item]
  private let session = Mutex<MovementFollowing<Item>?>(nil)

  init(_ feed: MovementFeed, _ make: @escaping @Sendable (MovementNews, MovementNews?) -> [Item]) {
    self.feed = feed
    self.make = make
  }

  /// Begins, or begins anew with another handler. Where movement is not counted here, the handler
  /// is given that error and nothing else. `start` is `nil` where the past is not asked for.
  func start(
    from start: Date?, to queue: OperationQueue,
    _ handler: @escaping (Item?, (any Error)?) -> Void
  ) {
    // It stops behind the new one's start, or counting would begin anew.
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
    // A stop on another thread may have come in between.
    if !stream.isActive { take()?.stop() }
  }

  func stop() {
    _ = stream.stop()
    take()?.stop()
  }

  /// Returns the session, whose place is empty from now on: it hands on nothing more.
  private func take() -> MovementFollowing<Item>? {
    session.withLock { session in
      defer { session = nil }
      return session
    }
  }

  /// Hands on a session's item, unless another has taken its place.
  fileprivate func offer(_ item: Item?, _ error: NSError?, of offering: MovementFollowing<Item>) {
    session.withLock { session in
      if session === offering { stream.offer(item, error) }
    }
  }
}

/// A stream from one start to its stop.
private final class MovementFollowing<Item: AnyObject>: MovementObserver {
  private weak let updates: MovementUpdates<Item>?
  private let make: @Sendable (MovementNews, MovementNews?) -> [Item]
  private struct State: Sendable {
    var count: MovementCount?
    var isOver = false
    var last: MovementNews?
  }
  private let state = Mutex(State())

  init(
    _ updates: MovementUpdates<Item>,
    _ make: @escaping @Sendable (MovementNews, MovementNews?) -> [Item]
  ) {
    self.updates = updates
    self.make = make
  }

  func count(_ feed: MovementFeed, since start: Date?) throws(MovementError) {
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

  func follow(_ news: MovementNews) {
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
  /// The error that a Core Motion handler is given.
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

/// Returns the error of a question about no interval; `nil` where it is one.
func intervalError(from start: Date, to end: Date) -> NSError? {
  // Not a number is neither before nor after; `<=` of two dates would not say so.
  end.timeIntervalSince(start) >= 0
    ? nil : motionError(CMErrorInvalidParameter, "the end of the interval lies before its start")
}
