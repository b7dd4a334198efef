// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Otolith
internal import Synchronization

/// The knowledge of movement at one moment of a stream.
struct MovementNews: Sendable {
  /// The date that was asked for.
  let start: Date
  /// The clocks when the stream began, and now.
  let begin: ClockReading
  let now: ClockReading
  /// Since `start`.
  let total: MovementTotal
  let counted: CountedMovement

  /// Returns the reading of the wall clock, as it is set now, at `time`.
  func date(_ time: Timestamp) -> Date {
    Date(timeIntervalSince1970: Double(now.wall) / 1e9 - (now.boot - time).seconds)
  }

  var date: Date { date(now.boot) }
}

/// One stream of a pedometer, a step counter or an activity manager: movement is counted while it
/// is active, and each start begins anew.
final class MovementUpdates<Item: AnyObject>: Sendable {
  private let stream = UpdateStream<Item>()
  private let desk: MovementDesk
  /// Makes the item of the present knowledge, given that of the last item; `nil` where they are the
  /// same.
  private let make: @Sendable (MovementNews, MovementNews?) -> Item?
  private let session = Mutex<MovementSession<Item>?>(nil)

  init(_ desk: MovementDesk, _ make: @escaping @Sendable (MovementNews, MovementNews?) -> Item?) {
    self.desk = desk
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
    let refusal = desk.refusal?.motionError
    stream.start(to: queue, handler, refusing: refusal)
    guard refusal == nil else { return }
    let new = MovementSession(self, desk, from: start, make)
    session.withLock { $0 = new }
    do throws(MovementError) { try new.count() } catch { offer(nil, error.motionError, of: new) }
    // A stop on another thread may have come in between.
    if !stream.isActive { take()?.stop() }
  }

  func stop() {
    _ = stream.stop()
    take()?.stop()
  }

  /// Returns the session, whose place is empty from now on: it hands on nothing more.
  private func take() -> MovementSession<Item>? {
    session.withLock { session in
      defer { session = nil }
      return session
    }
  }

  /// Hands on a session's item, unless another has taken its place.
  fileprivate func offer(_ item: Item?, _ error: NSError?, of offering: MovementSession<Item>) {
    session.withLock { session in
      if session === offering { stream.offer(item, error) }
    }
  }
}

/// A stream from one start to its stop.
private final class MovementSession<Item: AnyObject>: MovementObserver {
  private let desk: MovementDesk
  private weak let updates: MovementUpdates<Item>?
  private let begin: ClockReading
  private let make: @Sendable (MovementNews, MovementNews?) -> Item?
  private struct State: Sendable {
    var token: MovementCount?
    var isOver = false
    /// `nil` where the past is not asked for.
    var since: MovementSince?
    var last: MovementNews?
  }
  private let state: Mutex<State>

  init(
    _ updates: MovementUpdates<Item>, _ desk: MovementDesk, from start: Date?,
    _ make: @escaping @Sendable (MovementNews, MovementNews?) -> Item?
  ) {
    self.updates = updates
    self.desk = desk
    state = Mutex(State(since: start.map { MovementSince($0) }))
    begin = desk.clocks.now()
    self.make = make
  }

  func count() throws(MovementError) {
    let token = try desk.count(self)
    let isOver = state.withLock { state in
      if !state.isOver { state.token = token }
      return state.isOver
    }
    if isOver { token.stop() }
  }

  func stop() {
    let token = state.withLock { state in
      state.isOver = true
      defer { state.token = nil }
      return state.token
    }
    token?.stop()
  }

  func follow(_ counted: CountedMovement) {
    guard let updates else { return }
    // Called by one thread alone, which may wait for the disk without the lock.
    var since = state.withLock { $0.since }
    var total = MovementTotal()
    if since != nil {
      guard let sum = since?.total(until: counted, desk) else { return }
      total = sum
    }
    let now = desk.clocks.now()
    let news = MovementNews(
      start: since?.start ?? desk.now, begin: begin, now: now, total: total, counted: counted)
    guard let item = make(news, state.withLock { $0.last }) else {
      return state.withLock { $0.since = since }
    }
    state.withLock { state in
      state.since = since
      state.last = news
    }
    updates.offer(item, nil, of: self)
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
