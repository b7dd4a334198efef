// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The number and regularity of the items that a loop has received so far. For batches, the samples
/// in them are counted.
public struct StreamStatistics: Equatable, Sendable {
  /// The number of delivered items, including dropped ones.
  public var delivered: UInt64 = 0
  /// The number of items per second according to their time stamps; `nil` before the second item.
  public var rate: Double?
  /// The standard deviation of the time between two items, without gaps caused by lost samples.
  public var jitter = Duration.zero
  /// The longest time between two items.
  public var longestGap = Duration.zero
  /// The mean time from a sample's time stamp to its delivery.
  public var latency = Duration.zero
  /// The number of samples lost by the chips, or overwritten before they were read.
  public var lost: UInt64 = 0
  /// The number of items that were dropped because the loop was too slow and the buffer was full.
  public var dropped: UInt64 = 0
  /// The number of samples that the drivers delivered later than the board's limit allows.
  public var late: UInt64 = 0

  /// Creates the statistics of a loop that has received no items.
  public init() {}
}

/// Measures the statistics of a loop.
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
    /// The number of late samples that the source had counted when the loop started.
    var lateBefore: UInt64 = 0
    var source: (any MotionSource)?
  }
  private let state = Mutex(State())

  func begin(_ source: any MotionSource) {
    let late = Self.late(source)
    state.withLock { $0 = State(lateBefore: late, source: source) }
  }

  /// Counts a delivered item and the `missing` items lost before it.
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
        // Divide by the time in which no samples were lost, so that the result is the sensor's rate
        // and not the rate of the delivered items.
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
