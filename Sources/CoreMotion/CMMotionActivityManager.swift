// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// Takes each change of activity, on the queue that was asked for. It cannot be given an error.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void

/// Takes the activities of a span of time, oldest first, or an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void

/// A manager of the activities of the device's bearer, now and in the last days.
///
/// As with pedometers, activities are recognised and kept while a program has updates, or by the
/// service. Any number of managers may be used at once.
open class CMMotionActivityManager: NSObject {
  private let feed: MovementFeed
  private let updates: MovementUpdates<CMMotionActivity>

  public override init() {
    feed = MovementFeed(.shared)
    updates = Self.updates(feed)
    super.init()
  }

  /// Creates a manager of another source than the process's own.
  package init(hub: MotionHub) {
    feed = MovementFeed(hub)
    updates = Self.updates(feed)
    super.init()
  }

  deinit { updates.stop() }

  private static func updates(_ feed: MovementFeed) -> MovementUpdates<CMMotionActivity> {
    MovementUpdates(feed) { news, last in
      let activity = news.counted.movement.activity
      // That nothing is known is told once, though the first sample says it again with a time.
      if let told = last?.counted.movement.activity, told.activities == activity.activities,
        told.confidence == activity.confidence
      {
        return []
      }
      // Before the first sample nothing has a time.
      let isOfSample = activity.timestamp > .zero
      let state = CMMotionActivity.State(
        activity.activities, activity.confidence,
        since: isOfSample ? news.now.date(of: activity.timestamp) : news.now.date)
      let timestamp = isOfSample ? activity.timestamp : news.now.boot
      return [CMMotionActivity(state, timestamp: timestamp.seconds)]
    }
  }

  /// Returns true where the board has an accelerometer.
  open class func isActivityAvailable() -> Bool { MovementFeed(.shared).stepsAreAvailable }

  /// Returns the permission of this program to read the board.
  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Gives `handler` the activities from `start` to `end`, oldest first, once, on `queue`: of the
  /// last seven days, unknown where no program recorded them. The first is the activity at `start`,
  /// and may have begun before. An end before the start is `CMErrorInvalidParameter`.
  open func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    deliver(on: queue) { [feed] in
      if let error = intervalError(from: start, to: end) ?? feed.objection?.motionError {
        return handler(nil, error)
      }
      do throws(MovementError) {
        let now = feed.clocks.now()
        let activities = try feed.activities(from: start, to: end).map { activity in
          CMMotionActivity(
            CMMotionActivity.State(
              activity.activities, activity.confidence, since: activity.start),
            // As if the machine had been on and awake since.
            timestamp: now.boot.seconds
              - now.date.timeIntervalSince(activity.start))
        }
        handler(activities, nil)
      } catch { handler(nil, error.motionError) }
    }
  }

  /// Starts giving `handler` the activity of the moment and then each change, on `queue`. A second
  /// start replaces the handler. Where nothing can be recognised nothing comes, since the handler
  /// takes no error; the log says why.
  open func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler
  ) {
    updates.start(from: nil, to: queue) { activity, _ in
      if let activity { handler(activity) }
    }
  }

  /// Stops updates: no handler begins any more. May be called by the handler.
  open func stopActivityUpdates() { updates.stop() }
}

extension CMMotionActivity.State {
  init(_ activities: ActivitySet, _ confidence: ActivityConfidence, since start: Date) {
    self.init()
    isUnknown = activities.contains(.unknown)
    isStationary = activities.contains(.stationary)
    isWalking = activities.contains(.walking)
    isRunning = activities.contains(.running)
    isAutomotive = activities.contains(.automotive)
    isCycling = activities.contains(.cycling)
    startDate = start
    self.confidence =
      switch confidence {
      case .low: .low
      case .medium: .medium
      case .high: .high
      }
  }
}
