// SPDX-License-Identifier: Apache-2.0

/// Steps from `startDate` to `endDate`, and what follows from them.
open class CMPedometerData: NSObject, NSSecureCoding, NSCopying {
  package struct State: Codable, Sendable {
    package var startDate = Date.unset
    package var endDate = Date.unset
    package var steps = 0
    package var distance: Double?
    package var floorsAscended: Int?
    package var floorsDescended: Int?
    package var currentPace: Double?
    package var currentCadence: Double?
    package var averageActivePace: Double?

    package init() {}
  }

  private let state: State

  /// Live: the date that updates were started from. Of a query: its own.
  open var startDate: Date { state.startDate }

  /// Live: the date of this update. Of a query: its own.
  open var endDate: Date { state.endDate }

  /// Steps, a whole number.
  open var numberOfSteps: NSNumber { NSNumber(value: state.steps) }

  /// Metres; `nil` where it is not measured.
  open var distance: NSNumber? { state.distance.map { NSNumber(value: $0) } }

  /// Floors climbed on foot; `nil` where there is no barometer.
  open var floorsAscended: NSNumber? { state.floorsAscended.map { NSNumber(value: $0) } }

  /// Floors descended on foot; `nil` where there is no barometer.
  open var floorsDescended: NSNumber? { state.floorsDescended.map { NSNumber(value: $0) } }

  /// Seconds a metre; `nil` of a query, or where it is not known (yet).
  open var currentPace: NSNumber? { state.currentPace.map { NSNumber(value: $0) } }

  /// Steps a second; `nil` of a query, or where it is not known (yet).
  open var currentCadence: NSNumber? { state.currentCadence.map { NSNumber(value: $0) } }

  /// Seconds a metre, of the time in motion only; `nil` where there was none.
  open var averageActivePace: NSNumber? { state.averageActivePace.map { NSNumber(value: $0) } }

  /// No steps, and nothing else known.
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
    guard let state = coder.decodeState(State.self, forKey: "pedometer") else { return nil }
    self.state = state
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: state, forKey: "pedometer") }

  /// Itself: what was counted does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
