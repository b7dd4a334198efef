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

  /// Starts giving `handler` the steps since now, whenever there are at least `stepCounts` more, on
  /// `queue`; fewer than 1 are 1. A second start replaces the handler and begins with 0.
  open func startStepCountingUpdates(
    to queue: OperationQueue, updateOn stepCounts: Int,
    withHandler handler: @escaping CMStepUpdateHandler
  ) {
    let least = max(stepCounts, 1)
    let new = MovementUpdates<Count>(feed) { news, last in
      let steps = news.total.counts.steps
      guard steps - (last?.total.counts.steps ?? 0) >= least else { return nil }
      return Count(steps, news.now.date)
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

  private func exchange(_ new: MovementUpdates<Count>?) -> MovementUpdates<Count>? {
    updates.withLock { updates in
      defer { updates = new }
      return updates
    }
  }
}
