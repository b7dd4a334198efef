// SPDX-License-Identifier: Apache-2.0

/// A stream's buffer for a loop that is slower than the sensors. Items that do not fit are dropped
/// and counted in `StreamStatistics.dropped`; the sensors never wait.
public enum StreamBuffering: Equatable, Sendable {
  /// The newest items, at most this many: for control, where old samples are useless.
  case newest(Int)
  /// The oldest unread items, at most this many: for a log that must have no gap before its end.
  case oldest(Int)
  /// All items, limited only by memory.
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
