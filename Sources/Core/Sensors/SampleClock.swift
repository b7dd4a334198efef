// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// An estimator of sample times from the times at which samples were observed.
///
/// A chip samples with its own oscillator, whose rate differs from the nominal rate by up to a few
/// percent. Each observation gives an interval for a sample time. At a poll, sample k was present
/// and sample k + 1 was not, so sample k was taken within the period before the poll; an edge gives
/// an interval of less than a microsecond.
///
/// These intervals bound a polygon of times and periods, which shrinks as long as polls come at
/// different phases of the samples. The polygon's centre is the estimate. Samples of a batch are
/// spaced evenly, so times always increase.
///
/// The type is noncopyable, so that reading it never copies the polygon.
public struct SampleClock: ~Copyable, Sendable {
  /// The time of the newest observed sample; `nil` before the first sample.
  public private(set) var newest: Timestamp?
  /// The measured sample period in nanoseconds.
  private var period: Nanoseconds {
    didSet { measuredPeriod = TimeSpan(nanoseconds: Int64(period.rounded())) }
  }
  private let nominal: Nanoseconds
  private let tolerance: Nanoseconds
  /// The possible pairs of the newest sample's time and the sample period. Times are relative to
  /// `anchor`.
  private var feasible: FeasiblePolygon
  private var anchor = Timestamp.zero
  /// The number of samples between `anchor` and `newest` that came as expected and are not yet in
  /// the polygon.
  private var expected: Int64 = 0
  /// The number of consecutive observed intervals that agreed with the polygon.
  private var agreements = 0
  /// The limits of the sample period while the phase of the samples is unknown, in nanoseconds.
  private var periodLimits: (Nanoseconds, Nanoseconds)
  /// The current limits of the sample period, in nanoseconds.
  private var limits: (Nanoseconds, Nanoseconds)
  /// The number of consecutive observed intervals that contradicted the polygon.
  private var contradictions = 0

  /// Creates a clock for `rate` samples per second. The chip's rate differs from `rate` by at most
  /// the fraction `tolerance`.
  public init(rate: Scalar, tolerance: Scalar = 0.05) {
    nominal = 1e9 / Nanoseconds(rate)
    period = nominal
    measuredPeriod = TimeSpan(nanoseconds: Int64(nominal.rounded()))
    self.tolerance = Nanoseconds(tolerance)
    periodLimits = (nominal * (1 - self.tolerance), nominal * (1 + self.tolerance))
    feasible = FeasiblePolygon(times: (0, 0), periods: periodLimits)
    limits = periodLimits
    (shortestPeriod, longestPeriod) = Self.spans(periodLimits)
  }

  /// The measured time between two samples.
  public private(set) var measuredPeriod: TimeSpan

  /// The shortest and the longest period that agree with the observations, for bounds that must not
  /// depend on an estimate. Both periods are stored, because each batch reads them and the polygon
  /// has many corners.
  public private(set) var shortestPeriod: TimeSpan
  public private(set) var longestPeriod: TimeSpan

  private mutating func keepLimits() {
    limits = newest == nil || feasible.isEmpty ? periodLimits : feasible.periodLimits
    (shortestPeriod, longestPeriod) = Self.spans(limits)
  }

  private static func spans(_ limits: (Nanoseconds, Nanoseconds)) -> (TimeSpan, TimeSpan) {
    let (shortest, longest) = limits
    return (
      TimeSpan(nanoseconds: Int64(shortest.rounded(.down))),
      TimeSpan(nanoseconds: Int64(longest.rounded(.up)))
    )
  }

  /// The estimated time of the next sample; `nil` before the first sample.
  public var next: Timestamp? { newest.map { $0 + measuredPeriod } }

  /// Returns the time to poll a chip without a FIFO or edges for sample number `index`; `nil`
  /// before the first sample.
  ///
  /// A sixteenth of a period after the sample's estimated time the sample is certainly present. But
  /// polls that always succeed leave a whole period of uncertainty. Therefore every fourth poll,
  /// and every poll while the phase is uncertain, comes when the sample is present with a
  /// probability of one half, which halves the uncertainty.
  public func pollTime(_ index: UInt64) -> Timestamp? {
    let isUnsure = feasible.timeWidth(after: Nanoseconds(expected + 1)) > period / 8
    return next.map { index % 4 == 0 || isUnsure ? $0 : $0 + measuredPeriod / 16 }
  }

  /// Returns the time for the next FIFO poll, at least `earliest`, that narrows the sample times
  /// the most; `nil` before the first sample.
  ///
  /// The best time for a poll is one at which a sample is present with a probability of one half.
  /// Polls at other phases narrow the times less, and polls in step with the samples not at all.
  /// `latency` is the time from the start of a poll until the chip reports its fill level.
  public func pollTime(after earliest: Timestamp, latency: TimeSpan) -> Timestamp? {
    guard let newest else { return nil }
    let samples = (Nanoseconds((earliest + latency - newest).nanoseconds) / period).rounded(.up)
    guard samples > -1e9, samples < 1e9 else { return nil }
    return newest + TimeSpan(nanoseconds: Int64(samples * period)) - latency
  }

  /// Returns the number of samples since the newest observed sample if a sample was taken at about
  /// `time`; at least 1.
  public func samplesElapsed(at time: Timestamp) -> Int64 {
    guard let newest else { return 1 }
    let elapsed = (Nanoseconds((time - newest).nanoseconds) / period).rounded()
    return elapsed < 1 ? 1 : elapsed > 1e15 ? 1_000_000_000_000_000 : Int64(elapsed)
  }

  /// Discards the phase of the samples but keeps their period, because the chip was stopped.
  public mutating func lostPhase() {
    guard newest != nil else { return }
    periodLimits = widened(limits, by: 1e-3)
    newest = nil
    expected = 0
    agreements = 0
    keepLimits()
  }

  /// Adds the observation that `count` samples were taken since the last call and that the newest
  /// of these samples was taken between the two times. Returns the estimated time of the newest
  /// sample and the even spacing of the samples up to it.
  public mutating func observe(
    _ count: Int64, after earliest: Timestamp, notAfter latest: Timestamp
  ) -> (newest: Timestamp, spacing: TimeSpan) {
    let latest = max(earliest, latest)
    guard let last = newest else {
      let middle = earliest + (latest - earliest) / 2
      let half = Nanoseconds((latest - middle).nanoseconds) + Self.endError
      feasible = FeasiblePolygon(times: (-half, half), periods: periodLimits)
      newest = middle
      anchor = middle
      keepLimits()
      return (middle, measuredPeriod)
    }
    if let time = expectedTime(after: count, earliest, latest) {
      expected += count
      newest = time
      return (time, (time - last) / count)
    }
    let n = Nanoseconds(expected + count)
    // The slack is for the oscillator, which drifts by parts per million per second, and for the
    // jitter of each sample.
    let seconds = n * nominal * 1e-9
    feasible.advance(n, timeSlack: nominal * 1e-5, periodSlack: nominal * 5e-6 * min(seconds, 10))
    let from = Nanoseconds((earliest - anchor).nanoseconds) - Self.endError
    let to = Nanoseconds((latest - anchor).nanoseconds) + Self.endError
    feasible.clip(from, keepsLater: true)
    feasible.clip(to, keepsLater: false)
    if feasible.isEmpty {
      // The observed interval contradicts the polygon: the chip was reset, a count was wrong, or
      // the period changed. Keep only the newest interval, and widen the period's limits with each
      // further contradiction.
      contradictions += 1
      agreements = 0
      var width: Nanoseconds = 2e-5
      for _ in 1..<min(contradictions, 6) { width *= 8 }
      periodLimits = widened(limits, by: width)
      feasible = FeasiblePolygon(times: (from, to), periods: periodLimits)
    } else {
      contradictions = 0
      agreements = min(agreements + 1, Self.settled)
    }
    let centre = feasible.centre
    period = centre.period
    // The estimated time must lie in the observed interval, and times must not decrease.
    var step = min(max(centre.time, from + Self.endError), to - Self.endError)
    step = max(step, Nanoseconds((last - anchor).nanoseconds) + Nanoseconds(count) * nominal * 0.25)
      .rounded()
    let time = anchor + TimeSpan(nanoseconds: Int64(step))
    feasible.moveAnchor(by: step)
    (newest, anchor, expected) = (time, time, 0)
    keepLimits()
    return (time, (time - last) / count)
  }

  /// Returns the estimated time of the newest of `count` more samples if that time agrees with an
  /// interrupt edge between `earliest` and `latest`; `nil` if the polygon must be updated. An
  /// update takes as long as reading a sample, and each edge adds little information to the
  /// previous edge, so an update for one edge in 32 is enough.
  private func expectedTime(after count: Int64, _ earliest: Timestamp, _ latest: Timestamp)
    -> Timestamp?
  {
    guard agreements == Self.settled, count > 0, expected + count < 32,
      latest - earliest <= .microseconds(100)
    else { return nil }
    let time = anchor + TimeSpan(nanoseconds: Int64(Nanoseconds(expected + count) * period))
    return time >= earliest && time <= latest ? time : nil
  }

  /// Returns the period's limits widened in both directions, but not beyond twice the tolerance.
  private func widened(_ limits: (Nanoseconds, Nanoseconds), by part: Nanoseconds) -> (
    Nanoseconds, Nanoseconds
  ) {
    (
      max(limits.0 - nominal * part, nominal * (1 - 2 * tolerance)),
      min(limits.1 + nominal * part, nominal * (1 + 2 * tolerance))
    )
  }

  /// The possible error of the ends of an observed interval in ns. This error is needed even for an
  /// interrupt edge, because of the interrupt latency.
  private static var endError: Nanoseconds { 500 }

  /// The number of intervals after which the period is known well enough to predict samples without
  /// updates.
  private static var settled: Int { 64 }
}
