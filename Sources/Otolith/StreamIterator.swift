// SPDX-License-Identifier: Apache-2.0

/// A loop over one of a hub's streams.
public struct StreamIterator<Element: Sendable>: AsyncIteratorProtocol {
  private var inner: AsyncThrowingStream<Element, any Error>.Iterator

  init(_ stream: AsyncThrowingStream<Element, any Error>) { inner = stream.makeAsyncIterator() }

  /// Returns the next element; `nil` when the task was cancelled. Throws where the source cannot be
  /// opened or has no such sensor.
  public mutating func next(
    isolation actor: isolated (any Actor)?
  ) async throws(SessionError) -> Element? {
    do { return try await inner.next(isolation: actor) } catch let error as SessionError {
      throw error
    } catch {
      // Nothing else is ever thrown into it.
      return nil
    }
  }
}
