// SPDX-License-Identifier: Apache-2.0

/// A handler that receives the results for an interval, or an empty array and an error, on the
/// manager's own serial queue.
public typealias CMTremorResultHandler = ([CMTremorResult], (any Error)?) -> Void

/// A handler that receives the results for an interval, or an empty array and an error, on the
/// manager's own serial queue.
public typealias CMDyskineticSymptomResultHandler =
  ([CMDyskineticSymptomResult], (any Error)?) -> Void

/// The strengths of tremor in a minute: fractions that add up to 1.
open class CMTremorResult: NSObject, NSSecureCoding, NSCopying {
  package struct State: Codable, Sendable {
    package var startDate = Date.unset
    package var endDate = Date.unset
    package var unknown: Float = 0
    package var none: Float = 0
    package var slight: Float = 0
    package var mild: Float = 0
    package var moderate: Float = 0
    package var strong: Float = 0

    package init() {}
  }

  private let state: State

  open var startDate: Date { state.startDate }
  open var endDate: Date { state.endDate }
  open var percentUnknown: Float { state.unknown }
  open var percentNone: Float { state.none }
  open var percentSlight: Float { state.slight }
  open var percentMild: Float { state.mild }
  open var percentModerate: Float { state.moderate }
  open var percentStrong: Float { state.strong }

  public override init() {
    state = State()
    super.init()
  }

  package init(_ state: State) {
    self.state = state
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  /// A description with every value, for logs.
  open override var description: String {
    text(
      "CMTremorResult",
      [
        "startDate": "\(startDate)", "endDate": "\(endDate)",
        "percentUnknown": text(Double(percentUnknown)), "percentNone": text(Double(percentNone)),
        "percentSlight": text(Double(percentSlight)), "percentMild": text(Double(percentMild)),
        "percentModerate": text(Double(percentModerate)),
        "percentStrong": text(Double(percentStrong)),
      ])
  }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "tremor") else { return nil }
    self.state = state
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: state, forKey: "tremor") }

  /// Returns this object: measurements are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The likelihood that a minute's motion was dyskinetic: two fractions that add up to 1.
open class CMDyskineticSymptomResult: NSObject, NSSecureCoding, NSCopying {
  package struct State: Codable, Sendable {
    package var startDate = Date.unset
    package var endDate = Date.unset
    package var unlikely: Float = 0
    package var likely: Float = 0

    package init() {}
  }

  private let state: State

  open var startDate: Date { state.startDate }
  open var endDate: Date { state.endDate }
  open var percentUnlikely: Float { state.unlikely }
  open var percentLikely: Float { state.likely }

  public override init() {
    state = State()
    super.init()
  }

  package init(_ state: State) {
    self.state = state
    super.init()
  }

  open class var supportsSecureCoding: Bool { true }

  /// A description with every value, for logs.
  open override var description: String {
    text(
      "CMDyskineticSymptomResult",
      [
        "startDate": "\(startDate)", "endDate": "\(endDate)",
        "percentUnlikely": text(Double(percentUnlikely)),
        "percentLikely": text(Double(percentLikely)),
      ])
  }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "dyskinesia") else { return nil }
    self.state = state
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(state: state, forKey: "dyskinesia") }

  /// Returns this object: measurements are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A monitor for symptoms of movement disorders. Linux has no recogniser for them, so the monitor
/// is never available, and each query receives `CMErrorNotAvailable`.
open class CMMovementDisorderManager: NSObject {
  private let queue = OperationQueue.serial("otolith.movement-disorder")

  public override init() { super.init() }

  open class func isAvailable() -> Bool { false }

  /// Returns the version of the recogniser; always `nil`.
  open class func version() -> String? { nil }

  /// Returns this program's permission to read the board.
  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Does nothing; on Apple's devices it monitors for `duration` seconds, at most seven days.
  open func monitorKinesias(forDuration duration: TimeInterval) {}

  open func queryTremor(
    from fromDate: Date, to toDate: Date, withHandler handler: @escaping CMTremorResultHandler
  ) {
    deliver(on: queue) { handler([], movementDisorderNotAvailable) }
  }

  open func queryDyskineticSymptom(
    from fromDate: Date, to toDate: Date,
    withHandler handler: @escaping CMDyskineticSymptomResultHandler
  ) {
    deliver(on: queue) { handler([], movementDisorderNotAvailable) }
  }

  /// Returns the end of the analysed motion; always `nil`.
  open func lastProcessedDate() -> Date? { nil }

  /// Returns the end of monitoring; always `nil`.
  open func monitorKinesiasExpirationDate() -> Date? { nil }
}

private var movementDisorderNotAvailable: NSError {
  motionError(CMErrorNotAvailable, "movement disorders are not detected")
}
