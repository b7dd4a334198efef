// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// Takes an acceleration in g, device axes, Core Motion's sign: flat and face up at rest reads
  /// (0, 0, -1). Returns false, and changes nothing, when it is not finite, beyond 10 000 g, or
  /// older than the last.
  @discardableResult
  public mutating func update(acceleration: Vector3, at time: Timestamp) -> Bool {
    guard Self.isPlausible(acceleration, within: 1e4),
      let interval = Self.interval(from: state.accelerationTime, to: time)
    else { return false }
    state.accelerationTime = time
    // Specific force, which points up at rest.
    let force = -acceleration
    guard state.hasAttitude else {
      // Free fall points nowhere.
      if let up = force.normalized { start(force, up: up) }
      return true
    }
    let gyroscope = hasGyroscope(at: time)
    if interval > params.longestGap {
      state.rest.disturb()
      // A gyroscope has held the attitude meanwhile; one sample after the silence must not tilt it.
      if !gyroscope { state.force.restart() }
    }
    let step = interval <= params.longestGap ? interval : gyroscope ? params.longestGap / 16 : 0
    state.decays.restAcceleration.prepare(step, tau: params.restTau)
    state.rest.add(
      acceleration: force, interval: step, params: params, decay: state.decays.restAcceleration)
    let tau = gyroscope ? params.accelerationTau : params.accelerationOnlyTau
    state.decays.force.prepare(step, tau: tau)
    let strapdown = strapdown(at: time)
    state.force.add(
      strapdown.rotate(force), interval: step, tau: tau, decay: state.decays.force)
    let before = (state.inclination * strapdown).normalized
    let moving = before.rotate(force) - Vector3(0, 0, 1)
    let follow = state.decays.commotion(step, tau: params.accelerationTau)
    state.commotion += follow * (moving.dot(moving) - state.commotion)
    guard let up = state.inclination.rotate(state.force.value).normalized else { return true }
    level(up)
    learnBias(attitude: before, up: up, interval: step, gyroscope: gyroscope)
    return true
  }

  /// The first acceleration: up is where it says, and of all headings the one with yaw zero.
  private mutating func start(_ force: Vector3, up: Vector3) {
    let pitch = asin(up.y > 1 ? 1 : up.y < -1 ? -1 : up.y)
    // Upright, roll and yaw are one and the same turn.
    let roll = up.x * up.x + up.z * up.z > 1e-12 ? atan2(-up.x, up.z) : 0
    state.strapdown =
      Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
      * Quaternion(angle: roll, axis: Vector3(0, 1, 0))
    state.inclination = .identity
    state.hasAttitude = true
    state.force.add(
      state.strapdown.rotate(force), interval: 0, tau: params.accelerationTau,
      decay: state.decays.force)
    state.rest.add(
      acceleration: force, interval: 0, params: params, decay: state.decays.restAcceleration)
  }

  private func hasGyroscope(at time: Timestamp) -> Bool {
    guard let last = state.rateTime else { return false }
    guard time > last else { return true }
    return (Self.interval(from: last, to: time) ?? 0) <= params.longestGap
  }

  /// Turns the reference by the shortest way so that `up`, a unit vector in it, becomes its Z axis.
  private mutating func level(_ up: Vector3) {
    let half = sqrt((up.z + 1) / 2)
    // Upside down, every horizontal axis is as short as another.
    let turn =
      half > 1e-6
      ? Quaternion(w: half, x: up.y / (2 * half), y: -up.x / (2 * half), z: 0)
      : Quaternion(w: 0, x: 1, y: 0, z: 0)
    state.inclination = (turn * state.inclination).normalized
  }

  /// `up` is where the filtered specific force pointed in the reference frame before it was
  /// levelled. A bias that is left turns the reference steadily, and levelling has to turn it back
  /// at the same rate.
  private mutating func learnBias(
    attitude: Quaternion, up: Vector3, interval: Double, gyroscope: Bool
  ) {
    guard gyroscope, interval > 0 else { return }
    let walk = biasWalk(interval)
    state.bias.predict(walk)
    let matrix = attitude.rotationMatrix
    let rowX = Vector3(matrix.m11, matrix.m12, matrix.m13)
    let rowY = Vector3(matrix.m21, matrix.m22, matrix.m23)
    let rowZ = Vector3(matrix.m31, matrix.m32, matrix.m33)
    let bias = state.bias.bias
    let tau = params.accelerationTau
    let decay = state.decays.force
    state.rowX.add(rowX, interval: interval, tau: tau, decay: decay)
    state.rowY.add(rowY, interval: interval, tau: tau, decay: decay)
    state.rowZ.add(rowZ, interval: interval, tau: tau, decay: decay)
    state.referenceBias.add(
      Vector3(rowX.dot(bias), rowY.dot(bias), 0), interval: interval, tau: tau, decay: decay)
    if state.rest.isAtRest && params.learnsBiasAtRest {
      learnBiasAtRest(walk: walk)
    } else if params.learnsBiasInMotion && state.force.hasSettled(tau) {
      // Clipping and rectification falsify the mean acceleration by its mean square, and the
      // variance of what is learned from it by the square of that.
      let violence = state.commotion / (params.commotionTolerance * params.commotionTolerance)
      let noise =
        steadyNoise(params.biasSigmaInMotion, walk: walk) * (1 + violence * violence)
      let seen = state.referenceBias.value
      state.bias.observe(
        state.rowX.value,
        innovation: seen.x - up.y / interval - state.rowX.value.dot(state.bias.bias), noise: noise)
      state.bias.observe(
        state.rowY.value,
        innovation: seen.y + up.x / interval - state.rowY.value.dot(state.bias.bias), noise: noise)
      let forgetting = params.biasVerticalForgetting > 1e-10 ? params.biasVerticalForgetting : 1e-10
      state.bias.observe(
        state.rowZ.value, innovation: -state.rowZ.value.dot(state.bias.bias),
        noise: noise / forgetting)
    }
  }

  private mutating func learnBiasAtRest(walk: Double) {
    let noise = steadyNoise(params.biasSigmaAtRest, walk: walk)
    let left = state.rest.rate.value - state.bias.bias
    state.bias.observe(Vector3(1, 0, 0), innovation: left.x, noise: noise)
    state.bias.observe(Vector3(0, 1, 0), innovation: left.y, noise: noise)
    state.bias.observe(Vector3(0, 0, 1), innovation: left.z, noise: noise)
  }

  /// The variance of an observation with which a scalar Kalman filter settles at `sigma` when it is
  /// made once per `walk` of variance: from the stationary Riccati equation, `p^2 / walk + p` with
  /// `p = sigma^2`. It makes the gain per second independent of the sample rate.
  private func steadyNoise(_ sigma: Double, walk: Double) -> Double {
    let p = sigma * sigma
    return walk > 0 ? p * p / walk + p : p
  }
}

/// The square root, where the caller does not import the mathematics itself.
func squareRoot(_ x: Double) -> Double { sqrt(x) }
