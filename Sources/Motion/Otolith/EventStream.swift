// SPDX-License-Identifier: Apache-2.0

/// Events recognised in the samples, as an asynchronous sequence:
///
///     for try await update in hub.orientations() { ... }
///
/// Each loop has a separate recogniser, which starts with the loop. The chips run until the task of
/// the loop is cancelled, the loop is left, or the iterator is released. Throws `SessionError` if
/// the source cannot be opened or has no such sensor. A sensor that stops responding does not end
/// the sequence; the sequence continues when the sensor responds again.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = SessionError
  typealias Continuation = StreamIterator<Element>.Continuation

  private let buffering: StreamBuffering
  /// Starts to yield events. The returned function stops them.
  private let open: @Sendable (Continuation) throws(SessionError) -> @Sendable () -> Void

  init<Recognition: SampleRecognition>(
    _ hub: MotionHub, buffering: StreamBuffering,
    _ recognition: @escaping @Sendable () -> Recognition
  ) where Recognition.Event == Element {
    self.init(hub, buffering: buffering, needing: Recognition.channels) { yield in
      RecognitionReceiver(recognition(), sink: yield)
    }
  }

  /// Creates a stream. For each loop, `receiver` makes a receiver for the hub. The receiver passes
  /// each event to the given closure.
  init(
    _ hub: MotionHub, buffering: StreamBuffering, needing channels: ChannelSet,
    _ receiver: @escaping @Sendable (@escaping @Sendable (Element) -> Void) -> any MotionReceiver
  ) {
    self.buffering = buffering
    open = { continuation throws(SessionError) in
      let receiver = receiver { continuation.yield($0) }
      let listening = try hub.listen(receiver, needing: channels)
      return {
        // Retain the receiver, because the hub does not keep it alive. Do not wait until the
        // receiver has returned; `SensorStream` explains why.
        withExtendedLifetime(receiver) { listening.stopWithoutWaiting() }
      }
    }
  }

  /// A loop over the events of a stream.
  public struct Iterator: AsyncIteratorProtocol {
    var events: StreamIterator<Element>

    /// Returns the next event; `nil` after the task has been cancelled. Throws if the source cannot
    /// be opened or has no such sensor.
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
