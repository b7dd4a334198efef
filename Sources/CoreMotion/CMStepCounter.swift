// SPDX-License-Identifier: Apache-2.0

/// Takes a number of steps, or 0 and an error.
public typealias CMStepQueryHandler = (Int, (any Error)?) -> Void

/// Takes the steps since the start and when the last was taken, or an error.
public typealias CMStepUpdateHandler = (Int, Date, (any Error)?) -> Void

/// Steps, as programs from before iOS 8 ask for them; `CMPedometer` says more.
///
/// Steps are not counted yet: each handler gets `CMErrorMotionActivityNotAvailable` once, on the queue given.
open class CMStepCounter: NSObject {
  public override init() { super.init() }

  open class func isStepCountingAvailable() -> Bool { false }

  /// Gives `handler` the steps from `start` to `end`, once, on `queue`.
  open func queryStepCountStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMStepQueryHandler
  ) {
    deliver(on: queue) { handler(0, activityNotAvailable) }
  }

  /// Gives `handler` the steps since now, after each `stepCounts` further steps, on `queue`.
  open func startStepCountingUpdates(
    to queue: OperationQueue, updateOn stepCounts: Int,
    withHandler handler: @escaping CMStepUpdateHandler
  ) {
    deliver(on: queue) { handler(0, Date(), activityNotAvailable) }
  }

  /// The end of the object's life does the same.
  open func stopStepCountingUpdates() {}
}
