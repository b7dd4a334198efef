// SPDX-License-Identifier: Apache-2.0

/// A loop over the elements of one of a hub's streams.
struct StreamIterator<Element: Sendable>: AsyncIteratorProtocol {
  typealias Continuation = AsyncThrowingStream<Element, any Error>.Continuation

  private var inner: AsyncThrowingStream<Element, any Error>.Iterator

  /// Creates a loop. `open` starts yielding elements, and returns the function that stops it.
  init(
    _ buffering: StreamBuffering,
    open: (Continuation) throws(SessionError) -> @Sendable () -> Void
  ) {
    inner = AsyncThrowingStream(bufferingPolicy: buffering.policy(of: Element.self)) {
      continuation in
      do throws(SessionError) {
        // Keeps its captures alive as long as the stream, and stops the sensors with it.
        let end = try open(continuation)
        continuation.onTermination = { _ in end() }
      } catch { continuation.finish(throwing: error) }
    }.makeAsyncIterator()
  }

  mutating func next(isolation actor: isolated (any Actor)?) async throws(SessionError) -> Element?
  {
    do { return try await inner.next(isolation: actor) } catch let error as SessionError {
      throw error
    } catch {
      // No other error is ever thrown into the stream.
      return nil
    }
  }
}
