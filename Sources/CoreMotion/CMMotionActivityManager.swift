// SPDX-License-Identifier: Apache-2.0

/// Takes each change of activity, on the queue that was asked for. It has no way to be told of an error.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void

/// Takes the activities of a span of time, oldest first, or an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void

/// What the bearer of the device does, now and in the last days.
///
/// Activity is not recognised yet: `isActivityAvailable()` is false, a query gets `CMErrorMotionActivityNotAvailable`,
/// and live updates deliver nothing, since their handler takes no error.
open class CMMotionActivityManager: NSObject {
  public override init() { super.init() }

  /// Whether activities are recognised here.
  open class func isActivityAvailable() -> Bool { false }

  /// Whether this program may read the board.
  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Gives `handler` the activities from `start` to `end`, once, on `queue`. The first may have begun before `start`.
  open func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    deliver(on: queue) { handler(nil, activityNotAvailable) }
  }

  /// Gives `handler` the activity of the moment and then each change, on `queue`. A second start replaces the handler.
  open func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler
  ) {}

  open func stopActivityUpdates() {}
}

/// What every question about steps and activity gets until they are recognised.
var activityNotAvailable: NSError {
  motionError(CMErrorMotionActivityNotAvailable, "steps and activity are not recognised yet")
}
