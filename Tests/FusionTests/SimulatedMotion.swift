// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities

/// A hand that turns and shakes a device, exactly known at every time: yaw, pitch, roll and
/// position are sums of two sines. North-west-up; seconds.
struct SimulatedMotion {
  /// The amount of rotation; 1 is at most 75 degrees about each axis and up to 250 degrees/s.
  var turning = 1.0
  /// The shaking along each axis, at most this many g.
  var shaking = 0.0
  /// 50 microtesla, 60 degrees down.
  var field = Vector3(25, 0, -43.30127018922193)
  /// The bias added to the rotation rate in rad/s.
  var bias = Vector3.zero

  /// Returns the rotation from device to reference.
  func attitude(at t: Double) -> Quaternion {
    let (yaw, pitch, roll) = (angle(yawWave, t), angle(pitchWave, t), angle(rollWave, t))
    return Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
      * Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
      * Quaternion(angle: roll, axis: Vector3(0, 1, 0))
  }

  /// Returns the rotation rate in device axes, from `Rz(yaw) Rx(pitch) Ry(roll)`: each angle's axis
  /// is rotated by the angles inside of it.
  func rate(at t: Double) -> Vector3 {
    let unroll = Quaternion(angle: -angle(rollWave, t), axis: Vector3(0, 1, 0))
    let unpitch = Quaternion(angle: -angle(pitchWave, t), axis: Vector3(1, 0, 0))
    return (unroll * unpitch).rotate(Vector3(0, 0, speed(yawWave, t)))
      + unroll.rotate(Vector3(speed(pitchWave, t), 0, 0)) + Vector3(0, speed(rollWave, t), 0)
  }

  /// Returns a gyroscope's sample at the end of an interval: the mean rate by Gauss's three-point
  /// rule, plus the bias.
  func gyroscope(from a: Double, to b: Double) -> Vector3 {
    let middle = (a + b) / 2
    let off = (b - a) / 2 * 0.7745966692414834
    return (rate(at: middle - off) + rate(at: middle + off)) * (5.0 / 18) + rate(at: middle)
      * (8.0 / 18) + bias
  }

  /// Returns the acceleration with Core Motion's sign: gravity less the device's acceleration.
  func accelerometer(at t: Double) -> Vector3 {
    let own = Vector3(sin(8.1 * t), sin(9.7 * t + 1), sin(7.3 * t + 2)) * shaking
    return attitude(at: t).conjugate.rotate(Vector3(0, 0, -1) - own)
  }

  func magnetometer(at t: Double) -> Vector3 { attitude(at: t).conjugate.rotate(field) }

  /// Returns the sample of `stream`; a gyroscope's sample is the mean over 10 ms.
  func sample(_ stream: Stream, at t: Double) -> Vector3 {
    switch stream {
    case .rotationRate: gyroscope(from: t - 0.01, to: t)
    case .acceleration: accelerometer(at: t)
    case .magneticField: magnetometer(at: t)
    }
  }

  func feed(_ stream: Stream, at t: Double, into engine: inout FusionEngine) {
    engine.update(stream, sample(stream, at: t), at: Timestamp(seconds: t))
  }

  /// An amplitude in radians, an angular frequency in rad/s and a phase.
  typealias Wave = (amplitude: Double, frequency: Double, phase: Double)
  private let yawWave: Wave = (0.9, 2.1, 0)
  private let pitchWave: Wave = (0.8, 1.7, 0.4)
  private let rollWave: Wave = (0.9, 2.6, 1.1)

  private func angle(_ wave: Wave, _ t: Double) -> Double {
    let x = wave.frequency * t + wave.phase
    return turning * wave.amplitude * (sin(x) + 0.4 * sin(2.3 * x))
  }

  private func speed(_ wave: Wave, _ t: Double) -> Double {
    let x = wave.frequency * t + wave.phase
    return turning * wave.amplitude * wave.frequency * (cos(x) + 0.92 * cos(2.3 * x))
  }
}

/// A right-handed, right-angled mounting of a chip: axes are permuted and signs changed, so that
/// rotating a vector does not round.
struct Mount {
  /// The device axis along each chip axis, and whether it is reversed.
  var axes: [Int]
  var signs: [Double]

  /// All 24 mountings.
  static let all: [Mount] = {
    let turns = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    let swaps = [[0, 2, 1], [2, 1, 0], [1, 0, 2]]
    var mounts: [Mount] = []
    for signs in 0..<8 {
      let values = (0..<3).map { signs >> $0 & 1 == 0 ? 1.0 : -1.0 }
      // The determinant must be 1: even permutations with an even number of minus signs, odd ones
      // with an odd number.
      let isEven = values.reduce(1, *) > 0
      mounts += (isEven ? turns : swaps).map { Mount(axes: $0, signs: values) }
    }
    return mounts
  }()

  /// Returns what the mounted chip measures of a vector in device axes.
  func callAsFunction(_ v: Vector3) -> Vector3 {
    let device = [v.x, v.y, v.z]
    return Vector3(
      signs[0] * device[axes[0]], signs[1] * device[axes[1]], signs[2] * device[axes[2]])
  }

  /// The mounting as a rotation from device axes to chip axes.
  var rotation: Quaternion {
    // Shepperd's method: the largest of the four components first, from the columns of the matrix.
    let (x, y, z) = (self(Vector3(1, 0, 0)), self(Vector3(0, 1, 0)), self(Vector3(0, 0, 1)))
    let candidates = [
      Quaternion(w: 1 + x.x + y.y + z.z, x: y.z - z.y, y: z.x - x.z, z: x.y - y.x),
      Quaternion(w: y.z - z.y, x: 1 + x.x - y.y - z.z, y: x.y + y.x, z: z.x + x.z),
      Quaternion(w: z.x - x.z, x: x.y + y.x, y: 1 + y.y - x.x - z.z, z: y.z + z.y),
      Quaternion(w: x.y - y.x, x: z.x + x.z, y: y.z + z.y, z: 1 + z.z - x.x - y.y),
    ]
    return candidates.reduce(candidates[0]) { $1.norm > $0.norm ? $1 : $0 }.normalized
  }
}

#if DEBUG
  /// True if the engine is optimised; otherwise long runs are shortened.
  let isOptimised = false
#else
  /// True if the engine is optimised; otherwise long runs are shortened.
  let isOptimised = true
#endif
