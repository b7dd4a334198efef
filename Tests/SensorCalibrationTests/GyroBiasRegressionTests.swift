// SPDX-License-Identifier: Apache-2.0
import Quantities
import SeededRandom
import Fusion
import Testing

@Suite struct GyroBiasRegressionTests {
  static func segment(_ mean: Vector3, at temperature: Double?) -> StillSegment {
    StillSegment(mean: mean, spread: 0.001, count: 100, temperature: temperature)
  }

  /// F. J. Anscombe, Graphs in Statistical Analysis, The American Statistician 27 (1973) 17: his
  /// first set, with the results that he gives for it: intercept 3, slope 0.5 with a standard error
  /// of 0.118, residual sum of squares 13.75 with 9 degrees of freedom. The set stands in for one
  /// axis; the others are flat.
  @Test func `the regression is the published one`() throws {
    let x: [Double] = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    var params = GyroBiasRegression.Params()
    params.largestBias = 100
    params.leastSignificance = 4
    var regression = GyroBiasRegression(params)
    for (x, y) in zip(x, y) { regression.add(Self.segment(Vector3(0, y, 1), at: x)) }
    let fit = try #require(regression.fit)
    #expect(abs((fit.referenceTemperature ?? 0) - 9) < 1e-12)
    #expect(fit.temperatureSpan == 10 && fit.stretches == 11)
    #expect(abs(fit.slope.y - 0.5) < 0.0002)
    #expect(abs(fit.bias.y - fit.slope.y * 9 - 3) < 0.002)
    #expect(abs(fit.slopeSigma.y - 0.118) < 0.0005)
    #expect(abs(fit.residual.y * fit.residual.y * 9 - 13.75) < 0.05)
    #expect(fit.slope.x == 0 && fit.slope.z == 0 && abs(fit.bias.z - 1) < 1e-12)
    // The slope is 4.24 times its standard error, which is not accepted with the default limit of
    // 5.
    params.leastSignificance = 5
    regression = GyroBiasRegression(params)
    for (x, y) in zip(x, y) { regression.add(Self.segment(Vector3(0, y, 1), at: x)) }
    #expect(regression.fit?.slope == .zero)
  }

  /// The bias changes by 0.03 degrees/s per kelvin over 8 K of warming up, with noise of 0.005
  /// degrees/s.
  @Test(arguments: 0..<20) func `a slope is found while the chip warms up`(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var regression = GyroBiasRegression()
    let bias = Vector3(1.5, -2, 0.5) * degree
    let slope = Vector3(0.03, -0.03, 0) * degree
    for second in 0..<120 {
      let temperature = 22 + 8 * Double(second) / 120 + random.normal(0.05)
      regression.add(
        Self.segment(
          bias + slope * (temperature - 26) + random.vector(0.005 * degree), at: temperature))
    }
    let fit = try #require(regression.fit)
    let reference = try #require(fit.referenceTemperature)
    #expect(abs(reference - 26) < 0.1)
    #expect((fit.slope - slope).norm < 0.001 * degree)
    #expect((fit.bias + fit.slope * (26 - reference) - bias).norm < 0.003 * degree)
    #expect(fit.slope.z == 0)
  }

  /// Noise alone over 5 K makes no slope in any of 500 sessions.
  @Test func `noise makes no slope`() throws {
    var random = SplitMix(state: 9)
    var madeUp = 0
    for _ in 0..<500 {
      var regression = GyroBiasRegression()
      for second in 0..<60 {
        regression.add(
          Self.segment(random.vector(0.01 * degree), at: 20 + Double(second) / 12))
      }
      if regression.fit?.slope != .zero { madeUp += 1 }
    }
    #expect(madeUp == 0)
  }

  /// A span of 2 K is too narrow, however straight the line is; nine stretches are too few.
  @Test(arguments: [(2.0, 60), (20.0, 9)])
  func `too narrow a span or too few stretches have no slope`(_ span: Double, _ count: Int) throws {
    var regression = GyroBiasRegression()
    for index in 0..<count {
      let temperature = 20 + span * Double(index) / Double(count - 1)
      regression.add(Self.segment(Vector3(0.001 * temperature, 0, 0), at: temperature))
    }
    let fit = try #require(regression.fit)
    #expect(fit.slope == .zero && abs(fit.bias.x - 0.001 * (20 + span / 2)) < 1e-12)
  }

  @Test func `without temperature the bias is the mean`() throws {
    var regression = GyroBiasRegression()
    #expect(regression.fit == nil)
    for value in [0.01, 0.02, 0.03] {
      regression.add(Self.segment(Vector3(value, 0, 0), at: nil))
    }
    let fit = try #require(regression.fit)
    #expect(abs(fit.bias.x - 0.02) < 1e-15 && fit.referenceTemperature == nil)
    #expect(abs(fit.residual.x - 0.01) < 1e-15)
  }

  @Test func `stretches that turn or have no number are refused`() {
    var regression = GyroBiasRegression()
    for segment in [
      Self.segment(Vector3(21 * degree, 0, 0), at: 20), Self.segment(Vector3(.nan, 0, 0), at: 20),
      Self.segment(.zero, at: .infinity),
    ] {
      let isTaken = regression.add(segment)
      #expect(!isTaken)
    }
    #expect(regression.count == 0)
  }
}
