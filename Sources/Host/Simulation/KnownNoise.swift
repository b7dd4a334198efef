// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities
internal import Sensors

/// The noise that chips add to their measurements.
public enum SimulatedNoise: Equatable, Sendable {
  /// No noise.
  case off
  /// The noise in each chip's data sheet, and a gyroscope bias.
  case typical
  /// The given noise without a bias, for measurements with a known input.
  case known(KnownNoise)
}

/// Noise whose Allan deviation is known. The axes are independent and have the same parameters.
public struct KnownNoise: Equatable, Sendable {
  /// The noise of one channel in the channel's unit U. Names and symbols are from IEEE Std
  /// 952-1997, annex C. Zero means that this kind of noise is absent.
  public struct Process: Equatable, Sendable {
    /// The one-sided density of the white noise as in data sheets, sqrt(2) N, in U / sqrt(Hz).
    public var density = 0.0
    /// The bias instability B of the flicker noise, in U.
    public var instability = 0.0
    /// The random walk K of the bias, in U / sqrt(s).
    public var randomWalk = 0.0

    public init(density: Double = 0, instability: Double = 0, randomWalk: Double = 0) {
      self.density = density
      self.instability = instability
      self.randomWalk = randomWalk
    }
  }

  /// The noise of each channel. Channels without an entry have no noise.
  public var processes: [Channel: Process]

  public init(_ processes: [Channel: Process]) { self.processes = processes }
}

extension KnownNoise.Process {
  /// The correlation times, in seconds, of the first-order Gauss-Markov processes whose sum is the
  /// flicker noise. The times are 0.25 s and multiples of that by powers of four, with equal
  /// variance. The Allan deviation of the sum is within 1 percent of 0.664 B, the value of flicker
  /// noise, from 10 s to 1000 s. At 1 s, where white noise hides the flicker noise, the deviation
  /// of the sum is 0.92 times that value.
  static let correlationTimes = (0..<9).map { 0.25 * Double(1 << (2 * $0)) }

  /// The standard deviation of each of the Gauss-Markov processes. The sum over all correlation
  /// times then has the density of flicker noise.
  var correlatedDeviation: Double { instability * (log(4) / .pi).squareRoot() }

  /// Returns the expected Allan deviation, in U, of samples taken every `interval` seconds and
  /// averaged over `averagingTime` seconds. For averages of many samples it is the deviation
  /// according to IEEE Std 952-1997, C.1.1 to C.1.5:
  ///
  ///      sigma^2(tau) = N^2 / tau + K^2 tau / 3
  ///        + sum over T of 2 s^2 T / tau (1 - T / (2 tau) (3 - 4 exp(-tau / T) + exp(-2 tau / T)))
  ///
  /// with N = density / sqrt(2) and s^2 = B^2 ln 4 / pi; for samples, with m = tau / interval and r
  /// = exp(-interval / T), the last two terms are K^2 interval (2 m^2 + 1) / (6 m) and s^2 / m^2 (m
  /// (1 + r) / (1 - r) - r (1 - r^m) (3 - r^m) / (1 - r)^2). The converter's step q adds q^2 / 12
  /// to the variance of each sample.
  public func allanDeviation(at averagingTime: Double, sampledEvery interval: Double) -> Double {
    let count = max((averagingTime / interval).rounded(), 1)
    let walk = interval * (2 * count * count + 1) / (6 * count)
    var variance = density * density / 2 / averagingTime + randomWalk * randomWalk * walk
    let correlated = correlatedDeviation * correlatedDeviation
    for time in Self.correlationTimes {
      guard averagingTime > 0.01 * time else {
        // At averaging times far below the correlation time the process is a random walk, and the
        // difference below would lose all digits.
        variance += 2 * correlated / time * walk
        continue
      }
      let kept = exp(-interval / time)
      let left = exp(-averagingTime / time)
      let renewed = 1 - kept
      variance +=
        correlated / (count * count)
        * (count * (1 + kept) / renewed - kept * (1 - left) * (3 - left) / (renewed * renewed))
    }
    return variance.squareRoot()
  }
}

/// A generator of noise whose Allan deviation is known, sample by sample.
struct KnownNoiseSource {
  private struct Axis {
    var correlated: [Double]
    var walk = 0.0
    var white = 0.0

    var sum: Double { correlated.reduce(white + walk, +) }
  }

  private struct Source {
    let channel: Channel
    let process: KnownNoise.Process
    var axes: [Axis]
  }

  private var sources: [Source]
  private var random: Noise
  private var newest: Timestamp?
  private var interval = 0.0
  /// For each correlated process: the fraction of the old value that remains after an interval, and
  /// the factor for the new noise.
  private var kept: [Double]
  private var renewed: [Double]

  init(_ noise: KnownNoise, seed: UInt64) {
    var random = Noise(seed: seed)
    // The generators are in the order of the channels, because the order of a dictionary differs
    // from run to run.
    sources = Channel.allCases.compactMap { channel in
      guard let process = noise.processes[channel] else { return nil }
      let axes = (0..<channel.width).map { _ in
        Axis(
          correlated: KnownNoise.Process.correlationTimes.map { _ in
            random.normal() * process.correlatedDeviation
          })
      }
      return Source(channel: channel, process: process, axes: axes)
    }
    self.random = random
    kept = KnownNoise.Process.correlationTimes.map { _ in 0 }
    renewed = kept
  }

  /// Adds the noise at `time`, which must not decrease. White noise is scaled to the interval
  /// between samples.
  mutating func add(to reading: inout ChipReading, at time: Timestamp) {
    let elapsed = newest.map { (time - $0).seconds } ?? 0.01
    if elapsed > 0 || newest == nil { step(elapsed) }
    newest = time
    for source in sources {
      let values = source.axes.map(\.sum)
      reading[source.channel] +=
        source.channel.isVector
        ? Vector3(values[0], values[1], values[2]) : Vector3(values[0], 0, 0)
    }
  }

  private mutating func step(_ elapsed: Double) {
    if elapsed != interval {
      interval = elapsed
      for (index, time) in KnownNoise.Process.correlationTimes.enumerated() {
        kept[index] = exp(-elapsed / time)
        renewed[index] = (1 - kept[index] * kept[index]).squareRoot()
      }
    }
    for source in sources.indices {
      let process = sources[source].process
      // A one-sided density up to half of the sample rate gives this standard deviation.
      let white = process.density / (2 * elapsed).squareRoot()
      let walk = process.randomWalk * elapsed.squareRoot()
      let correlated = process.correlatedDeviation
      for axis in sources[source].axes.indices {
        if white > 0 { sources[source].axes[axis].white = random.normal() * white }
        if walk > 0 { sources[source].axes[axis].walk += random.normal() * walk }
        guard correlated > 0 else { continue }
        for index in kept.indices {
          sources[source].axes[axis].correlated[index] =
            sources[source].axes[axis].correlated[index] * kept[index]
            + random.normal() * correlated * renewed[index]
        }
      }
    }
  }
}
