// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Finds out when samples were taken from when they were seen.
///
/// A chip samples by its own oscillator, a few percent off its nominal rate. What the host sees is an interval:
/// sample k was there when it looked and sample k + 1 was not, so sample k was taken between one period before
/// and the look; or an edge, which is an interval of almost no width. A two-state Kalman filter (time of the newest
/// sample, period) takes each interval as a uniformly distributed measurement. Beside it run hard bounds: the newest
/// sample lies where this interval and all earlier ones, carried forward, overlap; they soon overlap in a few percent of
/// a period. Batches share their span evenly, so times always run forwards.
public struct SampleClock: Sendable {
  /// When the newest sample known was taken; `nil` before the first.
  public private(set) var newest: Timestamp?
  /// The measured period in nanoseconds.
  private var period: Double
  private let nominal: Double
  private let tolerance: Double
  // Covariance of (time in ns, period in ns).
  private var timeVariance = 0.0
  private var covariance = 0.0
  private var periodVariance: Double
  // What all intervals so far leave possible, in ns from `newest`.
  private var lowest = 0.0
  private var highest = 0.0

  /// A clock for `rate` samples per second that the chip keeps within a fraction `tolerance`.
  public init(rate: Double, tolerance: Double = 0.05) {
    nominal = 1e9 / rate
    period = nominal
    self.tolerance = tolerance
    periodVariance = nominal * tolerance * nominal * tolerance
  }

  /// The measured time between two samples.
  public var measuredPeriod: TimeSpan { TimeSpan(nanoseconds: Int64(period.rounded())) }

  /// When the next sample will be taken; `nil` before the first.
  public var next: Timestamp? { newest.map { $0 + measuredPeriod } }

  /// How many samples were taken since the newest known one, if another was taken at about `time`; at least 1.
  public func samplesElapsed(at time: Timestamp) -> Int64 {
    guard let newest else { return 1 }
    let elapsed = (Double((time - newest).nanoseconds) / period).rounded()
    return elapsed < 1 ? 1 : elapsed > 1e15 ? 1_000_000_000_000_000 : Int64(elapsed)
  }

  /// Forgets the phase but keeps the period: after a stop of the chip.
  public mutating func lostPhase() {
    newest = nil
    timeVariance = 0
    covariance = 0
  }

  /// Takes note that `count` samples were taken since the last call, the newest between two moments, and returns
  /// the time of the newest and the even spacing that leads to it.
  public mutating func observe(
    _ count: Int64, after earliest: Timestamp, notAfter latest: Timestamp
  )
    -> (newest: Timestamp, spacing: TimeSpan)
  {
    let width = Double(max(0, (latest - earliest).nanoseconds))
    // An edge still carries the latency of its interrupt; a microsecond keeps the filter from believing it blindly.
    let variance = width * width / 12 + 1e6
    let middle = earliest + TimeSpan(nanoseconds: Int64(width / 2))
    guard let last = newest else {
      newest = middle
      timeVariance = variance
      covariance = 0
      lowest = -width / 2
      highest = width / 2
      return (middle, measuredPeriod)
    }
    let n = Double(count)
    // Predict: time += n * period. A MEMS oscillator warms up by some ppm a second: at 1 kHz 0.2 ppm a sample.
    let wander = nominal * 2e-7
    let jitter = nominal * 1e-5
    let predicted = n * period
    timeVariance += 2 * n * covariance + n * n * periodVariance + n * jitter * jitter
    covariance += n * periodVariance
    periodVariance += n * wander * wander
    // Correct by the middle of the interval.
    let innovation = Double((middle - last).nanoseconds) - predicted
    let gain = timeVariance / (timeVariance + variance)
    let periodGain = covariance / (timeVariance + variance)
    var step = predicted + gain * innovation
    period += periodGain * innovation
    let limit = nominal * tolerance * 2
    period = min(max(period, nominal - limit), nominal + limit)
    periodVariance -= periodGain * covariance
    covariance *= 1 - gain
    timeVariance *= 1 - gain
    // The bounds are facts, the estimate is not. They widen by what the period may be off, and an empty overlap means that
    // it was off by more: then only the present interval counts.
    let slack = n * (2 * periodVariance.squareRoot() + jitter)
    let first = Double((earliest - last).nanoseconds)
    let final = Double((latest - last).nanoseconds)
    var low = max(lowest + predicted - slack, first)
    var high = min(highest + predicted + slack, final)
    if low > high {
      low = first
      high = final
    }
    // And time never runs backwards.
    step = max(min(max(step, low), high), n * nominal * 0.25).rounded()
    lowest = low - step
    highest = high - step
    let time = last + TimeSpan(nanoseconds: Int64(step))
    newest = time
    return (time, (time - last) / count)
  }
}
