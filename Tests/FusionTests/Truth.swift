// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom

let degree = Double.pi / 180

/// An ideal device: the readings of perfect sensors at a known attitude. The field is 50 microtesla
/// with a dip of 60 degrees, north-west-up.
struct IdealDevice {
  var attitude = Quaternion.identity
  var field = Vector3(25, 0, -43.30127018922193)
  /// The device's own field in microtesla, in device axes.
  var hardIron = Vector3.zero

  /// The acceleration with Core Motion's sign, which is gravity.
  var acceleration: Vector3 { attitude.conjugate.rotate(Vector3(0, 0, -1)) }
  var magneticField: Vector3 { attitude.conjugate.rotate(field) + hardIron }

  /// Turns at a constant `rate` (rad/s, device axes) for `seconds`, with samples for the engine at
  /// `hz`.
  mutating func turn(
    _ rate: Vector3, for seconds: Double, from start: Double, hz: Double = 100,
    bias: Vector3 = .zero, magnetometer: Bool = true, into engine: inout FusionEngine
  ) -> Double {
    let count = Int((seconds * hz).rounded())
    let origin = attitude
    for k in 1...count {
      let passed = Double(k) / hz
      attitude = (origin * Quaternion(rotationVector: rate * passed)).normalized
      feed(rate + bias, at: start + passed, magnetometer: magnetometer, into: &engine)
    }
    return start + seconds
  }

  func feed(
    _ rate: Vector3, at seconds: Double, magnetometer: Bool = true, into engine: inout FusionEngine
  ) {
    let time = Timestamp(seconds: seconds)
    engine.update(rotationRate: rate, at: time)
    engine.update(acceleration: acceleration, at: time)
    if magnetometer { engine.update(magneticField: magneticField, at: time) }
  }
}

/// Returns the angle between two attitudes in degrees.
func angle(_ a: Quaternion, _ b: Quaternion) -> Double {
  let d = a.conjugate * b
  return 2 * atan2((d.x * d.x + d.y * d.y + d.z * d.z).squareRoot(), abs(d.w)) / degree
}

/// Returns the angle between two directions in degrees.
func angle(_ a: Vector3, _ b: Vector3) -> Double {
  atan2(a.cross(b).norm, a.dot(b)) / degree
}

/// Returns parameters for ideal sensors without delay and with orthogonal axes. A gyroscope's
/// sample is the mean over the preceding interval, so it is half an interval old.
func idealParams(hz: Double) -> FusionEngine.Params {
  var params = FusionEngine.Params()
  params.gyroDelay = 0.5 / hz
  params.accelerationDelay = 0
  params.magneticDelay = 0
  params.magneticDelaySigma = 0
  params.expectCalibratedAccelerometer()
  params.accelerationCrossAxisSigma = 0
  return params
}

extension FusionEngine.Params {
  /// The same parameters with a known gyroscope scale. Errors due to rates and phases grow with
  /// rotation like a scale error, and would be estimated as one.
  var calibrated: FusionEngine.Params {
    var params = self
    params.gyroScaleSigma = 0
    params.gyroMisalignmentSigma = 0
    return params
  }
}

/// The 24 right-angled mountings of a board in its device.
let mountings: [Quaternion] = {
  var found: [Quaternion] = []
  let quarter = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].map {
    Quaternion(angle: .pi / 2, axis: $0)
  }
  var open = [Quaternion.identity]
  while let next = open.popLast() {
    guard !found.contains(where: { angle($0, next) < 1 }) else { continue }
    found.append(next)
    open += quarter.map { (next * $0).normalized }
  }
  return found
}()

/// A reproducible sequence of numbers (SplitMix64).
struct Noise {
  var seed: UInt64
  mutating func next() -> Double {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var z = seed
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) / 9_007_199_254_740_992 * 2 - 1
  }
  mutating func vector(_ size: Double) -> Vector3 {
    Vector3(next() * size, next() * size, next() * size)
  }
}

extension FusionEngine {
  /// True if every output is finite and every attitude a unit quaternion.
  var isSound: Bool {
    [attitude6, attitude9, attitudeCorrected].allSatisfy {
      $0.isFinite && abs($0.norm - 1) < 1e-9
    } && gyroBias.isFinite && gyroBiasSigma.isFinite && gyroBiasSigma > 0 && hardIron.isFinite
  }
}

/// The ideal parameters at 100 Hz.
var ideal: FusionEngine.Params { idealParams(hz: 100) }
