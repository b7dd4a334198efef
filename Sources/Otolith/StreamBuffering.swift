// SPDX-License-Identifier: Apache-2.0

/// What a stream keeps for a loop that is slower than the sensors. What does not fit is dropped and counted in
/// `StreamStatistics.dropped`; the sensors never wait.
public enum StreamBuffering: Equatable, Sendable {
  /// The newest so many: for control, where an old sample is worth nothing.
  case newest(Int)
  /// The first so many that the loop has not come to: for a log that shall have no gap before its end.
  case oldest(Int)
  /// Everything, as long as there is memory.
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
