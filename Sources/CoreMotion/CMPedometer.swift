// SPDX-License-Identifier: Apache-2.0
internal import History
package import Otolith

/// Takes steps or an error, on a serial queue of the pedometer's own.
public typealias CMPedometerHandler = (CMPedometerData?, (any Error)?) -> Void

/// Takes pauses and resumptions of walking or an error, on a serial queue of the pedometer's own.
public typealias CMPedometerEventHandler = (CMPedometerEvent?, (any Error)?) -> Void

/// A change of walking.
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

  /// The time of the change, by the wall clock.
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

  /// Returns itself: an event does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A counter of steps, live and of the last days.
///
/// While a program has live updates its process counts, and keeps the history of seven days; with a
/// service that does both. Distance, floors and pace come with the steps, as far as the board has
/// the sensors. Handlers are called one at a time, never on the main queue. Any number of
/// pedometers may be used at once.
open class CMPedometer: NSObject {
  private let queue = OperationQueue.serial("otolith.pedometer")
  private let feed: MovementFeed
  private let data: MovementUpdates<CMPedometerData>
  private let events: MovementUpdates<CMPedometerEvent>

  public override init() {
    feed = MovementFeed(.shared)
    data = Self.data(feed)
    events = Self.events(feed)
    super.init()
  }

  /// Creates a pedometer of another source than the process's own.
  package init(hub: MotionHub) {
    feed = MovementFeed(hub)
    data = Self.data(feed)
    events = Self.events(feed)
    super.init()
  }

  deinit {
    data.stop()
    events.stop()
  }

  private static func data(_ feed: MovementFeed) -> MovementUpdates<CMPedometerData> {
    MovementUpdates(feed) { news, last in
      func told(_ news: MovementNews) -> CMPedometerData.State {
        var state = CMPedometerData.State(
          news.total, from: news.start, to: news.start, hasFloors: news.hasFloors)
        state.currentPace = news.counted.movement.currentPace
        state.currentCadence = news.counted.movement.currentCadence
        return state
      }
      var state = told(news)
      // The first, even of no steps, and then what is another.
      if let last, state == told(last) { return [] }
      state.endDate = news.now.date
      return [CMPedometerData(state)]
    }
  }

  private static func events(_ feed: MovementFeed) -> MovementUpdates<CMPedometerEvent> {
    MovementUpdates(feed) { news, last in
      // Events before the start are no news. Of a pause that was over before the first look only
      // the end is known, and a second resumption without a pause would be nonsense to a program.
      guard let event = news.counted.event, event.kind != last?.counted.event?.kind,
        last != nil || event.timestamp >= news.begin.boot
      else { return [] }
      var state = CMPedometerEvent.State()
      state.date = news.now.date(of: event.timestamp)
      state.type = event.kind == .pause ? .pause : .resume
      return [CMPedometerEvent(state)]
    }
  }

  /// Returns true where the board has an accelerometer.
  open class func isStepCountingAvailable() -> Bool { MovementFeed(.shared).stepsAreAvailable }

  /// Returns true where steps come with a distance: wherever they are counted.
  open class func isDistanceAvailable() -> Bool { MovementFeed(.shared).stepsAreAvailable }

  /// Returns true where the board has a barometer to count floors by.
  open class func isFloorCountingAvailable() -> Bool { MovementFeed(.shared).floorsAreAvailable }

  open class func isPaceAvailable() -> Bool { MovementFeed(.shared).stepsAreAvailable }

  open class func isCadenceAvailable() -> Bool { MovementFeed(.shared).stepsAreAvailable }

  /// Returns true where pauses and resumptions are reported.
  open class func isPedometerEventTrackingAvailable() -> Bool {
    MovementFeed(.shared).stepsAreAvailable
  }

  /// Returns the permission of this program to read the board.
  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Gives `handler` the steps from `start` to `end`, once: those counted within the last seven
  /// days, by whichever program. An end before the start is `CMErrorInvalidParameter`; time to come
  /// has no steps.
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

  /// Starts giving `handler` the steps since `start`, which may lie in the past: at once, even
  /// where there are none, and then at most once a second whenever there are more, or the pace is
  /// another. A second start replaces the handler. Where the board cannot be opened the handler is
  /// given one error; updates begin when it can.
  open func startUpdates(
    from start: Date, withHandler handler: @escaping CMPedometerHandler
  ) {
    data.start(from: start, to: queue, handler)
  }

  /// Stops updates: no handler begins any more. May be called by the handler.
  open func stopUpdates() { data.stop() }

  /// Starts giving `handler` each pause and resumption from now on. A second start replaces the
  /// handler.
  open func startEventUpdates(handler: @escaping CMPedometerEventHandler) {
    events.start(from: nil, to: queue, handler)
  }

  /// Stops events: no handler begins any more. May be called by the handler.
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
