// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension MotionHub {
  /// Each step, with the time when it was taken and how sure it is that it was one. What is no walk is not told, so that
  /// the first steps of a walk come together, once they are known to be one, some seconds later. Needs an accelerometer.
  public func steps(buffering: StreamBuffering = .newest(256)) -> EventStream<Step> {
    EventStream(self, buffering: buffering) { $0.nextStep() }
  }

  /// Pauses and resumptions of walking; the first of all is a resumption. Needs an accelerometer.
  public func walkingEvents(buffering: StreamBuffering = .newest(16)) -> EventStream<WalkingEvent> {
    EventStream(self, buffering: buffering) { $0.nextEvent() }
  }

  /// What the bearer does: at the first sample that it is unknown, then each change, with the time when it began. Needs an
  /// accelerometer.
  public func activities(
    buffering: StreamBuffering = .newest(16)
  ) -> EventStream<ActivityEstimate> {
    EventStream(self, buffering: buffering, first: { $0.movement.activity }) {
      $0.nextActivity()
    }
  }
}

extension EventStream {
  /// What `next` finds in the recognition of movement, all of it after each sample; before that, at the first sample, what
  /// `first` says.
  fileprivate init(
    _ hub: MotionHub, buffering: StreamBuffering,
    first: @escaping @Sendable (any MovementRecognition) -> Element? = { _ in nil },
    _ next: @escaping @Sendable (inout any MovementRecognition) -> Element?
  ) {
    self.init(hub, buffering: buffering, needing: .acceleration) { yield in
      let channels = hub.source?.channels ?? []
      return MovementReceiver(
        hub.movement.setting.recognition(channels), channels, first: first, next: next, yield)
    }
  }
}

/// Feeds a recogniser with what the hub hands on, and hands on what it finds.
private final class MovementReceiver<Event: Sendable>: MotionReceiver {
  private struct State: Sendable {
    var recognition: any MovementRecognition
    var hasBegun = false
  }
  private let state: Mutex<State>
  private let channels: ChannelSet
  private let first: @Sendable (any MovementRecognition) -> Event?
  private let next: @Sendable (inout any MovementRecognition) -> Event?
  private let yield: @Sendable (Event) -> Void

  /// `yield` is called on the hub's thread and must return at once.
  init(
    _ recognition: any MovementRecognition, _ channels: ChannelSet,
    first: @escaping @Sendable (any MovementRecognition) -> Event?,
    next: @escaping @Sendable (inout any MovementRecognition) -> Event?,
    _ yield: @escaping @Sendable (Event) -> Void
  ) {
    state = Mutex(State(recognition: recognition))
    self.channels = channels
    self.first = first
    self.next = next
    self.yield = yield
  }

  func receive(_ sourced: SourcedSample) {
    let sample = sourced.sample
    guard !sample.channels.isDisjoint(with: [.acceleration, .pressure]) else { return }
    state.withLock { state in
      state.recognition.update(sample)
      if !state.hasBegun {
        state.hasBegun = true
        if let event = first(state.recognition) { yield(event) }
      }
      while let event = next(&state.recognition) { yield(event) }
    }
  }

  func receive(_ motion: MotionSample) {}
  func missed(_ count: UInt64) {}
  func chipsChanged(_ chips: [ChipState]) {}

  var demand: SampleDemand { .movement(of: channels) }
}
