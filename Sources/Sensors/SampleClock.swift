// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Finds out when samples were taken from when they were seen.
///
/// A chip samples by its own oscillator, a few percent off its nominal rate. What the host sees is an interval: sample k
/// was there when it looked and sample k + 1 was not, so sample k was taken between one period before and the look; or an
/// edge, which is an interval of almost no width. All intervals are facts, so what they leave possible is kept, for the
/// newest sample's time and for the period, as a lower and an upper bound; the middle is the estimate. If looks fall on
/// every phase of the chip, the bounds close to a few percent of a period within seconds, however the chip is off.
/// (A Kalman filter did worse: the errors of successive looks are anything but independent.)
/// Batches share their span evenly, so times always run forwards.
public struct SampleClock: Sendable {
  /// When the newest sample known was taken; `nil` before the first.
  public private(set) var newest: Timestamp?
  private let nominal: Double
  private let tolerance: Double
  // Nanoseconds. The period lies between these.
  private var shortest: Double
  private var longest: Double
  // Nanoseconds from `newest`. The newest sample was taken between these.
  private var lowest = 0.0
  private var highest = 0.0
  /// The bounds of an earlier sample, from which the period is measured, as nanoseconds before `newest`; and how many
  /// samples ago it was.
  private var anchorLowest = 0.0
  private var anchorHighest = 0.0
  private var sinceAnchor = 0.0

  /// A clock for `rate` samples per second that the chip keeps within a fraction `tolerance`.
  public init(rate: Double, tolerance: Double = 0.06) {
    nominal = 1e9 / rate
    self.tolerance = tolerance
    shortest = nominal * (1 - tolerance)
    longest = nominal * (1 + tolerance)
  }

  /// The measured time between two samples.
  public var measuredPeriod: TimeSpan {
    TimeSpan(nanoseconds: Int64(((shortest + longest) / 2).rounded()))
  }

  /// The longest that the time between two samples may be, by what is known.
  public var longestPeriod: TimeSpan { TimeSpan(nanoseconds: Int64(longest.rounded(.up))) }

  /// When the next sample will be taken; `nil` before the first.
  public var next: Timestamp? { newest.map { $0 + measuredPeriod } }

  /// How many samples were taken since the newest known one, if another was taken at about `time`; at least 1.
  public func samplesElapsed(at time: Timestamp) -> Int64 {
    guard let newest else { return 1 }
    let period = (shortest + longest) / 2
    let elapsed = (Double((time - newest).nanoseconds) / period).rounded()
    return elapsed < 1 ? 1 : elapsed > 1e15 ? 1_000_000_000_000_000 : Int64(elapsed)
  }

  /// Takes note that `count` samples were taken since the last call, the newest between two moments, and returns the time
  /// of the newest and the even spacing that leads to it.
  public mutating func observe(
    _ count: Int64, after earliest: Timestamp, notAfter latest: Timestamp
  )
    -> (newest: Timestamp, spacing: TimeSpan)
  {
    guard let last = newest else {
      let width = Double(max(0, (latest - earliest).nanoseconds))
      let middle = earliest + TimeSpan(nanoseconds: Int64(width / 2))
      newest = middle
      lowest = -width / 2
      highest = width / 2
      anchorHere()
      return (middle, measuredPeriod)
    }
    let n = Double(count)
    let first = Double((earliest - last).nanoseconds)
    let final = Double(max((latest - last).nanoseconds, (earliest - last).nanoseconds))
    // What was possible, carried forward by every possible period, and what this interval leaves of it.
    var low = max(lowest + n * shortest, first)
    var high = min(highest + n * longest, final)
    sinceAnchor += n
    if low <= high {
      shortest = max(shortest, (low + anchorHighest) / sinceAnchor)
      longest = min(longest, (high + anchorLowest) / sinceAnchor)
    }
    let isContradiction = low > high || shortest > longest
    if isContradiction {
      // The oscillator has changed by more than it may, or the count was wrong: only the present is believed.
      low = first
      high = final
      shortest = nominal * (1 - tolerance)
      longest = nominal * (1 + tolerance)
    }
    // And time never runs backwards.
    let step = max((low + high) / 2, n * nominal * 0.25).rounded()
    lowest = low - step
    highest = high - step
    anchorLowest += step
    anchorHighest += step
    if isContradiction || sinceAnchor >= Self.anchorSamples { anchorHere() }
    let time = last + TimeSpan(nanoseconds: Int64(step))
    newest = time
    return (time, (time - last) / count)
  }

  /// The newest sample is the one from which the period is measured next. Meanwhile the oscillator may warm up: 5 ppm.
  private mutating func anchorHere() {
    // Bounds lie on either side of `newest`; as lengths before it their signs turn.
    anchorLowest = -lowest
    anchorHighest = -highest
    sinceAnchor = 0
    shortest = max(shortest - nominal * 5e-6, nominal * (1 - tolerance))
    longest = min(longest + nominal * 5e-6, nominal * (1 + tolerance))
  }

  private static var anchorSamples: Double { 4000 }
}
