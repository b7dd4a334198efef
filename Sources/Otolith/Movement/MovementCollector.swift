// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Recognition
internal import Sensors
internal import Synchronization

/// The movement that a counter's receiver has gathered since it was last asked.
struct CollectedMovement: Sendable {
  /// On the receiver's own clock: see `shift`.
  var movement: Movement
  /// From the samples' clock to CLOCK_MONOTONIC.
  var shift = TimeSpan.zero
  /// The time of the first sample, likewise; `nil` where there was none yet.
  var begin: Timestamp?
  /// The time of the first of the steps that became known meanwhile.
  var firstStep: Timestamp?
  var events: [WalkingEvent] = []
  var activities: [ActivityEstimate] = []
  /// The reason why the sensors are silent, for people; `nil` while they are not.
  var complaint: String?
}

/// Feeds a recogniser on the hub's thread, for a thread that asks about once a second.
final class MovementCollector: MotionReceiver {
  private struct State: Sendable {
    var recognition: any MovementRecognition
    var collected: CollectedMovement

    /// Takes the recogniser's new findings.
    mutating func gather() {
      while let step = recognition.nextStep() {
        if collected.firstStep == nil { collected.firstStep = step.timestamp }
      }
      while let event = recognition.nextEvent() {
        if collected.events.count < MovementCollector.capacity { collected.events.append(event) }
      }
      while let activity = recognition.nextActivity() {
        if collected.activities.count < MovementCollector.capacity {
          collected.activities.append(activity)
        }
      }
    }
  }
  private let state: Mutex<State>
  private let source: any MotionSource
  private let clocks: HostClocks
  /// More pauses and changes of activity than a minute of a hanging disk can hold.
  private static let capacity = 64

  init(_ setting: MovementSetting, of source: any MotionSource) {
    let recognition = setting.recognition(source)
    var collected = CollectedMovement(movement: recognition.movement)
    Self.reserve(&collected)
    state = Mutex(State(recognition: recognition, collected: collected))
    self.source = source
    clocks = setting.clocks
  }

  private static func reserve(_ collected: inout CollectedMovement) {
    if collected.events.capacity < capacity { collected.events.reserveCapacity(capacity) }
    if collected.activities.capacity < capacity { collected.activities.reserveCapacity(capacity) }
  }

  func receive(_ sourced: SourcedSample) {
    let sample = sourced.sample
    guard !sample.channels.isDisjoint(with: [.acceleration, .pressure]) else { return }
    update(at: sample.timestamp) { $0.update(sample) }
  }

  func receive(_ detection: SourcedDetection) {
    guard detection.detection.kind == .step, Int(detection.source) == source.stepCounter else {
      return
    }
    let (count, time) = (detection.detection.detail, detection.detection.timestamp)
    update(at: time) { $0.update(stepCount: count, at: time) }
  }

  private func update(
    at time: Timestamp, _ body: (inout any MovementRecognition) -> Void
  ) {
    state.withLock { state in
      if state.collected.begin == nil {
        state.collected.begin = time
        // A script's clock is its own: what it plays happens now.
        let difference = clocks.now().boot - time
        if abs(difference.seconds) > 10 { state.collected.shift = difference }
      }
      body(&state.recognition)
      state.gather()
    }
  }

  /// Swaps the gathered movement into `taken`, whose memory is reused for the next.
  func take(_ taken: inout CollectedMovement) {
    taken.events.removeAll(keepingCapacity: true)
    taken.activities.removeAll(keepingCapacity: true)
    taken.firstStep = nil
    Self.reserve(&taken)
    state.withLock { state in
      if !source.has(.acceleration), state.collected.begin != nil {
        state.recognition.advance(to: clocks.now().boot - state.collected.shift)
        state.gather()
      }
      state.collected.movement = state.recognition.movement
      taken.movement = state.collected.movement
      (taken.begin, taken.shift) = (state.collected.begin, state.collected.shift)
      taken.complaint = state.collected.complaint
      swap(&state.collected, &taken)
    }
  }

  func receive(_ motion: MotionSample) {}
  func missed(_ count: UInt64) {}

  func chipsChanged(_ chips: [ChipState]) {
    var complaint: String?
    for (index, chip) in chips.enumerated() {
      guard case .failed(let error) = chip,
        index == source.stepCounter || source.channels(ofChip: index).contains(.acceleration)
      else { continue }
      complaint = source.sentence(for: error, ofChip: index)
    }
    state.withLock { $0.collected.complaint = complaint }
  }

  var demand: SampleDemand { .movement(of: source.channels) }

  /// Four times a second is enough for what is written once a second.
  var due: Timestamp {
    state.withLock { $0.collected.begin == nil ? .zero : $0.recognition.movement.timestamp }
      + .milliseconds(250)
  }
}
