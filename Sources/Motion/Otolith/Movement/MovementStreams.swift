// SPDX-License-Identifier: Apache-2.0
internal import Sensors

extension MotionHub {
  /// Returns each step with its time and confidence. Steps are reported only once a walk is
  /// confirmed, so the first steps of a walk are reported together, several seconds later. Needs an
  /// accelerometer.
  public func steps(buffering: StreamBuffering = .newest(256)) -> EventStream<Step> {
    EventStream(self, buffering: buffering) { $0.nextStep() }
  }

  /// Returns pauses and resumptions of walking; the first event is a resumption. Needs an
  /// accelerometer.
  public func walkingEvents(buffering: StreamBuffering = .newest(16)) -> EventStream<WalkingEvent> {
    EventStream(self, buffering: buffering) { $0.nextEvent() }
  }

  /// Returns the activity of the person who carries the device: unknown at the first sample, then
  /// each change with the time at which the new activity began. Needs an accelerometer.
  public func activities(
    buffering: StreamBuffering = .newest(16)
  ) -> EventStream<ActivityEstimate> {
    EventStream(self, buffering: buffering, first: { $0.movement.activity }) {
      $0.nextActivity()
    }
  }
}

extension EventStream {
  /// Creates a stream of all results that `next` returns after each sample. It begins with the
  /// event that `first` returns at the first sample.
  fileprivate init(
    _ hub: MotionHub, buffering: StreamBuffering,
    first: @escaping @Sendable (any MovementRecognition) -> Element? = { _ in nil },
    _ next: @escaping @Sendable (inout any MovementRecognition) -> Element?
  ) {
    let needs: ChannelSet = hub.source?.stepCounter == nil ? .acceleration : []
    self.init(hub, buffering: buffering, needing: needs) { yield in
      MovementReceiver(hub.source, hub.movement.setting) { recognition, isFirst in
        if isFirst, let event = first(recognition) { yield(event) }
        while let event = next(&recognition) { yield(event) }
      }
    }
  }
}
