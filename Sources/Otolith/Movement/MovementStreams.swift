// SPDX-License-Identifier: Apache-2.0
internal import Sensors
internal import Synchronization

extension MotionHub {
  /// Returns each step, with its time and its confidence. Movement that is not walking is not
  /// reported, so that the first steps of a walk come together, some seconds later, once they are
  /// known to be one. Needs an accelerometer.
  public func steps(buffering: StreamBuffering = .newest(256)) -> EventStream<Step> {
    EventStream(self, buffering: buffering) { $0.nextStep() }
  }

  /// Returns pauses and resumptions of walking; the first of all is a resumption. Needs an
  /// accelerometer.
  public func walkingEvents(buffering: StreamBuffering = .newest(16)) -> EventStream<WalkingEvent> {
    EventStream(self, buffering: buffering) { $0.nextEvent() }
  }

  /// Returns the bearer's activity: unknown at the first sample, then each change, with the time
  /// when it began. Needs an accelerometer.
  public func activities(
    buffering: StreamBuffering = .newest(16)
  ) -> EventStream<ActivityEstimate> {
    EventStream(self, buffering: buffering, first: { $0.movement.activity }) {
      $0.nextActivity()
    }
  }
}

extension EventStream {
  /// Creates a stream of what `next` finds in the recognition of movement, all of it after each
  /// sample; before that, at the first sample, the event of `first`.
  fileprivate init(
    _ hub: MotionHub, buffering: StreamBuffering,
    first: @escaping @Sendable (any MovementRecognition) -> Element? = { _ in nil },
    _ next: @escaping @Sendable (inout any MovementRecognition) -> Element?
  ) {
    let needs: ChannelSet = hub.source?.stepCounter == nil ? .acceleration : []
    self.init(hub, buffering: buffering, needing: needs) { yield in
      MovementReceiver(hub.source, hub.movement.setting, first: first, next: next, yield)
    }
  }
}

/// Feeds a recogniser with the hub's samples, and hands on what it finds.
private final class MovementReceiver<Event: Sendable>: MotionReceiver {
  private struct State: Sendable {
    /// `nil` where there is no source, and nothing ever comes.
    var recognition: (any MovementRecognition)?
    var hasBegun = false
  }
  private let state: Mutex<State>
  private let source: (any MotionSource)?
  private let first: @Sendable (any MovementRecognition) -> Event?
  private let next: @Sendable (inout any MovementRecognition) -> Event?
  private let yield: @Sendable (Event) -> Void

  /// Creates a receiver. `yield` is called on the hub's thread and must return at once.
  init(
    _ source: (any MotionSource)?, _ setting: MovementSetting,
    first: @escaping @Sendable (any MovementRecognition) -> Event?,
    next: @escaping @Sendable (inout any MovementRecognition) -> Event?,
    _ yield: @escaping @Sendable (Event) -> Void
  ) {
    state = Mutex(State(recognition: source.map { setting.recognition($0) }))
    self.source = source
    self.first = first
    self.next = next
    self.yield = yield
  }

  func receive(_ sourced: SourcedSample) {
    let sample = sourced.sample
    guard !sample.channels.isDisjoint(with: [.acceleration, .pressure]) else { return }
    update { $0.update(sample) }
  }

  func receive(_ detection: SourcedDetection) {
    guard detection.detection.kind == .step, Int(detection.source) == source?.stepCounter else {
      return
    }
    let (count, time) = (detection.detection.detail, detection.detection.timestamp)
    update { $0.update(stepCount: count, at: time) }
  }

  private func update(_ body: (inout any MovementRecognition) -> Void) {
    state.withLock { state in
      // Taken out and put back, which copies no more than a reference.
      guard var recognition = state.recognition.take() else { return }
      body(&recognition)
      if !state.hasBegun {
        state.hasBegun = true
        if let event = first(recognition) { yield(event) }
      }
      while let event = next(&recognition) { yield(event) }
      state.recognition = recognition
    }
  }

  func receive(_ motion: MotionSample) {}
  func missed(_ count: UInt64) {}
  func chipsChanged(_ chips: [ChipState]) {}

  var demand: SampleDemand { .movement(of: source?.channels ?? []) }
}
