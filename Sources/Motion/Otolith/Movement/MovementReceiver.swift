// SPDX-License-Identifier: Apache-2.0
internal import Recognition
internal import Sensors
internal import Synchronization

/// Passes the hub's samples to a recogniser, on the hub's thread, and collects its findings after
/// each sample.
final class MovementReceiver<Gathered: Sendable>: MotionReceiver {
  struct State: Sendable {
    /// `nil` without a source, when no samples arrive.
    var recognition: (any MovementRecognition)?
    var gathered: Gathered
    /// The time of the first sample; `nil` before it.
    var begin: Timestamp?
    /// The reason why the sensors do not answer, for people; `nil` while they do.
    var complaint: String?
  }
  private let state: Mutex<State>
  private let source: (any MotionSource)?
  private let pause: TimeSpan
  private let gather: @Sendable (inout any MovementRecognition, inout Gathered, Bool) -> Void

  /// Creates a receiver. `gather` is called with the recogniser, the collected findings, and true
  /// at the first sample, and must return at once. It need not be called more often than each
  /// `pause`.
  init(
    _ source: (any MotionSource)?, _ setting: MovementConfiguration, into gathered: Gathered,
    every pause: TimeSpan = .zero,
    _ gather: @escaping @Sendable (inout any MovementRecognition, inout Gathered, Bool) -> Void
  ) {
    state = Mutex(
      State(recognition: source.map { setting.recognition($0) }, gathered: gathered))
    self.source = source
    self.pause = pause
    self.gather = gather
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
    // Moved out and back, which copies only a reference.
    guard var recognition = state.recognition.take() else { return }
    let isFirst = state.begin == nil
    if isFirst { state.begin = time }
    body(&recognition)
    gather(&recognition, &state.gathered, isFirst)
    state.recognition = recognition
  }

  /// Passes all findings until `now`, on the samples' clock, to `body`; advances the recogniser
  /// first, because without an accelerometer no samples give it the time.
  func look<Result>(at now: (Gathered) -> Timestamp, _ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      if let source, !source.has(.acceleration), let begin = state.begin {
        let now = now(state.gathered)
        update(&state, at: begin) { $0.advance(to: now) }
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
