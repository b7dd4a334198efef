// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Otolith
internal import Service
internal import Synchronization

/// One stream of a pedometer, a step counter or an activity manager. Movement is counted while the
/// stream is active, and each start restarts the count.
final class MovementUpdates<Item: AnyObject>: Sendable {
  private struct Session: Sendable {
    /// The number of the stream's start; updates for an earlier start are not delivered.
    var number: UInt64 = 0
    /// Stops the counting that this start of the stream began.
    var stop: (@Sendable () -> Void)?
    /// The last update from which items were made.
    var last: MovementSnapshot?
  }
  private let stream = UpdateStream<Item>()
  private let feed: PedometerStore
  /// Makes the items for the change from the last update to the current one, oldest first.
  private let make: @Sendable (MovementSnapshot, MovementSnapshot?) -> [Item]
  private let session = Mutex(Session())

  init(
    _ feed: PedometerStore,
    _ make: @escaping @Sendable (MovementSnapshot, MovementSnapshot?) -> [Item]
  ) {
    self.feed = feed
    self.make = make
  }

  /// Starts the stream, or restarts it with another handler. If movement cannot be counted, the
  /// handler receives that error and nothing else. `start` is `nil` if past movement is not needed.
  func start(
    from start: Date?, to queue: OperationQueue,
    _ handler: @escaping (Item?, (any Error)?) -> Void
  ) {
    let (old, number) = next()
    // Stop the old session after the new one has started; otherwise movement counting would
    // restart.
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
    // Another thread may have called `stop()` in the meantime.
    if !stream.isActive { next().stop?() }
  }

  func stop() {
    _ = stream.stop()
    next().stop?()
  }

  /// Begins a new start of the stream. The previous one delivers nothing more, but the caller still
  /// has to stop its counting.
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
  /// The error in the form that Core Motion handlers receive.
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

/// Returns an error if `end` is before `start`; otherwise `nil`.
func intervalError(from start: Date, to end: Date) -> NSError? {
  // Compare the difference, because a comparison of dates does not detect NaN.
  end.timeIntervalSince(start) >= 0
    ? nil : motionError(CMErrorInvalidParameter, "the end of the interval is before its start")
}
