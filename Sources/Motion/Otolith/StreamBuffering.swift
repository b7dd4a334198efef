// SPDX-License-Identifier: Apache-2.0

/// The buffer of a stream, for a loop that is slower than the sensors. Items that do not fit are
/// dropped and counted in `StreamStatistics.dropped`; the sensors never wait.
public enum StreamBuffering: Equatable, Sendable {
  /// Keeps at most this many of the newest items, for control loops that do not need old samples.
  case newest(Int)
  /// Keeps at most this many of the oldest unread items, for logs that must have no gap before
  /// their end.
  case oldest(Int)
  /// Keeps all items, limited only by the memory.
  case unbounded

  func policy<Element>(
    of: Element.Type
  ) -> AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy {
    switch self {
    case .newest(let count): .bufferingNewest(max(1, count))
    case .oldest(let count): .bufferingOldest(max(1, count))
    case .unbounded: .unbounded
    }
  }
}
