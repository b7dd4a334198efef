// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Recognition
internal import Sensors
internal import Synchronization

/// Passes samples from the hub to a recogniser, on the hub's thread.
final class MovementReceiver: MotionReceiver {
  struct State: Sendable {
    /// The recogniser; `nil` if there is no source, because then no samples arrive.
    var recognition: (any MovementRecognition)?
    /// The time of the first sample; `nil` before the first sample.
    var begin: Timestamp?
    /// The offset from the clock of the samples to CLOCK_MONOTONIC.
    var shift = TimeSpan.zero
    /// The reason why the sensors do not respond, as a message for users; `nil` while they respond.
    var complaint: String?
  }
  private let state: Mutex<State>
  private let source: (any MotionSource)?
  private let clocks: HostClocks
  private let pause: TimeSpan
  private let sink: (@Sendable (inout any MovementRecognition, Bool) -> Void)?

  /// Creates a receiver that needs samples only once per `pause`. After each sample, `sink` is
  /// called with the recogniser, and with true for the first sample. It must return immediately.
  init(
    _ source: (any MotionSource)?, _ setting: MovementConfiguration, every pause: TimeSpan = .zero,
    sink: (@Sendable (inout any MovementRecognition, Bool) -> Void)? = nil
  ) {
    state = Mutex(State(recognition: source.map { setting.recognition($0) }))
    self.source = source
    clocks = setting.clocks
    self.pause = pause
    self.sink = sink
  }

  func receive(_ sourced: SourcedSample) {
    let sample = sourced.sample
    guard !sample.channels.isDisjoint(with: [.acceleration, .pressure]) else { return }
    state.withLock { state in
      update(&state, at: sample.timestamp) { $0.update(sample) }
    }
  }

  func receive(_ detection: SourcedDetection) {
    guard detection.detection.kind == .step, Int(detection.source) == source?.stepCounter else {
      return
    }
    let (count, time) = (detection.detection.detail, detection.detection.timestamp)
    state.withLock { state in
      update(&state, at: time) { $0.update(stepCount: count, at: time) }
    }
  }

  private func update(
    _ state: inout State, at time: Timestamp, _ body: (inout any MovementRecognition) -> Void
  ) {
    // Take the recogniser out of the state and put it back, so that only a reference is copied.
    guard var recognition = state.recognition.take() else { return }
    let isFirst = state.begin == nil
    if isFirst {
      state.begin = time
      // The samples of a script have another clock, so shift their times to the present.
      let difference = clocks.now().boot - time
      if abs(difference.seconds) > 10 { state.shift = difference }
    }
    body(&recognition)
    sink?(&recognition, isFirst)
    state.recognition = recognition
  }

  /// Calls `body` with the recogniser and its results so far. The recogniser is first advanced to
  /// the current time, because without an accelerometer no samples advance it.
  func withState<Result>(_ body: (inout State) -> Result) -> Result {
    let now = clocks.now().boot
    return state.withLock { state in
      if let source, !source.has(.acceleration), let begin = state.begin {
        let time = now - state.shift
        update(&state, at: begin) { $0.advance(to: time) }
      }
      return body(&state)
    }
  }

  func receive(_ motion: MotionSample) {}
  func missed(_ count: UInt64) {}

  func chipsChanged(_ chips: [ChipState]) {
    guard let source else { return }
    var complaint: String?
    for (index, chip) in chips.enumerated() {
      guard case .failed(let error) = chip,
        index == source.stepCounter || source.channels(ofChip: index).contains(.acceleration)
      else { continue }
      complaint = source.sentence(for: error, ofChip: index)
    }
    state.withLock { $0.complaint = complaint }
  }

  var demand: SampleDemand { .movement(of: source?.channels ?? []) }

  var due: Timestamp {
    guard pause > .zero else { return .zero }
    return state.withLock { state in
      (state.begin == nil ? .zero : state.recognition?.movement.timestamp ?? .zero) + pause
    }
  }
}
