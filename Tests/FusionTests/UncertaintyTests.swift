// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import Testing

/// Samples that are less certain than those of one good sensor.
@Suite struct UncertaintyTests {
  /// Returns an engine after a minute flat on a table at 100 Hz, and the time of its last sample in
  /// steps of 10 ms.
  private func settled() -> (FusionEngine, Int64) {
    var engine = FusionEngine()
    for step in Int64(1)...6000 { feed(&engine, step) }
    return (engine, 6000)
  }

  private func feed(_ engine: inout FusionEngine, _ step: Int64) {
    let time = Timestamp(nanoseconds: step * 10_000_000)
    engine.update(rotationRate: .zero, at: time)
    engine.update(acceleration: Vector3(0, 0, -1), at: time)
  }

  /// For 0.1 s the device may turn by 0.5 rad/s more than was measured: 0.05 rad, which is more than
  /// the accelerometer can take back at once.
  @Test func `the tilt is as uncertain as the turn that is not measured`() {
    var (engine, step) = settled()
    let before = engine.inclinationSigma
    for _ in 0..<10 {
      engine.widen(rotationRate: Vector3(0.25, 0, 0), acceleration: .zero)
      step += 1
      feed(&engine, step)
    }
    var (other, _) = settled()
    for next in Int64(6001)...6010 { feed(&other, next) }
    #expect(other.inclinationSigma < 1.1 * before)
    #expect(engine.inclinationSigma > 1.02 * other.inclinationSigma)
  }

  @Test func `the bias is as uncertain as its change, in the direction of the change alone`() {
    let (engine, _) = settled()
    #expect(engine.gyroBiasSigma < 0.01)
    var other = engine
    other.shift(gyroBias: .zero, doubt: Vector3(0, 0.1, 0))
    #expect(abs(other.gyroBiasSigma - 0.1) < 0.01)
    #expect(other.gyroBiasCovariance.m11 == engine.gyroBiasCovariance.m11)
    #expect(other.gyroBias == engine.gyroBias)
  }

  @Test func `an offset that changes by a known amount turns nothing`() {
    var (engine, step) = settled()
    let (before, offset) = (engine.attitude6, Vector3(0.05, -0.02, 0.03))
    engine.shift(gyroBias: offset)
    for _ in 0..<500 {
      step += 1
      let time = Timestamp(nanoseconds: step * 10_000_000)
      engine.update(rotationRate: offset, at: time)
      engine.update(acceleration: Vector3(0, 0, -1), at: time)
    }
    let turned = engine.attitude6 * before.conjugate
    #expect(Vector3(turned.x, turned.y, turned.z).norm < 1e-3)
  }

  @Test func `a variance that is no number changes nothing`() {
    let (engine, _) = settled()
    var other = engine
    other.widen(rotationRate: Vector3(.nan, 0, 0), acceleration: Vector3(.infinity, 0, 0))
    other.shift(gyroBias: Vector3(.nan, 0, 0))
    other.shift(gyroBias: .zero, doubt: Vector3(.infinity, 0, 0))
    other.widen(rotationRate: .zero, acceleration: .zero)
    #expect(Outputs(other) == Outputs(engine))
  }
}
