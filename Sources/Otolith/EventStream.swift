// SPDX-License-Identifier: Apache-2.0

/// Events recognised in the samples, as an asynchronous sequence:
///
///     for try await update in hub.orientations() { ... }
///
/// Each loop has a recogniser of its own, which begins with it; the chips run until its task is
/// cancelled, the loop is left or the iterator is released. Throws `SessionError` where the source
/// cannot be opened or has no such sensor. A sensor that falls silent does not end the sequence: it
/// goes on when the sensor is back.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = SessionError
  typealias Continuation = StreamIterator<Element>.Continuation

  private let buffering: StreamBuffering
  /// Begins to yield events, and returns what ends it.
  private let open: @Sendable (Continuation) throws(SessionError) -> @Sendable () -> Void

  init<Recognition: SampleRecognition>(
    _ hub: MotionHub, buffering: StreamBuffering,
    _ recognition: @escaping @Sendable () -> Recognition
  ) where Recognition.Event == Element {
    self.init(hub, buffering: buffering, needing: Recognition.channels) { yield in
      RecognitionReceiver(recognition(), sink: yield)
    }
  }

  /// Creates a stream whose `receiver` makes the object that hears the hub for one loop, and calls
  /// the closure it is given with each event.
  init(
    _ hub: MotionHub, buffering: StreamBuffering, needing channels: ChannelSet,
    _ receiver: @escaping @Sendable (@escaping @Sendable (Element) -> Void) -> any MotionReceiver
  ) {
    self.buffering = buffering
    open = { continuation throws(SessionError) in
      let receiver = receiver { continuation.yield($0) }
      let listening = try hub.listen(receiver, needing: channels)
      return {
        // The hub does not keep its receivers alive. Not waited for: see `SensorStream`.
        withExtendedLifetime(receiver) { listening.stopWithoutWaiting() }
      }
    }
  }

  /// A loop over a stream.
  public struct Iterator: AsyncIteratorProtocol {
    var events: StreamIterator<Element>

    /// Returns the next event; `nil` when the task was cancelled. Throws where the source cannot be
    /// opened or has no such sensor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SessionError) -> Element? {
      try await events.next(isolation: actor)
    }
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(events: StreamIterator(buffering, open: open))
  }
}
