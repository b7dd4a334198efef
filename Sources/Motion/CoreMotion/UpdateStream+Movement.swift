// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Otolith
internal import Service
internal import Synchronization

extension UpdateStream {
  /// Starts the stream, or restarts it with another handler, and counts movement in `store` until
  /// the stream is stopped. If movement cannot be counted, the handler receives that error and
  /// nothing else. `start` is `nil` if past movement is not needed.
  ///
  /// `make` receives the current update and the last update for which it returned items. It returns
  /// the items for the change between these two, oldest first.
  func start(
    counting store: PedometerStore, since start: Date?, to queue: OperationQueue,
    _ handler: @escaping (Item?, (any Error)?) -> Void,
    _ make: @escaping @Sendable (MovementSnapshot, MovementSnapshot?) -> [Item]
  ) {
    self.start(to: queue, handler, refusing: store.refusal?.motionError) { sink in
      let last = Mutex<MovementSnapshot?>(nil)
      do throws(MovementError) {
        return try store.count(since: start) { result in
          switch result {
          case .failure(let error): sink(nil, error.motionError)
          case .success(let update):
            last.withLock { last in
              let items = make(update, last)
              if !items.isEmpty { last = update }
              for item in items { sink(item, nil) }
            }
          }
        }
      } catch {
        sink(nil, error.motionError)
        return {}
      }
    }
  }
}

extension PedometerStore {
  /// Returns the result of `ask`, a query about an interval. Throws the error that the query's
  /// handler receives.
  func answer<Answer>(
    from start: Date, to end: Date,
    _ ask: (PedometerStore) throws(MovementError) -> Answer
  ) throws(NSError) -> Answer {
    // Compare the difference, because a comparison of dates does not detect NaN.
    guard end.timeIntervalSince(start) >= 0 else {
      throw CoreMotion.motionError(
        CMErrorInvalidParameter, "the end of the interval is before its start")
    }
    if let objection { throw objection.motionError }
    do throws(MovementError) { return try ask(self) } catch { throw error.motionError }
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
