// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Finds out when samples were taken from when they were seen.
///
/// A chip samples by its own oscillator, a few percent off its nominal rate. What the host sees is an interval:
/// sample k was there when it looked and sample k + 1 was not, so sample k was taken between one period before
/// and the look; or an edge, which is an interval of almost no width. Intervals are facts: carried forward by the
/// period, what all of them allow shrinks to a small part of a period, as long as looks fall on changing phases of it.
/// A two-state Kalman filter (time of the newest sample, period) follows the middle of what is left. Batches share
/// their span evenly, so times always run forwards.
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
  // The newest sample was taken between these, by all intervals so far.
  private var lowest = Timestamp.zero
  private var highest = Timestamp.zero

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

  /// When to ask a chip without queue or edges for sample number `index`; `nil` before the first. A sixteenth of a
  /// period after it is due it will be there; but answers that are always yes leave the clock a whole period to drift
  /// in, so each fourth look comes somewhere within a sixteenth to either side.
  public func look(_ index: UInt64) -> Timestamp? {
    guard let next else { return nil }
    guard index % 4 == 0 else { return next + measuredPeriod / 16 }
    let part = Int64(index / 4 % 256 * 159 % 256) - 128
    return next + measuredPeriod * part / 2048
  }

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
    let latest = max(earliest, latest)
    guard let last = newest else {
      let middle = earliest + (latest - earliest) / 2
      (lowest, highest) = (earliest, latest)
      newest = middle
      timeVariance = Self.variance(from: earliest, to: latest)
      covariance = 0
      return (middle, measuredPeriod)
    }
    let n = Double(count)
    // Predict: time += n * period. An oscillator wanders by parts per million per second, not more.
    let wander = nominal * 5e-7
    let jitter = nominal * 1e-5
    let predicted = n * period
    timeVariance += 2 * n * covariance + n * n * periodVariance + n * jitter * jitter
    covariance += n * periodVariance
    periodVariance += n * wander * wander
    intersect(after: earliest, notAfter: latest, samples: n)
    // Correct by the middle of what is left. Its edges stem from a few looks and serve for many, so one says little
    // that the one before did not: ten times the variance.
    let variance = Self.variance(from: lowest, to: highest) * 10
    let middle = lowest + (highest - lowest) / 2
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
    // The interval is a fact, the estimate is not; but time never runs backwards.
    step = min(max(step, Double((lowest - last).nanoseconds)), Double((highest - last).nanoseconds))
    step = max(step, n * nominal * 0.25)
    let time = last + TimeSpan(nanoseconds: Int64(step.rounded()))
    newest = time
    return (time, (time - last) / count)
  }

  /// Carries what is known forward by so many samples, and keeps of it what the new interval allows.
  private mutating func intersect(
    after earliest: Timestamp, notAfter latest: Timestamp, samples n: Double
  ) {
    // As far as the period may be off: five parts per million and two deviations.
    let slack = n * (nominal * 5e-6 + 2 * max(periodVariance, 0).squareRoot())
    let from = max(lowest + TimeSpan(nanoseconds: Self.whole(n * period - slack)), earliest)
    let to = min(highest + TimeSpan(nanoseconds: Self.whole(n * period + slack)), latest)
    if from <= to {
      (lowest, highest) = (from, to)
    } else {
      // They contradict each other: the chip was reset, or a count was wrong. The newest holds.
      (lowest, highest) = (earliest, latest)
      periodVariance += nominal * 1e-4 * nominal * 1e-4
    }
  }

  /// Of a moment that may be anywhere between two others. An edge still carries the latency of its interrupt; a
  /// microsecond keeps the filter from believing it blindly.
  private static func variance(from: Timestamp, to: Timestamp) -> Double {
    let width = Double((to - from).nanoseconds)
    return width * width / 12 + 1e6
  }

  /// Whole nanoseconds, held at the ends.
  private static func whole(_ nanoseconds: Double) -> Int64 {
    TimeSpan(seconds: nanoseconds / 1e9).nanoseconds
  }
}
