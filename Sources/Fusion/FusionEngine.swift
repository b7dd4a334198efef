// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Attitude from gyroscope, accelerometer and magnetometer, with and without the magnetometer at once.
///
/// The method is that of VQF (Laidig and Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation
/// and magnetic disturbance rejection", Information Fusion 91, 2023; arXiv 2203.17024), written anew for streams that
/// carry their own times: irregular intervals, gaps, different rates and phases are normal. See docs/fusion.md.
public struct FusionEngine: Sendable {
  public let params: FusionParams
  var learned: FusionState
  var coefficients = FusionCoefficients()

  public init(_ params: FusionParams = FusionParams()) {
    self.params = params
    learned = FusionState(params)
  }

  /// Everything learned. Setting it makes the engine go on as the one it was read from.
  public var state: FusionState {
    get { learned }
    set { learned = newValue }
  }

  /// Forgets everything.
  public mutating func reset() { learned = FusionState(params) }

  // MARK: Results

  /// Whether there has been an acceleration: attitude is there from the first one on.
  public var hasAttitude: Bool { learned.hasAcceleration }

  /// Whether a magnetometer has given a heading.
  public var hasHeading: Bool { learned.hasField }

  /// Device to a reference frame with z up and an arbitrary x (at the start: no yaw), without the magnetometer.
  public var attitude6: Quaternion { learned.inclination * learned.strapdown }

  /// Device to the frame x magnetic north, y west, z up.
  public var attitude9: Quaternion { turned(by: learned.heading) }

  /// Device to the frame of `attitude6` at the start, with the magnetometer keeping its heading from drifting. Follows
  /// slowly and never jumps.
  public var attitudeCorrected: Quaternion { turned(by: learned.correctedHeading) }

  /// The gyroscope's bias in device axes, rad/s: rotation is what was measured less this.
  public var gyroBias: Vector3 { learned.bias }

  /// How far off the bias may be, rad/s: the largest of the three axes' standard deviations, bounded from above.
  public var gyroBiasSigma: Double {
    let p = learned.biasCovariance
    let row1 = abs(p.m11) + abs(p.m12) + abs(p.m13)
    let row2 = abs(p.m21) + abs(p.m22) + abs(p.m23)
    let row3 = abs(p.m31) + abs(p.m32) + abs(p.m33)
    return min(max(row1, row2, row3).squareRoot(), params.initialBiasSigma)
  }

  public var isAtRest: Bool { learned.isAtRest }

  public var isMagneticallyDisturbed: Bool { learned.hasField && learned.isDisturbed }

  /// The field that the device itself adds, microtesla. Not estimated yet: always zero.
  public var hardIron: Vector3 { .zero }

  /// Core Motion's four steps: -1 without a magnetometer, 0 while the field is disturbed or its reference not known, 1
  /// otherwise. Step 2 would need a hard-iron estimate.
  public var magneticAccuracy: Int {
    guard learned.hasField else { return -1 }
    return learned.isDisturbed || learned.referenceNorm == 0 ? 0 : 1
  }

  /// The unit vector that points down, in the device axes of an attitude with z up.
  public static func gravity(_ attitude: Quaternion) -> Vector3 {
    attitude.conjugate.rotate(Vector3(0, 0, -1))
  }

  private func turned(by angle: Double) -> Quaternion {
    Quaternion(angle: angle, axis: Vector3(0, 0, 1)) * attitude6
  }

  /// No sensor turns faster; larger numbers are noise on a wire. rad/s
  static var largestRate: Double { 1000 }

  // MARK: Gyroscope

  /// Takes a rotation rate in rad/s, device axes, bias included. Returns false, and changes nothing, for a value that
  /// is not finite or a time before the last.
  @discardableResult
  public mutating func update(rotationRate: Vector3, at time: Timestamp) -> Bool {
    guard rotationRate.isFinite, rotationRate.norm < Self.largestRate else { return false }
    guard let last = learned.gyroTime else {
      learned.gyroTime = time
      return true
    }
    guard time >= last else { return false }
    let interval = (time - last).seconds
    learned.gyroTime = time
    guard interval > 0 else { return true }
    guard interval <= params.gap else {
      // Nobody knows how the device turned meanwhile. Gravity and north will say, at once.
      learned.acceleration.reset()
      learned.restTime = 0
      learned.isAtRest = false
      learned.initialGain = 1
      return true
    }
    learned.gyroInterval.observe(interval)
    let filter = coefficients.rateAtRest(
      time: params.restFilterTime, interval: learned.gyroInterval.typical)
    learned.restRate.update(rotationRate, filter, time: params.restFilterTime)
    let deviation = rotationRate - learned.restRate.value
    let mean = learned.restRate.value
    if deviation.dot(deviation) >= params.restRotationRate * params.restRotationRate
      || abs(mean.x) > params.biasLimit || abs(mean.y) > params.biasLimit
      || abs(mean.z) > params.biasLimit
    {
      learned.restTime = 0
      learned.isAtRest = false
    }
    // A sample stands for the interval that it ends: behind its low-pass filter it is a mean over the past. (The mean
    // of both ends, which an ideal sampler would want, costs 0.16 degrees of inclination on 16 recorded trials.)
    let rate = rotationRate - learned.bias
    let turned = learned.strapdown * Quaternion(rotationVector: rate * interval)
    learned.strapdown = turned.normalized
    return true
  }
}
