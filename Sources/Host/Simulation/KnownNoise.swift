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
  /// This noise without a bias, for measuring a known input.
  case known(KnownNoise)
}

/// Noise with a known Allan deviation. Each axis is independent, with the same parameters.
public struct KnownNoise: Equatable, Sendable {
  /// The noise of one channel, in its unit U. Units and symbols are those of IEEE Std 952-1997,
  /// annex C; zero means absent.
  public struct Process: Equatable, Sendable {
    /// White noise as a one-sided density, as in data sheets, U / sqrt(Hz): sqrt(2) N.
    public var density = 0.0
    /// The bias instability B of flicker noise, U.
    public var instability = 0.0
    /// The random walk K of the bias, U / sqrt(s).
    public var randomWalk = 0.0

    public init(density: Double = 0, instability: Double = 0, randomWalk: Double = 0) {
      self.density = density
      self.instability = instability
      self.randomWalk = randomWalk
    }
  }

  /// The noise by channel; other channels have no noise.
  public var processes: [Channel: Process]

  public init(_ processes: [Channel: Process]) { self.processes = processes }
}

extension KnownNoise.Process {
  /// The correlation times of the first-order Gauss-Markov processes whose sum is flicker noise:
  /// 0.25 s, four times that and so on, with equal variance. Its Allan deviation is flicker noise's
  /// 0.664 B within 1 % from 10 s to 1000 s; at 1 s, where white noise hides it, it is 0.92 of
  /// that.
  static let correlationTimes = (0..<9).map { 0.25 * Double(1 << (2 * $0)) }

  /// The standard deviation of each process, chosen so that the sum over all times has the density
  /// of flicker noise.
  var correlatedDeviation: Double { instability * (log(4) / .pi).squareRoot() }

  /// Returns the expected Allan deviation for samples taken every `interval` seconds and averaged
  /// over `averagingTime`, U. For many samples it is that of IEEE Std 952-1997, C.1.1 to C.1.5:
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
        // Still in the random-walk region, where the difference below would lose all digits.
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

/// Generates that noise, sample by sample.
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
  /// For each correlated process, the fraction kept after an interval, and the fraction of new
  /// noise.
  private var kept: [Double]
  private var renewed: [Double]

  init(_ noise: KnownNoise, seed: UInt64) {
    var random = Noise(seed: seed)
    // In channel order, because a dictionary's order changes from run to run.
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

  /// Adds the noise at `time`, which must not go back. White noise is scaled to the interval
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
      // With a one-sided density, all noise up to half of the sample rate.
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
