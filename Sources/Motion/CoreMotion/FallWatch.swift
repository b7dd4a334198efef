// SPDX-License-Identifier: Apache-2.0
internal import Otolith
internal import Recognition
internal import Synchronization

/// Detects falls in the samples of a hub until this object is stopped or released.
final class FallWatch: MotionReceiver {
  private struct State: Sendable {
    var recognizer = PersonFallRecognizer()
    /// The time of the last fall that was detected; its outcome is not known yet.
    var impact: Timestamp?
  }
  private let state = Mutex(State())
  private let listening = Mutex<PatientListening?>(nil)
  private let hub: MotionHub
  private let stream: UpdateStream<CMFallDetectionEvent>

  /// Starts detection, immediately or when the board can be opened. `stream` receives each fall
  /// when its outcome is known.
  init(_ hub: MotionHub, _ stream: UpdateStream<CMFallDetectionEvent>) {
    self.hub = hub
    self.stream = stream
    let patient = PatientListening { [weak self] () throws(SessionError) -> Listening in
      guard let self else { throw .noBoard([]) }
      return try hub.listen(self, needing: .acceleration)
    }
    listening.withLock { $0 = patient }
    _ = patient.begin()
  }

  func stop() { listening.withLock { $0.take() }?.stop() }

  func receive(_ sourced: SourcedSample) {
    let sample = sourced.sample
    guard sample.channels.contains(.acceleration) else { return }
    let known = state.withLock { state -> Fall? in
      guard let fall = state.recognizer.update(sample.acceleration, at: sample.timestamp) else {
        return nil
      }
      // The recogniser reports each fall twice: when it happens, and when its outcome is known.
      guard fall.timestamp == state.impact else {
        state.impact = fall.timestamp
        return nil
      }
      state.impact = nil
      return fall
    }
    guard let known else { return }
    let age = (sample.timestamp - known.timestamp).seconds
    stream.offer(
      CMFallDetectionEvent(
        .init(
          date: PedometerStore(hub).now - age,
          resolution: known.aftermath == .roseAgain ? .dismissed : .unresponsive)))
  }

  func receive(_ motion: MotionSample) {}
  func missed(_ count: UInt64) {}
  func chipsChanged(_ chips: [ChipState]) {}

  /// Every acceleration sample is needed, because an impact is short.
  var demand: SampleDemand { SampleDemand(.acceleration) }
}
