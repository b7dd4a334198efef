// SPDX-License-Identifier: Apache-2.0
import SeededRandom
import BringUp
import Testing

/// Returns nearly normal numbers with mean 0 and deviation 1.
func whiteNoise(_ count: Int, seed: UInt64) -> [Double] {
  var random = SplitMix(state: seed)
  return (0..<count).map { _ in
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }
}

@Suite struct AllanDeviationTests {
  /// The test suite of NIST SP 1065, 12.4: a prime modulus generator, divided by its modulus.
  static let testSuite: [Double] = {
    var number = 1_234_567_890
    return (0..<1000).map { _ in
      defer { number = number * 16807 % 2_147_483_647 }
      return Double(number) / 2_147_483_647
    }
  }()

  /// SP 1065, table 31, overlapping Allan deviation.
  @Test(arguments: [(1, 2.922319e-01), (10, 9.159953e-02), (100, 3.241343e-02)])
  func `the thousand points of NIST have its deviations`(factor: Int, deviation: Double) throws {
    let allan = AllanDeviation(of: Self.testSuite, interval: 1)
    let point = try #require(allan.points.first { $0.factor == factor })
    // The table has seven digits.
    #expect(abs(point.deviation / deviation - 1) < 2e-7)
    #expect(point.averagingTime == Double(factor))
  }

  /// The values of SP 1065, table 30, for nine numbers.
  @Test(arguments: [(1, 91.22945), (2, 85.95287)])
  func `the nine points of NBS have its deviations`(factor: Int, deviation: Double) throws {
    let allan = AllanDeviation(
      of: [892, 809, 823, 798, 671, 644, 883, 903, 677], interval: 0.5)
    let point = try #require(allan.points.first { $0.factor == factor })
    #expect(abs(point.deviation - deviation) < 5e-6)
    #expect(point.averagingTime == Double(factor) / 2)
  }

  /// White noise of deviation 1, sampled every 10 ms: density sqrt(0.02), random walk 0.1.
  @Test func `white noise falls with the root of the averaging time`() throws {
    let allan = AllanDeviation(of: whiteNoise(20_000, seed: 7), interval: 0.01)
    for point in allan.points where point.degreesOfFreedom > 100 {
      let truth = 0.1 / point.averagingTime.squareRoot()
      #expect(abs(point.deviation / truth - 1) < 4 * point.relativeError)
    }
    let coefficients = NoiseCoefficients(allan)
    let walk = try #require(coefficients.randomWalk)
    #expect(abs(walk.value - 0.1) < 0.001)
    #expect(try #require(coefficients.instability).isBound)
    #expect(coefficients.rateRandomWalk == nil)
  }

  @Test func `the truth lies within the interval in two records of three`() {
    var inside = 0
    var all = 0
    for seed in 0..<60 as Range<UInt64> {
      let allan = AllanDeviation(of: whiteNoise(600, seed: seed), interval: 1, pointsPerDecade: 3)
      for point in allan.points where point.factor <= 60 {
        all += 1
        let truth = 1 / Double(point.factor).squareRoot()
        if point.lower < truth && truth < point.upper { inside += 1 }
      }
    }
    #expect(all == 360)
    #expect((0.6...0.76).contains(Double(inside) / Double(all)), "\(inside)")
  }

  /// A random walk whose steps have deviation k each second: K = k, sigma(tau) = K sqrt(tau / 3).
  @Test func `a random walk rises with the root of the averaging time`() throws {
    var sum = 0.0
    let walk = whiteNoise(20_000, seed: 3).map { step in
      sum += 0.2 * step
      return sum
    }
    let coefficients = NoiseCoefficients(AllanDeviation(of: walk, interval: 1))
    let rate = try #require(coefficients.rateRandomWalk)
    #expect(abs(rate.value / 0.2 - 1) < 0.1, "\(rate)")
    #expect(coefficients.randomWalk == nil)
  }

  /// For a line of slope a, adjacent means over tau differ by a tau, so sigma = a tau / sqrt(2).
  @Test func `drift alone is its slope over the root of two`() throws {
    let allan = AllanDeviation(of: (0..<300).map { 5 + 0.25 * Double($0) }, interval: 1)
    for point in allan.points {
      #expect(abs(point.deviation - 0.25 * point.averagingTime / 2.0.squareRoot()) < 1e-9)
      #expect(abs(point.slope - 1) < 1e-9)
    }
  }

  @Test func `a curve that is no longer is empty, and silence has no noise`() {
    #expect(AllanDeviation(of: [1, 2, 3, 4, 5, 6, 7], interval: 1).points.isEmpty)
    let silent = NoiseAnalysis(of: [Double](repeating: 0.5, count: 100), interval: 0.01)
    #expect(silent.allan.points.allSatisfy { $0.deviation == 0 })
    #expect(silent.coefficients.randomWalk == nil && silent.coefficients.instability == nil)
    #expect(silent.peaks.isEmpty && silent.isBelowStep)
  }

  /// Tables of the chi-squared distribution: with 10 degrees of freedom 5 percent are below 3.940
  /// and 5 percent above 18.307; with 100, below 77.93 and above 124.34.
  @Test(arguments: [
    (10, -1.64485, 3.940), (10, 1.64485, 18.307), (100, -1.64485, 77.93), (100, 1.64485, 124.34),
  ])
  func `quantiles are those of the tables`(freedom: Double, deviations: Double, value: Double) {
    let found = ChiSquared.quantile(deviations, degreesOfFreedom: freedom) * freedom
    #expect(abs(found / value - 1) < 0.005)
  }
}
