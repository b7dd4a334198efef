// SPDX-License-Identifier: Apache-2.0
internal import History
package import Otolith
internal import Service

/// A handler that receives step counts or an error, on the pedometer's private serial queue.
public typealias CMPedometerHandler = (CMPedometerData?, (any Error)?) -> Void

/// A handler that receives pauses and resumptions of walking or an error, on the pedometer's
/// private serial queue.
public typealias CMPedometerEventHandler = (CMPedometerEvent?, (any Error)?) -> Void

/// The kind of a change in walking.
public enum CMPedometerEventType: Int, Sendable, BitwiseCopyable {
  case pause = 0
  case resume = 1
}

/// A pause or resumption of walking.
open class CMPedometerEvent: NSObject, NSSecureCoding, NSCopying {
  package struct State: Codable, Sendable {
    package var date = Date.unset
    @ByRawValue package var type = CMPedometerEventType.pause

    package init() {}
  }

  private let state: State

  /// The wall-clock time of the change.
  open var date: Date { state.date }

  open var type: CMPedometerEventType { state.type }

  public override init() {
    state = State()
    super.init()
  }

  package init(_ state: State) {
    self.state = state
    super.init()
  }

  /// A description with the date, and the raw value of the type.
  open override var description: String {
    "CMPedometerEvent,<date \(date), type \(type.rawValue)>"
  }

  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "event") else { return nil }
    self.state = state
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: state, forKey: "event") }

  /// Returns this object: events are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A step counter for current steps and for the steps of the last seven days.
///
/// While a program has started updates, its process counts steps and stores the history; if the
/// service runs, the service does both. Distance, floors and pace are reported with the steps, as
/// far as the board has the sensors. Handlers are called one at a time, never on the main queue.
/// Any number of pedometers may be used at once.
open class CMPedometer: NSObject {
  private let queue = OperationQueue.serial("otolith.pedometer")
  private let feed: PedometerStore
  private let data = UpdateStream<CMPedometerData>()
  private let events = UpdateStream<CMPedometerEvent>()

  public override init() {
    feed = PedometerStore(.shared)
    super.init()
  }

  /// Creates a pedometer for a source other than the process's shared one.
  package init(hub: MotionHub) {
    feed = PedometerStore(hub)
    super.init()
  }

  deinit {
    data.stop()
    events.stop()
  }

  /// Returns true if the board has an accelerometer.
  open class func isStepCountingAvailable() -> Bool { PedometerStore(.shared).stepsAreAvailable }

  /// Returns true if the distance of steps is measured, which is the case if steps are counted.
  open class func isDistanceAvailable() -> Bool { PedometerStore(.shared).stepsAreAvailable }

  /// Returns true if the board has a barometer for counting floors.
  open class func isFloorCountingAvailable() -> Bool { PedometerStore(.shared).floorsAreAvailable }

  open class func isPaceAvailable() -> Bool { PedometerStore(.shared).stepsAreAvailable }

  open class func isCadenceAvailable() -> Bool { PedometerStore(.shared).stepsAreAvailable }

  /// Returns true if pauses and resumptions are reported.
  open class func isPedometerEventTrackingAvailable() -> Bool {
    PedometerStore(.shared).stepsAreAvailable
  }

  /// Returns this program's permission to read the board.
  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Passes the steps from `start` to `end` to `handler`, once: those that any program counted
  /// within the last seven days. Future times have no steps. An end before the start gives
  /// `CMErrorInvalidParameter`.
  open func queryPedometerData(
    from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler
  ) {
    deliver(on: queue) { [feed] in
      do throws(NSError) {
        let snapshot = try feed.answer(from: start, to: end) { store throws(MovementError) in
          try store.total(from: start, to: end)
        }
        var total = snapshot.total
        total.hasFloors = feed.countsFloors
        handler(CMPedometerData(.init(total)), nil)
      } catch { handler(nil, error) }
    }
  }

  /// Starts passing the steps since `start`, which may be in the past, to `handler`: immediately
  /// even if there are none, then at most once per second if there are more or the pace changes. A
  /// second start replaces the handler. If the board cannot be opened, the handler receives one
  /// error; updates begin once the board can be opened.
  open func startUpdates(
    from start: Date, withHandler handler: @escaping CMPedometerHandler
  ) {
    data.start(counting: feed, since: start, to: queue, handler) { update, last in
      func state(_ update: MovementSnapshot) -> CMPedometerData.State {
        var state = CMPedometerData.State(update.total)
        state.endDate = update.total.start
        state.currentPace = update.movement.currentPace
        state.currentCadence = update.movement.currentCadence
        return state
      }
      var newest = state(update)
      // Report the first count even if it is 0, and after it only changes.
      if let last, newest == state(last) { return [] }
      newest.endDate = update.total.end
      return [CMPedometerData(newest)]
    }
  }

  /// Stops updates: no handler call begins after this function returns. A handler may call this
  /// function.
  open func stopUpdates() { data.stop() }

  /// Starts passing each pause and resumption from now on to `handler`. A second start replaces the
  /// handler.
  open func startEventUpdates(handler: @escaping CMPedometerEventHandler) {
    events.start(counting: feed, since: nil, to: queue, handler) { [feed] update, last in
      // If a pause ended before the first check, only its end is known. Programs must not receive
      // two resumptions without a pause in between.
      guard let event = update.event, event.kind != last?.event?.kind else { return [] }
      var state = CMPedometerEvent.State()
      state.date = feed.clocks.now().date(of: event.timestamp)
      state.type = event.kind == .pause ? .pause : .resume
      return [CMPedometerEvent(state)]
    }
  }

  /// Stops events: no handler call begins after this function returns. A handler may call this
  /// function.
  open func stopEventUpdates() { events.stop() }
}

extension CMPedometerData.State {
  init(_ total: MovementTotal) {
    self.init()
    startDate = total.start
    endDate = total.end
    let counts = total.counts
    steps = counts.steps
    distance = counts.distance
    if total.hasFloors {
      floorsAscended = counts.floorsAscended
      floorsDescended = counts.floorsDescended
    }
    if counts.distance > 0, counts.activeTime > 0 {
      averageActivePace = counts.activeTime / counts.distance
    }
  }
}
