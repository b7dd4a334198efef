// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// Streams at the rates of common parts, none synchronous with another, compared with one where all
/// three report at the gyroscope's rate at the same times.
@Suite("Rates and phases")
struct RateTests {
  /// The motion has no bias, because learning one would hide the effect of the rates.
  static let motion = SimulatedMotion(turning: 0.6, shaking: 0.05)

  /// Returns the root mean square errors in degrees of the nine-axis attitude and of gravity, at
  /// each gyroscope sample from 20 s to 40 s. `jitter` is in intervals: samples are taken, and
  /// stamped, up to that much late.
  static func errors(gyroscope: Double, accelerometer: Double, magnetometer: Double, jitter: Double)
    -> (attitude: Double, inclination: Double)
  {
    var noise = SplitMix(state: UInt64(gyroscope * 1e6 + accelerometer * 1e3 + magnetometer))
    var engine = FusionEngine(idealParams(hz: gyroscope).calibrated)
    let hertz = [gyroscope, accelerometer, magnetometer]
    let isUniform = gyroscope == accelerometer && gyroscope == magnetometer && jitter == 0
    // The phases are in intervals, so that streams with equal rates do not coincide.
    let phases = isUniform ? [0, 0, 0] : [0, 0.37, 0.71]
    var counts = [0.0, 0, 0]
    var due = [0.0, 0, 0]
    func next(_ stream: Int) -> Double {
      let late = jitter > 0 ? noise.number(0...jitter) : 0
      return (counts[stream] + phases[stream] + late) / hertz[stream]
    }
    for stream in 0..<3 { due[stream] = next(stream) }
    var last = 0.0
    var (attitude, inclination, count) = (0.0, 0.0, 0.0)
    while true {
      let stream = due[0] <= due[1] && due[0] <= due[2] ? 0 : due[1] <= due[2] ? 1 : 2
      let t = due[stream]
      guard t < 40 else { break }
      counts[stream] += 1
      let time = Timestamp(seconds: t)
      switch stream {
      case 0:
        engine.update(
          rotationRate: motion.gyroscope(from: last == 0 ? t - 1 / gyroscope : last, to: t),
          at: time)
        last = t
        guard t >= 20 else { break }
        let truth = motion.attitude(at: t)
        attitude += pow(angle(engine.attitude9, truth), 2)
        let down = truth.conjugate.rotate(Vector3(0, 0, -1))
        inclination += pow(angle(FusionEngine.gravity(engine.attitude6), down), 2)
        count += 1
      case 1: engine.update(acceleration: motion.accelerometer(at: t), at: time)
      default: engine.update(magneticField: motion.magnetometer(at: t), at: time)
      }
      due[stream] = next(stream)
    }
    return ((attitude / count).squareRoot(), (inclination / count).squareRoot())
  }

  /// At most 0.2 degrees more than with simultaneous samples, whatever the rates: in 1 ms between a
  /// field and the preceding gyroscope sample the device turns by that much. The filter over 3 s
  /// averages dozens of accelerations even at 12.5 Hz. The inclination needs no field.
  @Test(arguments: [1000.0, 416, 100, 25], [0, 0.3])
  func `unequal rates and jitter cost less than a fifth of a degree`(
    gyroscope: Double, jitter: Double
  ) {
    let uniform = Self.errors(
      gyroscope: gyroscope, accelerometer: gyroscope, magnetometer: gyroscope, jitter: 0)
    // At 25 Hz coning is corrected only to the first term.
    #expect(uniform.attitude < (gyroscope < 50 ? 0.4 : 0.2), "\(uniform)")
    for accelerometer in [100, 52, 12.5] {
      for magnetometer in [10.0, 80] {
        let errors = Self.errors(
          gyroscope: gyroscope, accelerometer: accelerometer, magnetometer: magnetometer,
          jitter: jitter)
        let streams = "\(accelerometer) \(magnetometer) \(errors)"
        #expect(errors.attitude < uniform.attitude + 0.2, "\(streams)")
        #expect(errors.inclination < uniform.inclination + 0.05, "\(streams)")
      }
    }
  }
}
