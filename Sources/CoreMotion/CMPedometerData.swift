// SPDX-License-Identifier: Apache-2.0

/// The steps from `startDate` to `endDate`, with distance, floors and pace.
open class CMPedometerData: NSObject, NSSecureCoding, NSCopying {
  package struct State: Codable, Equatable, Sendable {
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

  /// The start: of live data the date that updates were started from, of a query its own.
  open var startDate: Date { state.startDate }

  /// The end: of live data the date of this update, of a query its own.
  open var endDate: Date { state.endDate }

  /// The number of steps, whole.
  open var numberOfSteps: NSNumber { NSNumber(value: state.steps) }

  /// The distance in metres; `nil` where it is not measured.
  open var distance: NSNumber? { state.distance.map { NSNumber(value: $0) } }

  /// The floors climbed on foot; `nil` where there is no barometer.
  open var floorsAscended: NSNumber? { state.floorsAscended.map { NSNumber(value: $0) } }

  /// The floors descended on foot; `nil` where there is no barometer.
  open var floorsDescended: NSNumber? { state.floorsDescended.map { NSNumber(value: $0) } }

  /// The pace in seconds a metre; `nil` of a query, or where it is not known (yet).
  open var currentPace: NSNumber? { state.currentPace.map { NSNumber(value: $0) } }

  /// The cadence in steps a second; `nil` of a query, or where it is not known (yet).
  open var currentCadence: NSNumber? { state.currentCadence.map { NSNumber(value: $0) } }

  /// The mean pace in seconds a metre, of the time in motion only; `nil` where there was none.
  open var averageActivePace: NSNumber? { state.averageActivePace.map { NSNumber(value: $0) } }

  /// Creates data without steps, and with nothing else known.
  public override init() {
    state = State()
    super.init()
  }

  package init(_ state: State) {
    self.state = state
    super.init()
  }

  /// Every value, as Apple's; `(null)` for what is not known.
  open override var description: String {
    let numbers: [(String, NSNumber?)] = [
      ("steps", numberOfSteps), ("distance", distance), ("floorsAscended", floorsAscended),
      ("floorsDescended", floorsDescended), ("currentPace", currentPace),
      ("currentCadence", currentCadence), ("averageActivePace", averageActivePace),
    ]
    let parts =
      ["startDate \(startDate)", "endDate \(endDate)"]
      + numbers.map { "\($0) \($1?.stringValue ?? "(null)")" }
    return "CMPedometerData,<\(parts.joined(separator: ", "))>"
  }

  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "pedometer") else { return nil }
    self.state = state
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: state, forKey: "pedometer") }

  /// Returns itself: a count does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
