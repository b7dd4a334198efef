// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Testing

/// A hand that gets into a vehicle and out of it.
@Suite("Ride") struct RideTests {
  /// Accelerates the device north by `push` m/s^2 for some seconds, on a road that shakes it by 2
  /// degrees/s and 0.05 g.
  private static func drive(_ bench: inout Bench, _ push: Double, _ seconds: Double) {
    let step = TimeSpan(nanoseconds: 10_000_000)
    for k in 0..<Int(seconds * 100) {
      bench.time = bench.time + step
      let jolt = sin(Double(k) * 0.19)
      let force = bench.attitude.conjugate.rotate(Vector3(push / 9.80665, 0, 1 + 0.05 * jolt))
      let rock = Vector3(rad(2) * jolt, rad(-1) * cos(Double(k) * 0.13), 0)
      bench.engine.update(rotationRate: bench.bias + rock, at: bench.time)
      bench.engine.update(acceleration: force * -1, at: bench.time)
      if let field = bench.field {
        bench.engine.update(
          magneticField: bench.attitude.conjugate.rotate(field), at: bench.time)
      }
    }
  }

  /// Returns the standard deviation of the speed north in m/s.
  private static func speedSigma(_ bench: Bench) -> Double {
    bench.engine.velocityCovariance.m11.squareRoot()
  }

  /// Returns the bench after 20 s in a hand, 20 s on a seat, and a smooth acceleration up to 16
  /// m/s.
  private static func boarded(_ push: Double) -> Bench {
    var bench = Bench()
    bench.bias = Vector3(rad(0.5), rad(-0.3), rad(0.2))
    bench.run(10, rate: Vector3(rad(30), 0, 0))
    bench.run(10, rate: Vector3(rad(-30), 0, rad(10)))
    bench.run(20)
    drive(&bench, push, 16 / push)
    return bench
  }

  @Test(arguments: [2.0, 3])
  func `a push that did not turn the device is a vehicle's`(push: Double) {
    // The pushes correspond to 12 and 17 degrees of gravity.
    var bench = Self.boarded(push)
    #expect(bench.inclinationError < rad(1.5))
    Self.drive(&bench, 0, 20)
    #expect(bench.inclinationError < rad(2))
    Self.drive(&bench, -2, 8)
    #expect(bench.inclinationError < rad(2))
    bench.run(5)
    #expect(bench.inclinationError < rad(0.5))
  }

  @Test func `a device that is taken up is in a hand again`() {
    var bench = Self.boarded(2)
    Self.drive(&bench, 0, 30)
    #expect(Self.speedSigma(bench) > 1)
    bench.run(1.5, rate: Vector3(rad(40), 0, 0))
    // In a hand the speed is at most half of 2 m/s, and is observed from then on.
    bench.run(8, rate: Vector3(0, rad(20), 0))
    #expect(Self.speedSigma(bench) < 1)
    bench.run(8, rate: Vector3(0, rad(-20), 0))
    #expect(Self.speedSigma(bench) < 0.8)
  }

  @Test func `a gyroscope that is off by degrees a second is no ride`() {
    var bench = Bench()
    bench.run(5)
    // The bias changes suddenly, as by a heater or a knock.
    for rate in [1.0, 3, 10] {
      bench.bias.y += rad(rate)
      bench.run(60, rate: Vector3(0, 0, rad(5)))
      #expect(bench.inclinationError < rad(2), "after \(rate) degrees/s")
    }
  }
}
