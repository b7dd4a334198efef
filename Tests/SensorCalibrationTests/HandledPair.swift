// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom

/// An inertial sensor with its sheet's errors.
struct InertialPart {
  /// Noise densities: degrees/s and g per root of a hertz.
  var rateNoise: Double
  var forceNoise: Double
  /// The limits of offsets, degrees/s and g, and of scale, as a share.
  var rateOffset: Double
  var forceOffset: Double
  var scale: Double
  /// Samples per second, and the width of the filter, Hz.
  var rate: Double
  var bandwidth: Double
  /// The deviation of the time stamps, s: a poll under load, or a queue's measured clock.
  var jitter: Double

  /// PS-MPU-6000A-00 revision 3.4, 6.1 and 6.2, polled.
  static let mpu6050 = InertialPart(
    rateNoise: 0.005, forceNoise: 400e-6, rateOffset: 20, forceOffset: 0.05, scale: 0.03,
    rate: 100, bandwidth: 44, jitter: 3e-4)
  /// BST-BMI160-DS000-07, tables 2 and 3, by its queue.
  static let bmi160 = InertialPart(
    rateNoise: 0.007, forceNoise: 180e-6, rateOffset: 3, forceOffset: 0.04, scale: 0.03,
    rate: 200, bandwidth: 74, jitter: 1e-4)
  /// DS12140 (LSM6DSO) revision 2, table 2.
  static let lsm6dso = InertialPart(
    rateNoise: 0.0038, forceNoise: 70e-6, rateOffset: 1, forceOffset: 0.02, scale: 0.01,
    rate: 104, bandwidth: 34, jitter: 1e-4)
  /// DS-000347 (ICM-42688-P) revision 1.7, tables 1 and 2.
  static let icm42688p = InertialPart(
    rateNoise: 0.0028, forceNoise: 70e-6, rateOffset: 0.5, forceOffset: 0.02, scale: 0.005,
    rate: 200, bandwidth: 50, jitter: 1e-4)
}

/// A device that a hand turns and moves, as sums of sines with random rates and phases.
struct RandomHandling {
  private struct Wave {
    var amplitude: Double
    var frequency: Double
    var phase: Double
    func at(_ t: Double) -> Double { amplitude * sin(2 * .pi * frequency * t + phase) }
  }

  private var angles: [[Wave]]
  private var pushes: [[Wave]]

  /// Creates a motion whose angles about the axes are `share` of the usual ones.
  init(_ random: inout SplitMix, share: Vector3 = Vector3(1, 1, 1)) {
    func waves(_ count: Int, _ amplitude: Double, _ random: inout SplitMix) -> [Wave] {
      (0..<count).map { _ in
        let frequency = Double.random(in: 0.2...1.2, using: &random)
        return Wave(
          amplitude: amplitude * .random(in: 0.5...1, using: &random) / (1 + frequency),
          frequency: frequency, phase: .random(in: 0...(2 * .pi), using: &random))
      }
    }
    angles = [share.x, share.y, share.z].map { waves(3, 0.8 * $0, &random) }
    pushes = (0..<3).map { _ in waves(3, 0.15, &random) }
  }

  private func attitude(_ t: Double) -> Quaternion {
    let angle = angles.map { waves in waves.reduce(0) { $0 + $1.at(t) } }
    return Quaternion(angle: angle[2], axis: Vector3(0, 0, 1))
      * Quaternion(angle: angle[0], axis: Vector3(1, 0, 0))
      * Quaternion(angle: angle[1], axis: Vector3(0, 1, 0))
  }

  private func rate(_ t: Double) -> Vector3 {
    let h = 1e-4
    let turn = attitude(t - h).conjugate * attitude(t + h)
    return Vector3(turn.x, turn.y, turn.z) * ((turn.w < 0 ? -1 : 1) / h)
  }

  /// Returns rotation rate, rad/s, and specific force, g, at `arm` metres from the centre.
  func sample(_ t: Double, at arm: Vector3) -> (rate: Vector3, force: Vector3) {
    let push = pushes.map { waves in waves.reduce(0) { $0 + $1.at(t) } }
    let rate = rate(t)
    let force = attitude(t).conjugate.rotate(Vector3(push[0], push[1], push[2] + 1))
    guard arm != .zero else { return (rate, force) }
    let h = 1e-3
    let angular = (self.rate(t + h) - self.rate(t - h)) / (2 * h)
    return (rate, force + (angular.cross(arm) + rate.cross(rate.cross(arm))) / 9.80665)
  }
}

/// Two parts on one device, and what they sampled.
struct HandledPair {
  struct Series {
    var rates: [TimedVector] = []
    var forces: [TimedVector] = []
  }

  /// The truth: `first = rotation * second`.
  var rotation: Quaternion
  var arm: Vector3
  var late: Double
  var first = Series()
  var second = Series()

  /// Samples `motion` for `seconds`. The second part is askew by up to `degrees`, off by up to 100
  /// mm a component and late by up to 20 ms; `crossAxis` is the misalignment of every triad.
  init(
    _ parts: (InertialPart, InertialPart), _ motion: RandomHandling, for seconds: Double,
    askew degrees: Double = 5, crossAxis: Double = 0, _ random: inout SplitMix
  ) {
    let axis = random.vector(1).normalized ?? Vector3(1, 0, 0)
    rotation = Quaternion(angle: random.uniform(degrees) * .pi / 180, axis: axis)
    arm = Vector3(random.uniform(0.1), random.uniform(0.1), random.uniform(0.1))
    late = random.uniform(0.02)
    let place = Vector3(random.uniform(0.1), random.uniform(0.1), random.uniform(0.1))
    first = Self.sample(
      parts.0, motion, seconds, (.identity, place, 0), crossAxis, &random)
    second = Self.sample(
      parts.1, motion, seconds, (rotation, place + arm, late), crossAxis, &random)
  }

  private static func sample(
    _ part: InertialPart, _ motion: RandomHandling, _ seconds: Double,
    _ seat: (rotation: Quaternion, place: Vector3, late: Double), _ crossAxis: Double,
    _ random: inout SplitMix
  ) -> Series {
    func errors(_ random: inout SplitMix) -> Matrix3 {
      func cross() -> Double { random.uniform(crossAxis) }
      func scale() -> Double { 1 + random.uniform(part.scale) }
      return Matrix3(
        rows: Vector3(scale(), cross(), cross()), Vector3(cross(), scale(), cross()),
        Vector3(cross(), cross(), scale()))
    }
    let (rates, forces) = (errors(&random), errors(&random))
    let rateOffset = random.vector(part.rateOffset / 3) * (.pi / 180)
    let forceOffset = random.vector(part.forceOffset / 3)
    let root = part.bandwidth.squareRoot()
    let interval = (1 + random.uniform(0.01)) / part.rate
    var series = Series()
    var t = random.uniform(0.01) + 0.01
    while t < seconds {
      let truth = motion.sample(t, at: seat.place)
      let inverse = seat.rotation.conjugate
      let stamp = Timestamp(seconds: 5 + t + seat.late + random.normal(part.jitter))
      series.rates.append(
        TimedVector(
          stamp,
          rates * inverse.rotate(truth.rate) + rateOffset
            + random.vector(part.rateNoise * root * .pi / 180)))
      series.forces.append(
        TimedVector(
          stamp,
          forces * inverse.rotate(truth.force) + forceOffset
            + random.vector(part.forceNoise * root)))
      t += interval
    }
    return series
  }

  func fit(_ params: IMUAlignment.Params = IMUAlignment.Params()) throws -> IMUAlignment.Fit {
    try IMUAlignment.fit(
      rates: first.rates.span, forces: first.forces.span, rates: second.rates.span,
      forces: second.forces.span, params)
  }

  /// Returns the errors of `fit`: degrees, millimetres and milliseconds.
  func errors(_ fit: IMUAlignment.Fit) -> (turn: Double, arm: Double, time: Double) {
    let off = fit.rotation * rotation.rotationMatrix.transposed
    let sine = Vector3(off.m32 - off.m23, off.m13 - off.m31, off.m21 - off.m12).norm / 2
    return (
      asin(min(sine, 1)) * 180 / .pi, (fit.leverArm - arm).norm * 1000,
      abs(fit.timeOffset - late) * 1000
    )
  }
}
