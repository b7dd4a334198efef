// SPDX-License-Identifier: Apache-2.0

/// A loop over the elements of a stream.
struct StreamIterator<Element: Sendable>: AsyncIteratorProtocol {
  typealias Continuation = AsyncThrowingStream<Element, any Error>.Continuation

  private var inner: AsyncThrowingStream<Element, any Error>.Iterator

  /// Creates a loop. `open` starts to yield elements, and returns a function that stops them.
  init(
    _ buffering: StreamBuffering,
    open: (Continuation) throws(SessionError) -> @Sendable () -> Void
  ) {
    inner = AsyncThrowingStream(bufferingPolicy: buffering.policy(of: Element.self)) {
      continuation in
      do throws(SessionError) {
        // This closure keeps its captures alive as long as the stream, and stops the sensors when
        // the stream ends.
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
      // The stream throws no other type of error.
      return nil
    }
  }
}
