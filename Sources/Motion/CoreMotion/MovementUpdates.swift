// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Otolith
internal import Service
internal import Synchronization

/// One stream of a pedometer, a step counter or an activity manager: movement is counted while it
/// is active, and each start restarts the count.
final class MovementUpdates<Item: AnyObject>: Sendable {
  private struct Session: Sendable {
    /// The number of the start; updates of an earlier one are not delivered.
    var number: UInt64 = 0
    /// Stops its counting.
    var stop: (@Sendable () -> Void)?
    /// The last update of which items were made.
    var last: MovementSnapshot?
  }
  private let stream = UpdateStream<Item>()
  private let feed: PedometerStore
  /// Makes the items for the difference between the current update and the last one, oldest first.
  private let make: @Sendable (MovementSnapshot, MovementSnapshot?) -> [Item]
  private let session = Mutex(Session())

  init(
    _ feed: PedometerStore,
    _ make: @escaping @Sendable (MovementSnapshot, MovementSnapshot?) -> [Item]
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
    let (old, number) = next()
    // Stop the old session after the start of the new one; otherwise counting would restart.
    defer { old?() }
    let refusal = feed.refusal?.motionError
    stream.start(to: queue, handler, refusing: refusal)
    guard refusal == nil else { return }
    do throws(MovementError) {
      let stop = try feed.count(since: start) { [weak self] in self?.deliver($0, of: number) }
      let isCurrent = session.withLock { session in
        if session.number == number { session.stop = stop }
        return session.number == number
      }
      if !isCurrent { stop() }
    } catch { deliver(.failure(error), of: number) }
    // Another thread may have called stop() in the meantime.
    if !stream.isActive { next().stop?() }
  }

  func stop() {
    _ = stream.stop()
    next().stop?()
  }

  /// Begins a new session; the old one delivers nothing more, and still has to be stopped.
  private func next() -> (stop: (@Sendable () -> Void)?, number: UInt64) {
    session.withLock { session in
      let stop = session.stop
      session = Session(number: session.number + 1)
      return (stop, session.number)
    }
  }

  private func deliver(_ update: Result<MovementSnapshot, MovementError>, of number: UInt64) {
    session.withLock { session in
      guard session.number == number else { return }
      switch update {
      case .failure(let error): stream.offer(nil, error.motionError)
      case .success(let update):
        let items = make(update, session.last)
        if !items.isEmpty { session.last = update }
        for item in items { stream.offer(item, nil) }
      }
    }
  }
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
    ? nil : motionError(CMErrorInvalidParameter, "the end of the interval is before its start")
}
