// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The count and regularity of a loop's items until now; where it takes batches, of the samples in
/// them.
public struct StreamStatistics: Equatable, Sendable {
  /// Items handed on, dropped ones included.
  public var delivered: UInt64 = 0
  /// Items per second, measured on their own time stamps; `nil` before the second.
  public var rate: Double?
  /// One standard deviation of the time between two items; gaps of lost samples are not counted.
  public var jitter = Duration.zero
  /// The longest time between two items.
  public var longestGap = Duration.zero
  /// The mean time from the moment of a sample to its hand-over.
  public var latency = Duration.zero
  /// Samples that never came: lost by the chips, or overwritten before they were read.
  public var lost: UInt64 = 0
  /// Items that a slow loop left in a full buffer.
  public var dropped: UInt64 = 0
  /// Samples that the chips' drivers delivered later than the board promises.
  public var late: UInt64 = 0

  /// Creates the statistics of a loop that was handed nothing.
  public init() {}
}

/// Measures a loop.
final class StreamMeter: Sendable {
  private struct State: Sendable {
    var statistics = StreamStatistics()
    var first: Timestamp?
    var last: Timestamp?
    var intervals = 0.0
    var mean = 0.0
    var squares = 0.0
    var latencies = 0.0
    var gaps = 0.0
    /// The drivers' count of late samples when the loop began.
    var lateBefore: UInt64 = 0
    var source: (any MotionSource)?
  }
  private let state = Mutex(State())

  /// Begins anew.
  func begin(_ source: any MotionSource) {
    let late = Self.late(source)
    state.withLock { $0 = State(lateBefore: late, source: source) }
  }

  /// Counts an item that was handed on, before which `missing` were lost.
  func count(_ time: Timestamp, missing: UInt32, at now: Timestamp) {
    state.withLock { state in
      state.statistics.delivered += 1
      state.statistics.lost += UInt64(missing)
      state.latencies += (now - time).seconds
      if state.first == nil { state.first = time }
      if let last = state.last {
        let interval = (time - last).seconds
        state.statistics.longestGap = max(
          state.statistics.longestGap, .nanoseconds((time - last).nanoseconds))
        if missing == 0 {
          // Welford's running variance (Technometrics 4, 1962).
          state.intervals += 1
          let difference = interval - state.mean
          state.mean += difference / state.intervals
          state.squares += difference * (interval - state.mean)
        } else {
          state.gaps += interval
        }
      }
      state.last = time
    }
  }

  func drop(_ count: UInt64 = 1) { state.withLock { $0.statistics.dropped += count } }

  func lose(_ count: UInt64) { state.withLock { $0.statistics.lost += count } }

  var statistics: StreamStatistics {
    let (statistics, source, before) = state.withLock { state in
      var statistics = state.statistics
      if let first = state.first, let last = state.last, last > first, state.intervals > 0 {
        // Over the stretches without loss: what the sensor does, not what came through.
        statistics.rate = state.intervals / ((last - first).seconds - state.gaps)
        statistics.jitter = .seconds((state.squares / state.intervals).squareRoot())
      }
      if statistics.delivered > 0 {
        statistics.latency = .seconds(state.latencies / Double(statistics.delivered))
      }
      return (statistics, state.source, state.lateBefore)
    }
    guard let source else { return statistics }
    var whole = statistics
    let late = Self.late(source)
    whole.late = late > before ? late - before : 0
    return whole
  }

  private static func late(_ source: any MotionSource) -> UInt64 {
    source.report.reduce(0) { $0 + $1.late }
  }
}
