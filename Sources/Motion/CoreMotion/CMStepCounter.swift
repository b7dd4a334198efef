// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// A handler that receives a number of steps, or 0 and an error.
public typealias CMStepQueryHandler = (Int, (any Error)?) -> Void

/// A handler that receives the steps since the start and the time of the last one, or an error.
public typealias CMStepUpdateHandler = (Int, Date, (any Error)?) -> Void

/// The step counter of programs written before iOS 8; `CMPedometer` reports more.
open class CMStepCounter: NSObject {
  /// The number of steps counted up to a date.
  private final class Count: Sendable {
    let steps: Int
    let date: Date

    init(_ steps: Int, _ date: Date) {
      self.steps = steps
      self.date = date
    }
  }
  private let feed: PedometerStore
  private let updates = UpdateStream<Count>()

  public override init() {
    feed = PedometerStore(.shared)
    super.init()
  }

  /// Creates a counter for a source other than the process's shared one.
  package init(hub: MotionHub) {
    feed = PedometerStore(hub)
    super.init()
  }

  deinit { stopStepCountingUpdates() }

  open class func isStepCountingAvailable() -> Bool { PedometerStore(.shared).stepsAreAvailable }

  /// Passes the number of steps from `start` to `end` to `handler`, once, on `queue`. If the number
  /// is unknown, the handler receives 0 and an error.
  open func queryStepCountStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMStepQueryHandler
  ) {
    deliver(on: queue) { [feed] in
      do throws(NSError) {
        let snapshot = try feed.answer(from: start, to: end) { store throws(MovementError) in
          try store.total(from: start, to: end)
        }
        handler(snapshot.total.counts.steps, nil)
      } catch { handler(0, error) }
    }
  }

  /// Starts passing the steps since now to `handler`, on `queue`, at each multiple of `stepCounts`;
  /// values below 1 count as 1. With 5 the handler is called for 5, 10, 15 and so on, once each. If
  /// several multiples are reached at once, because steps are confirmed together, at most the last
  /// 100 are reported. A second start replaces the handler and restarts at 0.
  open func startStepCountingUpdates(
    to queue: OperationQueue, updateOn stepCounts: Int,
    withHandler handler: @escaping CMStepUpdateHandler
  ) {
    updates.start(
      counting: feed, since: feed.now, to: queue,
      { count, error in handler(count?.steps ?? 0, count?.date ?? Date(), error) }
    ) { update, last -> [Count] in
      Self.multiples(
        of: stepCounts, after: last?.total.counts.steps ?? 0, through: update.total.counts.steps
      ).map { Count($0, update.total.end) }
    }
  }

  /// Stops updates: no handler call begins after this function returns. Releasing the counter also
  /// stops updates.
  open func stopStepCountingUpdates() { updates.stop() }

  /// Returns the multiples of `interval`, which is at least 1, above `last` and up to `steps`. Only
  /// the last 100 are returned, because a count from another program can be arbitrarily large.
  package static func multiples(of interval: Int, after last: Int, through steps: Int) -> [Int] {
    let interval = max(interval, 1)
    let (reached, newest) = (max(last, 0) / interval, steps / interval)
    guard newest > reached else { return [] }
    return (max(reached + 1, newest - 99)...newest).map { $0 * interval }
  }
}
