// SPDX-License-Identifier: Apache-2.0
package import Otolith
internal import Synchronization

/// Takes a number of steps, or 0 and an error.
public typealias CMStepQueryHandler = (Int, (any Error)?) -> Void

/// Takes the steps since the start and the time of the last one, or an error.
public typealias CMStepUpdateHandler = (Int, Date, (any Error)?) -> Void

/// A counter of steps, as programs from before iOS 8 ask for them; `CMPedometer` says more.
open class CMStepCounter: NSObject {
  /// The number of steps until a moment.
  private final class Count: Sendable {
    let steps: Int
    let date: Date

    init(_ steps: Int, _ date: Date) {
      self.steps = steps
      self.date = date
    }
  }
  private let feed: MovementFeed
  private let updates = Mutex<MovementUpdates<Count>?>(nil)

  public override init() {
    feed = MovementFeed(.shared)
    super.init()
  }

  /// Creates a counter of another source than the process's own.
  package init(hub: MotionHub) {
    feed = MovementFeed(hub)
    super.init()
  }

  deinit { stopStepCountingUpdates() }

  open class func isStepCountingAvailable() -> Bool { MovementFeed(.shared).stepsAreAvailable }

  /// Gives `handler` the steps from `start` to `end`, once, on `queue`; 0 and an error where they
  /// are not known.
  open func queryStepCountStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMStepQueryHandler
  ) {
    deliver(on: queue) { [feed] in
      if let error = intervalError(from: start, to: end) ?? feed.objection?.motionError {
        return handler(0, error)
      }
      do throws(MovementError) {
        handler(try feed.total(from: start, to: end).total.counts.steps, nil)
      } catch { handler(0, error.motionError) }
    }
  }

  /// Starts giving `handler` the steps since now, on `queue`, at each multiple of `stepCounts`;
  /// fewer than 1 are 1. With 5 that is 5, 10, 15 and so on, one call each, also where a walk is
  /// known only after some of its steps and several multiples are reached at once (of more than 100
  /// the last 100). A second start replaces the handler and begins with 0.
  open func startStepCountingUpdates(
    to queue: OperationQueue, updateOn stepCounts: Int,
    withHandler handler: @escaping CMStepUpdateHandler
  ) {
    let new = MovementUpdates<Count>(feed) { news, last -> [Count] in
      Self.multiples(
        of: stepCounts, after: last?.total.counts.steps ?? 0, through: news.total.counts.steps
      ).map { Count($0, news.now.date) }
    }
    let old = exchange(new)
    new.start(from: feed.now, to: queue) { count, error in
      handler(count?.steps ?? 0, count?.date ?? Date(), error)
    }
    // Behind the new one's start, or counting would begin anew.
    old?.stop()
  }

  /// Stops updates: no handler begins any more. The end of the object's life does the same.
  open func stopStepCountingUpdates() { exchange(nil)?.stop() }

  /// Returns the multiples of `interval`, which is at least 1, above `last` and up to `steps`: the
  /// last 100 of them, as another program's count may be any number.
  package static func multiples(of interval: Int, after last: Int, through steps: Int) -> [Int] {
    let interval = max(interval, 1)
    let (reached, newest) = (max(last, 0) / interval, steps / interval)
    guard newest > reached else { return [] }
    return (max(reached + 1, newest - 99)...newest).map { $0 * interval }
  }

  private func exchange(_ new: MovementUpdates<Count>?) -> MovementUpdates<Count>? {
    updates.withLock { updates in
      defer { updates = new }
      return updates
    }
  }
}
