// SPDX-License-Identifier: Apache-2.0

/// Takes steps or an error, on a serial queue of the pedometer's own.
public typealias CMPedometerHandler = (CMPedometerData?, (any Error)?) -> Void

/// Takes pauses and resumptions of walking or an error, on a serial queue of the pedometer's own.
public typealias CMPedometerEventHandler = (CMPedometerEvent?, (any Error)?) -> Void

/// Which way the walking changed.
public enum CMPedometerEventType: Int, Sendable, BitwiseCopyable {
  case pause = 0
  case resume = 1
}

/// Walking paused or went on.
open class CMPedometerEvent: NSObject, NSSecureCoding, NSCopying {
  package struct State: Codable, Sendable {
    package var date = Date.unset
    @ByRawValue package var type = CMPedometerEventType.pause

    package init() {}
  }

  private let state: State

  /// When, by the wall clock.
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

  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "event") else { return nil }
    self.state = state
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: state, forKey: "event") }

  /// Itself: what happened does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Steps, live and of the last days.
///
/// Steps are not counted yet: everything is unavailable, and each handler gets `CMErrorMotionActivityNotAvailable` once.
/// Handlers are called one at a time, never on the main queue.
open class CMPedometer: NSObject {
  private let queue = OperationQueue.serial("otolith.pedometer")

  public override init() { super.init() }

  open class func isStepCountingAvailable() -> Bool { false }

  /// Whether steps come with a distance.
  open class func isDistanceAvailable() -> Bool { false }

  /// Whether the board has a barometer to count floors by.
  open class func isFloorCountingAvailable() -> Bool { false }

  open class func isPaceAvailable() -> Bool { false }

  open class func isCadenceAvailable() -> Bool { false }

  /// Whether pauses and resumptions are told.
  open class func isPedometerEventTrackingAvailable() -> Bool { false }

  /// Whether this program may read the board.
  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Gives `handler` the steps from `start` to `end`, once.
  open func queryPedometerData(
    from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler
  ) {
    deliver(on: queue) { handler(nil, activityNotAvailable) }
  }

  /// Gives `handler` the steps since `start`, again and again; `start` may lie in the past.
  open func startUpdates(
    from start: Date, withHandler handler: @escaping CMPedometerHandler
  ) {
    deliver(on: queue) { handler(nil, activityNotAvailable) }
  }

  open func stopUpdates() {}

  /// Gives `handler` each pause and resumption.
  open func startEventUpdates(handler: @escaping CMPedometerEventHandler) {
    deliver(on: queue) { handler(nil, activityNotAvailable) }
  }

  open func stopEventUpdates() {}
}
