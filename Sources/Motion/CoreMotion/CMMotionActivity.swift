// SPDX-License-Identifier: Apache-2.0

/// The confidence of an activity.
public enum CMMotionActivityConfidence: Int, Sendable, BitwiseCopyable {
  case low = 0
  case medium = 1
  case high = 2
}

/// The activity of the person or vehicle that carries the device, from `startDate` until the next
/// activity.
///
/// Several may be true at once: a car at a red light is automotive and stationary. All are false if
/// the device moves and none of these activities fits.
open class CMMotionActivity: CMLogItem {
  package struct State: Codable, Sendable {
    package var isUnknown = false
    package var isStationary = false
    package var isWalking = false
    package var isRunning = false
    package var isAutomotive = false
    package var isCycling = false
    package var startDate = Date.unset
    @ByRawValue package var confidence = CMMotionActivityConfidence.low

    package init() {}
  }

  private let state: State

  /// True if there is no estimate, for instance before the first measurement.
  open var unknown: Bool { state.isUnknown }

  /// True if neither the device nor a vehicle that carries it moves.
  open var stationary: Bool { state.isStationary }

  open var walking: Bool { state.isWalking }

  open var running: Bool { state.isRunning }

  /// True in a car, bus or train.
  open var automotive: Bool { state.isAutomotive }

  /// True on a bicycle.
  open var cycling: Bool { state.isCycling }

  /// The wall-clock time when the activity began.
  open var startDate: Date { state.startDate }

  open var confidence: CMMotionActivityConfidence { state.confidence }

  /// Creates an activity without any flag, with low confidence.
  public override init() {
    state = State()
    super.init()
  }

  package init(_ state: State, timestamp: TimeInterval) {
    self.state = state
    super.init(timestamp: timestamp)
  }

  /// A description with the time in seconds, the date and every flag, in Apple's format.
  open override var description: String {
    let flags = [
      ("unknown", unknown), ("stationary", stationary), ("walking", walking), ("running", running),
      ("automotive", automotive), ("cycling", cycling),
    ].map { "\($0),\($1 ? 1 : 0)" }
    return "CMMotionActivity \(super.description),<startDate,\(startDate),confidence,"
      + "\(confidence.rawValue),\(flags.joined(separator: ","))>"
  }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "activity") else { return nil }
    self.state = state
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(state: state, forKey: "activity")
  }
}
