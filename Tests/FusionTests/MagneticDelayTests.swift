// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// A magnetometer with an unknown delay.
@Suite("Delay of the magnetometer") struct MagneticDelayTests {
  /// Returns rates that oscillate about all axes, with at most 300 degrees/s and at least twice per
  /// second.
  private static func rate(_ t: Double) -> Vector3 {
    Vector3(5.2 * sin(13.7 * t), 4.6 * sin(15.1 * t + 1), 5.0 * cos(12.3 * t))
  }

  /// Returns the delay that a minute of such rotation shows, with the given field of the device
  /// itself.
  private static func shown(_ delay: Double, hardIron: Vector3 = .zero) -> Double {
    engine(delay, hardIron: hardIron).magneticDelay
  }

  private static func engine(
    _ delay: Double, hardIron: Vector3 = .zero, seconds: Int = 60, sigma: Double? = nil,
    knowing memory: FusionMemory = FusionMemory()
  ) -> FusionEngine {
    var params = FusionEngine.Params()
    params.gyroDelay = 0
    params.accelerationDelay = 0
    params.calibratesMagnetometer = false
    if let sigma { params.magneticDelaySigma = sigma }
    var engine = FusionEngine(params)
    engine.assume(memory)
    var random = SplitMix(state: 35)
    var attitude = Quaternion.identity
    var before: [Quaternion] = []
    let late = Int((delay * 1000).rounded())
    for k in 0..<1000 * seconds {
      let t = Double(k) / 1000
      let turn = Self.rate(t - 0.0005)
      attitude = (attitude * Quaternion(rotationVector: turn * 0.001)).normalized
      before.append(attitude)
      guard k % 5 == 0 else { continue }
      let time = Timestamp(seconds: t)
      engine.update(rotationRate: Self.rate(t) + random.vector(0.002), at: time)
      let down = attitude.conjugate.rotate(Vector3(0, 0, -1))
      engine.update(acceleration: down + random.vector(0.01), at: time)
      guard k % 10 == 0, k >= late else { continue }
      let field = before[k - late].conjugate.rotate(Vector3(20, 0, -45)) + hardIron
      engine.update(magneticField: field + random.vector(0.5), at: time)
    }
    return engine
  }

  @Test func `the delay is kept from one run to the next`() throws {
    let first = Self.engine(0.035)
    let kept = try #require(first.memory.magneticDelay)
    #expect(kept.delay == first.magneticDelay && kept.sigma < 0.005)
    let aged = first.memory.aged(by: 3600)
    // 3 ms, because another rate may be used.
    let sigma = try #require(aged.magneticDelay?.sigma)
    #expect(sigma > 0.003 && sigma < 0.006)
    // The stored delay is used before any rotation.
    #expect(Self.engine(0.035, seconds: 0, knowing: aged).magneticDelay == kept.delay)
    #expect(abs(Self.engine(0.035, seconds: 10, knowing: aged).magneticDelay - 0.035) < 0.001)
    // A known delay is neither learned nor replaced by a stored one.
    #expect(Self.engine(0.011, seconds: 10, sigma: 0).memory.magneticDelay == nil)
    #expect(Self.engine(0.011, seconds: 10, sigma: 0, knowing: aged).magneticDelay == 0.011)
  }

  @Test(arguments: [(-0.001, 0.001), (0.06, 0.001), (0.01, -1), (0.01, Double.nan), (.nan, 0.001)])
  func `a delay that no magnetometer has is left out`(delay: Double, sigma: Double) {
    let memory = FusionMemory(
      magneticDelay: FusionMemory.MagneticDelay(delay: delay, sigma: sigma))
    #expect(memory.plausible.isEmpty)
  }

  @Test(arguments: [0.005, 0.020, 0.035])
  func `quick turns show the delay to a millisecond`(delay: Double) {
    let shown = Self.shown(delay)
    #expect(abs(shown - delay) < 0.001, "\(shown)")
  }

  /// The device's own field turns with it, and deviates from its mean as a delayed field does.
  @Test func `a field of the device's own is hardly taken for delay`() {
    var random = SplitMix(state: 7)
    let errors = (0..<10).map { _ in
      let hardIron = (random.vector(1).normalized ?? Vector3(1, 0, 0)) * 60
      return Self.shown(0.011, hardIron: hardIron) - 0.011
    }
    let square = errors.map { $0 * $0 }.reduce(0, +) / Double(errors.count)
    #expect(square.squareRoot() < 0.0021, "\(errors)")
  }
}
