// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// No sensor measures more; larger numbers are noise on a wire. g
  static var largestAcceleration: Double { 1000 }

  /// Takes an acceleration in g with Core Motion's sign (flat and face up at rest: 0, 0, -1), device axes. Returns
  /// false, and changes nothing, for a value that is not finite or a time before the last.
  @discardableResult
  public mutating func update(acceleration: Vector3, at time: Timestamp) -> Bool {
    guard acceleration.isFinite, acceleration.norm < Self.largestAcceleration else { return false }
    if let last = learned.accelerationTime, time < last { return false }
    // Specific force, which points up at rest.
    let force = -acceleration
    guard let last = learned.accelerationTime, learned.hasAcceleration else {
      learned.accelerationTime = time
      begin(with: force)
      return true
    }
    let interval = (time - last).seconds
    learned.accelerationTime = time
    guard interval > 0 else { return true }
    if interval > params.gap {
      learned.acceleration.reset()
    } else {
      learned.accelerationInterval.observe(interval)
    }
    // Nothing to filter by before two samples of a stream have come close together.
    let typical = learned.accelerationInterval.typical
    guard typical > 0 else {
      begin(with: force)
      return true
    }
    watchForRest(force, interval: interval)
    let residual = correctInclination(force, interval: typical)
    if learned.gyroTime != nil { estimateBias(residual, interval: typical) }
    return true
  }

  /// The first attitude: the shortest turn that makes the force point up, with no yaw.
  private mutating func begin(with force: Vector3) {
    let inReference = learned.inclination.rotate(learned.strapdown.rotate(force))
    guard let up = inReference.normalized else { return }
    learned.inclination = (Self.levelling(up) * learned.inclination).normalized
    let yaw = EulerAngles(learned.inclination * learned.strapdown).yaw
    learned.inclination =
      (Quaternion(angle: -yaw, axis: Vector3(0, 0, 1)) * learned.inclination).normalized
    learned.hasAcceleration = true
  }

  /// The shortest rotation that takes the unit vector `up` to (0, 0, 1).
  static func levelling(_ up: Vector3) -> Quaternion {
    let half = ((up.z + 1) / 2).squareRoot()
    // Upside down every horizontal axis is as short as another.
    guard half > 1e-6 else { return Quaternion(w: 0, x: 1, y: 0, z: 0) }
    return Quaternion(w: half, x: up.y / (2 * half), y: -up.x / (2 * half), z: 0).normalized
  }

  /// Without a gyroscope there is nothing to hold the attitude between samples: the filter must be quick.
  private var inclinationTime: Double { learned.gyroTime == nil ? 0.1 : params.accelerationTime }

  /// Filters the force in the drifting frame, where gravity stands still while the device turns, and turns the frame so
  /// that it points up. Returns where it pointed before, as a unit vector.
  private mutating func correctInclination(_ force: Vector3, interval: Double) -> Vector3 {
    let time = inclinationTime
    let filter = coefficients.acceleration(time: time, interval: interval)
    learned.acceleration.update(learned.strapdown.rotate(force), filter, time: time)
    guard let up = learned.inclination.rotate(learned.acceleration.value).normalized else {
      return Vector3(0, 0, 1)
    }
    learned.inclination = (Self.levelling(up) * learned.inclination).normalized
    return up
  }

  private mutating func watchForRest(_ force: Vector3, interval: Double) {
    let filter = coefficients.accelerationAtRest(
      time: params.restFilterTime, interval: learned.accelerationInterval.typical)
    learned.restAcceleration.update(force, filter, time: params.restFilterTime)
    let deviation = force - learned.restAcceleration.value
    if deviation.dot(deviation) >= params.restAcceleration * params.restAcceleration {
      learned.restTime = 0
      learned.isAtRest = false
    } else {
      learned.restTime = min(learned.restTime + interval, 1e6)
      if learned.restTime >= params.restMinimumTime { learned.isAtRest = true }
    }
  }

  /// One step of the bias's Kalman filter. In motion gravity's residual says how fast the frame drifts about the two
  /// horizontal axes; at rest the gyroscope's own mean is the bias.
  private mutating func estimateBias(_ residual: Vector3, interval: Double) {
    let filter = coefficients.acceleration(time: inclinationTime, interval: interval)
    let attitude = (learned.inclination * learned.strapdown).rotationMatrix
    let time = params.accelerationTime
    // The residual is an average over the filter's past, so what it is compared with is averaged alike.
    learned.rotationRow1.update(attitude.row1, filter, time: time)
    learned.rotationRow2.update(attitude.row2, filter, time: time)
    learned.rotationRow3.update(attitude.row3, filter, time: time)
    let turnedBias = attitude * learned.bias
    learned.turnedBiasX.update(turnedBias.x, filter, time: time)
    learned.turnedBiasY.update(turnedBias.y, filter, time: time)

    // Process noise: 0.1 deg/s wandered in the forgetting time.
    let wander = 0.1 * Double.pi / 180
    let process = wander * wander * interval / params.biasForgettingTime
    let p = learned.biasCovariance
    let limit = params.initialBiasSigma * params.initialBiasSigma
    var predicted = p
    if predicted.m11 < limit { predicted.m11 += process }
    if predicted.m22 < limit { predicted.m22 += process }
    if predicted.m33 < limit { predicted.m33 += process }

    let observation: Matrix3
    let error: Vector3
    let noise: Vector3
    if learned.isAtRest {
      observation = .identity
      error = learned.restRate.value - learned.bias
      let w = measurementVariance(params.restBiasSigma, process: process)
      noise = Vector3(w, w, w)
    } else {
      observation = Matrix3(
        rows: learned.rotationRow1.value, learned.rotationRow2.value, learned.rotationRow3.value)
      let turned = observation * learned.bias
      error = Vector3(
        -residual.y / interval + learned.turnedBiasX.value - turned.x,
        residual.x / interval + learned.turnedBiasY.value - turned.y,
        -turned.z)
      let w = measurementVariance(params.motionBiasSigma, process: process)
      noise = Vector3(w, w, w / max(params.verticalForgettingFactor, 1e-10))
    }
    let bound = params.biasLimit
    let clipped = Vector3(
      min(max(error.x, -bound), bound), min(max(error.y, -bound), bound),
      min(max(error.z, -bound), bound))
    let crossed = predicted * observation.transposed
    let innovation = observation * crossed + .diagonal(noise.x, noise.y, noise.z)
    guard let inverse = innovation.inverse else { return }
    let gain = crossed * inverse
    let bias = learned.bias + gain * clipped
    let covariance = predicted - gain * (observation * predicted)
    guard bias.isFinite, covariance.determinant.isFinite else { return }
    learned.bias = Vector3(
      min(max(bias.x, -bound), bound), min(max(bias.y, -bound), bound),
      min(max(bias.z, -bound), bound))
    learned.biasCovariance = covariance
  }

  /// The measurement variance with which the covariance settles at `sigma` squared.
  private func measurementVariance(_ sigma: Double, process: Double) -> Double {
    let settled = sigma * sigma
    return settled * settled / process + settled
  }
}
