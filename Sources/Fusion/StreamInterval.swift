// SPDX-License-Identifier: Apache-2.0

/// The typical interval of a stream whose samples come irregularly: filters are made for it, and made anew only when
/// it has really changed.
struct StreamInterval: Sendable, BitwiseCopyable {
  private var mean = 0.0
  private var count = 0.0
  /// Seconds; what the filters are made for.
  private(set) var typical = 0.0

  mutating func observe(_ interval: Double) {
    // A plain mean of the first fifty, then a slow one.
    if count < 50 { count += 1 }
    mean += (interval - mean) / count
    if abs(mean - typical) > 0.02 * typical { typical = mean }
  }
}

/// Filter coefficients and what they were made for. A cache: it holds nothing that was learned.
struct FilterCache: Sendable, BitwiseCopyable {
  private var time = 0.0
  private var coefficients = LowPassCoefficients(time: 1, interval: 0.01)

  /// Coefficients of a filter of time constant `time` for samples every `interval` seconds.
  mutating func callAsFunction(time: Double, interval: Double) -> LowPassCoefficients {
    if time != self.time || interval != coefficients.interval {
      self.time = time
      coefficients = LowPassCoefficients(time: time, interval: interval)
    }
    return coefficients
  }
}

/// The filters of the engine, by stream.
struct FusionCoefficients: Sendable, BitwiseCopyable {
  var rateAtRest = FilterCache()
  var acceleration = FilterCache()
  var accelerationAtRest = FilterCache()
  var field = FilterCache()
}
