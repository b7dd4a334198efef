// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Testing

@Suite("Gyroscope bias")
struct BiasTests {
  @Test(arguments: [
    Vector3(0.3, -0.2, 0.5), Vector3(5.7, -1, 1.2), Vector3(-15, 0, 0),
  ])
  func `a constant bias is learned at rest`(_ degrees: Vector3) {
    let bias = degrees * degree
    var device = IdealDevice()
    var engine = FusionEngine()
    _ = device.turn(.zero, for: 15, from: 0, hz: 50, bias: bias, into: &engine)
    #expect(engine.isAtRest)
    #expect((engine.gyroBias - bias).norm < 0.02 * degree)
    #expect(engine.gyroBiasSigma < 0.1 * degree)
    #expect(angle(FusionEngine.gravity(engine.attitude6), Vector3(0, 0, -1)) < 0.5)
  }

  @Test func `a bias is learned while turning, without any rest`() {
    let bias = Vector3(0.8, -0.5, 0.3) * degree
    var device = IdealDevice()
    var engine = FusionEngine(ideal)
    var time = 0.0
    for k in 0..<60 {
      let axis = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)][k % 3]
      time = device.turn(axis * 1.5, for: 2, from: time, hz: 50, bias: bias, into: &engine)
    }
    #expect(!engine.isAtRest)
    #expect((engine.gyroBias - bias).norm < 0.15 * degree)
  }

  @Test func `once the bias is known, a slow steady turn is not taken for rest`() {
    var device = IdealDevice()
    var engine = FusionEngine()
    var time = device.turn(.zero, for: 10, from: 0, hz: 50, into: &engine)
    time = device.turn(
      Vector3(0, 0, 3 * degree), for: 30, from: time, hz: 50, magnetometer: false, into: &engine)
    #expect(!engine.isAtRest)
    #expect(angle(engine.attitude6, device.attitude) < 3)
  }

  /// A person who stands turns to and fro by about a degree/s within some seconds.
  @Test(arguments: [4.0, 6])
  func `slow sway of a device held still does not pass for a known bias`(period: Double) {
    var device = IdealDevice()
    var engine = FusionEngine()
    var time = 0.0
    for k in 0..<500 {
      let rate = sin(2 * .pi * (time + 0.01) / period) * degree
      time = device.turn(
        Vector3(0, 0, rate), for: 0.02, from: Double(k) * 0.02, magnetometer: false, into: &engine)
    }
    #expect(engine.gyroBias.norm < 3 * engine.gyroBiasSigma)
  }

  /// 10 K in a minute, at the 0.05 degrees/s per kelvin of an LSM6DS3 (DocID026899, table 3).
  @Test func `a bias that was known at the start warms up, too`() {
    var params = ideal
    params.biasSigmaAtStart = 0
    var bench = Bench(engine: FusionEngine(params))
    bench.run(20)
    for _ in 0..<60 {
      bench.bias = bench.bias + Vector3(0.5, -0.5, 0.5) * (degree / 60)
      bench.run(1)
    }
    bench.run(10)
    #expect((bench.engine.gyroBias - bench.bias).norm < 0.1 * degree)
  }

  @Test func `a bias known from before is used at once`() {
    let bias = Vector3(1, 2, -3) * degree
    var engine = FusionEngine()
    engine.assume(gyroBias: bias, sigma: 0.05 * degree)
    #expect(engine.gyroBias == bias)
    #expect(abs(engine.gyroBiasSigma - 0.05 * degree) < 1e-12)
    engine.assume(gyroBias: Vector3(.nan, 0, 0), sigma: 1)
    #expect(engine.gyroBias == bias)
  }

  @Test func `a clipping accelerometer hardly moves the bias`() {
    var engine = FusionEngine()
    var worst = 0.0
    for k in 0..<6000 {
      let t = Double(k) / 100
      let time = Timestamp(seconds: t)
      // Up to 3 g in turns of four seconds, clipped at 2 g on one side, so that the mean is not
      // zero and changes.
      let runs = t > 2 && Int(t / 4) % 2 == 0
      let side = runs ? min(3 * sin(t * 17), 2) : 0.1 * sin(t * 40)
      engine.update(rotationRate: .zero, at: time)
      engine.update(acceleration: Vector3(side, 0, -1), at: time)
      worst = max(worst, engine.gyroBias.norm / degree)
    }
    #expect(worst < 1.1)
  }
}
