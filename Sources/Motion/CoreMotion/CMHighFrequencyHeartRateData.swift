// SPDX-License-Identifier: Apache-2.0

/// The confidence of a heart rate.
public enum CMHighFrequencyHeartRateDataConfidence: Int, Sendable, BitwiseCopyable {
  case low = 0
  case medium = 1
  case high = 2
  case highest = 3
}

/// A heart rate, from the research interface. On Linux only tests create heart rates.
open class CMHighFrequencyHeartRateData: CMLogItem {
  package struct State: Codable, Sendable {
    package var heartRate = 0.0
    @ByRawValue package var confidence = CMHighFrequencyHeartRateDataConfidence.low
    package var date: Date?

    package init() {}
  }

  private let state: State

  /// The heart rate in beats per minute.
  open var heartRate: Double { state.heartRate }

  open var confidence: CMHighFrequencyHeartRateDataConfidence { state.confidence }

  /// The wall-clock time of the measurement; `nil` if unknown.
  open var date: Date? { state.date }

  public override init() {
    state = State()
    super.init()
  }

  package init(_ state: State, timestamp: TimeInterval) {
    self.state = state
    super.init(timestamp: timestamp)
  }

  /// A description with the heart rate in beats per minute, its confidence and both times.
  open override var description: String {
    "heartRate \(text(heartRate)) confidence \(confidence.rawValue) "
      + "date \(date.map { "\($0)" } ?? "(null)") @ \(text(timestamp))"
  }

  public required init?(coder: NSCoder) {
    guard let state = coder.decodeState(State.self, forKey: "heartRate") else { return nil }
    self.state = state
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(state: state, forKey: "heartRate")
  }
}
