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

  /// The start of the interval: the date passed to `startUpdates`, or the start of the query.
  open var startDate: Date { state.startDate }

  /// The end of the interval: the date of this update, or the end of the query.
  open var endDate: Date { state.endDate }

  /// The number of steps, an integer.
  open var numberOfSteps: NSNumber { NSNumber(value: state.steps) }

  /// The distance in metres; `nil` if not measured.
  open var distance: NSNumber? { state.distance.map { NSNumber(value: $0) } }

  /// The floors climbed on foot; `nil` without a barometer.
  open var floorsAscended: NSNumber? { state.floorsAscended.map { NSNumber(value: $0) } }

  /// The floors descended on foot; `nil` without a barometer.
  open var floorsDescended: NSNumber? { state.floorsDescended.map { NSNumber(value: $0) } }

  /// The pace in seconds per metre; `nil` in queries, and while it is unknown.
  open var currentPace: NSNumber? { state.currentPace.map { NSNumber(value: $0) } }

  /// The cadence in steps per second; `nil` in queries, and while it is unknown.
  open var currentCadence: NSNumber? { state.currentCadence.map { NSNumber(value: $0) } }

  /// The mean pace in seconds per metre over the time in motion; `nil` if there was no such time.
  open var averageActivePace: NSNumber? { state.averageActivePace.map { NSNumber(value: $0) } }

  /// Creates data without steps and with all other values unknown.
  public override init() {
    state = State()
    super.init()
  }

  package init(_ state: State) {
    self.state = state
    super.init()
  }

  /// A description with every value, in Apple's format; unknown values are `(null)`.
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

  /// Returns this object: step counts are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
