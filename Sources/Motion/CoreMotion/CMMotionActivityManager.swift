// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// A handler that receives each change of activity, on the queue given at the start. It has no
/// parameter for an error.
public typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void

/// A handler that receives the activities in an interval, oldest first, or an error.
public typealias CMMotionActivityQueryHandler = ([CMMotionActivity]?, (any Error)?) -> Void

/// A manager for the activities of the person who carries the device: current activities, and the
/// activities of the last seven days.
///
/// Like a pedometer's steps, activities are recognised and stored while a program has started
/// updates, or by the service. Any number of managers may be used at once.
open class CMMotionActivityManager: NSObject {
  private let feed: PedometerStore
  private let updates = UpdateStream<CMMotionActivity>()

  public override init() {
    feed = PedometerStore(.shared)
    super.init()
  }

  /// Creates a manager for a source other than the process's shared one.
  package init(hub: MotionHub) {
    feed = PedometerStore(hub)
    super.init()
  }

  deinit { updates.stop() }

  /// Returns true if the board has an accelerometer.
  open class func isActivityAvailable() -> Bool { PedometerStore(.shared).stepsAreAvailable }

  /// Returns this program's permission to read the board.
  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Passes the activities from `start` to `end` to `handler`, oldest first, once, on `queue`.
  /// Activities are stored for seven days; they are unknown for times at which no program recorded
  /// them. The first is the activity at `start`, which may have begun earlier. An end before the
  /// start gives `CMErrorInvalidParameter`.
  open func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    deliver(on: queue) { [feed] in
      do throws(NSError) {
        let now = feed.clocks.now()
        let recorded = try feed.answer(from: start, to: end) { store throws(MovementError) in
          try store.activities(from: start, to: end)
        }
        let activities = recorded.map { activity in
          CMMotionActivity(
            CMMotionActivity.State(
              activity.activities, activity.confidence, since: activity.start),
            // Compute the time since boot as if the machine had not been suspended since then.
            timestamp: now.boot.seconds
              - now.date.timeIntervalSince(activity.start))
        }
        handler(activities, nil)
      } catch { handler(nil, error) }
    }
  }

  /// Starts passing the current activity and then each change to `handler`, on `queue`. A second
  /// start replaces the handler. If activities cannot be recognised, the handler is not called,
  /// because it has no parameter for an error; the log contains the reason.
  open func startActivityUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler
  ) {
    updates.start(
      counting: feed, since: nil, to: queue,
      { activity, _ in if let activity { handler(activity) } }
    ) { [feed] update, last in
      let activity = update.movement.activity
      // Report the unknown activity only once; the first sample repeats it with a time.
      if let known = last?.movement.activity, known.activities == activity.activities,
        known.confidence == activity.confidence
      {
        return []
      }
      let now = feed.clocks.now()
      // Before the first sample an activity has no timestamp.
      let isOfSample = activity.timestamp > .zero
      let state = CMMotionActivity.State(
        activity.activities, activity.confidence,
        since: isOfSample ? now.date(of: activity.timestamp) : now.date)
      let timestamp = isOfSample ? activity.timestamp : now.boot
      return [CMMotionActivity(state, timestamp: timestamp.seconds)]
    }
  }

  /// Stops updates: no handler call begins after this function returns. A handler may call this
  /// function.
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
