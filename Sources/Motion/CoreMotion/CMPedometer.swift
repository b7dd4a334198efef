// SPDX-License-Identifier: Apache-2.0
internal import History
package import Otolith

/// Receives step counts or an error, on the pedometer's private serial queue.
public typealias CMPedometerHandler = (CMPedometerData?, (any Error)?) -> Void

/// Receives pauses and resumptions of walking or an error, on the pedometer's private serial queue.
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

  /// The date, and the raw value of the type.
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

/// A step counter, live and for the last seven days.
///
/// While a program has live updates its process counts steps and stores the history of seven days;
/// with a service, the service does both. Distance, floors and pace are reported with the steps, as
/// far as the board has the sensors. Handlers are called one at a time, never on the main queue.
/// Any number of pedometers may be used at once.
open class CMPedometer: NSObject {
  private let queue = OperationQueue.serial("otolith.pedometer")
  private let feed: PedometerStore
  private let data: MovementUpdates<CMPedometerData>
  private let events: MovementUpdates<CMPedometerEvent>

  public override init() {
    feed = PedometerStore(.shared)
    data = Self.data(feed)
    events = Self.events(feed)
    super.init()
  }

  /// Creates a pedometer for a source other than the process's shared one.
  package init(hub: MotionHub) {
    feed = PedometerStore(hub)
    data = Self.data(feed)
    events = Self.events(feed)
    super.init()
  }

  deinit {
    data.stop()
    events.stop()
  }

  private static func data(_ feed: PedometerStore) -> MovementUpdates<CMPedometerData> {
    MovementUpdates(feed) { news, last in
      func told(_ news: MovementUpdate) -> CMPedometerData.State {
        var state = CMPedometerData.State(
          news.total, from: news.start, to: news.start, hasFloors: news.hasFloors)
        state.currentPace = news.counted.movement.currentPace
        state.currentCadence = news.counted.movement.currentCadence
        return state
      }
      var state = told(news)
      // Report the first count, even of 0 steps, and then only changes.
      if let last, state == told(last) { return [] }
      state.endDate = news.now.date
      return [CMPedometerData(state)]
    }
  }

  private static func events(_ feed: PedometerStore) -> MovementUpdates<CMPedometerEvent> {
    MovementUpdates(feed) { news, last in
      // Skip events before the start. If a pause ended before the first check, only its end is
      // known, and programs must not receive a second resumption without a pause.
      guard let event = news.counted.event, event.kind != last?.counted.event?.kind,
        last != nil || event.timestamp >= news.begin.boot
      else { return [] }
      var state = CMPedometerEvent.State()
      state.date = news.now.date(of: event.timestamp)
      state.type = event.kind == .pause ? .pause : .resume
      return [CMPedometerEvent(state)]
    }
  }

  /// Returns true if the board has an accelerometer.
  open class func isStepCountingAvailable() -> Bool { PedometerStore(.shared).stepsAreAvailable }

  /// Returns true if steps have a distance, which is wherever steps are counted.
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

  /// Passes the steps from `start` to `end` to `handler`, once: those counted within the last seven
  /// days, by any program. An end before the start gives `CMErrorInvalidParameter`; the future has
  /// no steps.
  open func queryPedometerData(
    from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler
  ) {
    deliver(on: queue) { [feed] in
      if let error = intervalError(from: start, to: end) ?? feed.objection?.motionError {
        return handler(nil, error)
      }
      do throws(MovementError) {
        let total = try feed.total(from: start, to: end).total
        handler(
          CMPedometerData(.init(total, from: start, to: end, hasFloors: feed.countsFloors)), nil)
      } catch { handler(nil, error.motionError) }
    }
  }

  /// Starts passing the steps since `start`, which may be in the past, to `handler`: at once, even
  /// without steps, and then at most once per second when there are more or the pace changes. A
  /// second start replaces the handler. If the board cannot be opened, the handler receives one
  /// error; updates begin once the board can be opened.
  open func startUpdates(
    from start: Date, withHandler handler: @escaping CMPedometerHandler
  ) {
    data.start(from: start, to: queue, handler)
  }

  /// Stops updates: no handler call begins after this. The handler may call it.
  open func stopUpdates() { data.stop() }

  /// Starts passing each pause and resumption from now on to `handler`. A second start replaces the
  /// handler.
  open func startEventUpdates(handler: @escaping CMPedometerEventHandler) {
    events.start(from: nil, to: queue, handler)
  }

  /// Stops events: no handler call begins after this. The handler may call it.
  open func stopEventUpdates() { events.stop() }
}

extension CMPedometerData.State {
  init(_ total: MovementTotal, from start: Date, to end: Date, hasFloors: Bool) {
    self.init()
    startDate = start
    endDate = end
    let counts = total.counts
    steps = counts.steps
    distance = counts.distance
    if hasFloors {
      floorsAscended = counts.floorsAscended
      floorsDescended = counts.floorsDescended
    }
    if counts.distance > 0, counts.activeTime > 0 {
      averageActivePace = counts.activeTime / counts.distance
    }
  }
}
