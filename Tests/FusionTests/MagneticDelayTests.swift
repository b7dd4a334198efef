// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// A magnetometer that is late, and by how much is not known.
@Suite("Delay of the magnetometer") struct MagneticDelayTests {
  /// Swings forth and back about all axes, 300 degrees/s at most, twice a second and more.
  private static func rate(_ t: Double) -> Vector3 {
    Vector3(5.2 * sin(13.7 * t), 4.6 * sin(15.1 * t + 1), 5.0 * cos(12.3 * t))
  }

  /// Returns the delay that a minute of such turns shows, with this field of the device's own.
  private static func shown(_ delay: Double, hardIron: Vector3 = .zero) -> Double {
    var params = FusionEngine.Params()
    params.gyroDelay = 0
    params.accelerationDelay = 0
    params.calibratesMagnetometer = false
    var engine = FusionEngine(params)
    var random = SplitMix(state: 35)
    var attitude = Quaternion.identity
    var before: [Quaternion] = []
    let late = Int((delay * 1000).rounded())
    for k in 0..<60_000 {
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
    return engine.magneticDelay
  }

  @Test(arguments: [0.005, 0.020, 0.035])
  func `quick turns show the delay to a millisecond`(delay: Double) {
    let shown = Self.shown(delay)
    #expect(abs(shown - delay) < 0.001, "\(shown)")
  }

  /// Such a field turns with the device, and strays from its mean as a late one would.
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
